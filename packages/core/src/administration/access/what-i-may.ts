/**
 * The method What_May_I: effective rights asked beforehand, so that pages offer only what a call would permit. The access rules of the
 * directory itself are unknown here.
 */
import type { ServiceConfig } from '../../config/config.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import { describedType } from '../../foundation/text/rdn.ts';
import type { DirectoryServer, Entry } from '../../ports/directory/directory.ts';
import type { NamedRow, Need } from '../../table/method.ts';
import type { EffectiveRights } from './effective-rights.ts';
import { concernsAll } from './groups/affected-members.ts';
import { areMet, type RightsAtEntry } from './needs.ts';
import { isLet, type PermissionCheck } from './permission-check.ts';
import { isTenant } from './superiors.ts';

export interface RightsAtEntryContext {
  readonly rights: EffectiveRights;
  readonly methods: readonly NamedRow[];
  readonly config: Pick<ServiceConfig, 'schema'>;
  readonly server: Pick<DirectoryServer, 'service'>;
}

export interface GrantedRights {
  /** Methods in our words, as roles name them. */
  readonly methods: readonly string[];
  /** The readable ones of the named attributes. */
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly create: readonly string[];
}

export interface RightsQuery {
  /** Left out: it is asked whether there may be such an entry at all. */
  readonly dn: Dn | undefined;
  /** Attributes that `by` is to read or write, and classes that it is to make. */
  readonly attributes: readonly string[];
  readonly classes: readonly string[];
  /** The method in our words. */
  readonly by: string;
}

export async function findGrantedRights(
  { dn, attributes, classes, by }: RightsQuery,
  view: RightsAtEntryContext,
): Promise<GrantedRights> {
  const place = dn && new Place(await view.rights.place(dn), view);
  const methods: string[] = [];
  for (const named of view.methods) if (await isAllowed(named, place, view)) methods.push(named.ours);
  const prospect = await prospectOf(by, place, view);
  const decides = !place || (await place.decides(view.rights.permissionCheck(by)));
  const { schema } = view.config;
  return {
    methods,
    read: attributes.filter(prospect.reads),
    write: attributes.filter(
      (name) =>
        prospect.writes(name) && (decides || !concernsAll(name, schema)) && !isKeptFrom(name, by, view),
    ),
    create: decides ? classes.filter(prospect.creates) : [],
  };
}

/** The attribute of data is written by no role itself, but by methods that say so. */
function isKeptFrom(
  attribute: string,
  by: string,
  { rights, methods, config }: RightsAtEntryContext,
): boolean {
  if (rights.isSuperAdmin || describedType(attribute) !== describedType(config.schema.data_attribute))
    return false;
  return !methods.find(({ ours }) => ours === by)?.method.needs?.includes('writesData');
}

/** An entry, of which some is found out once for all methods, when it is first asked for. */
class Place {
  readonly dn: Dn;
  readonly #view: RightsAtEntryContext;
  #entry: Promise<Entry | undefined> | undefined;
  #isSuperior: Promise<boolean> | undefined;
  #moves: Promise<boolean> | undefined;
  #decides: ((check: PermissionCheck) => Promise<boolean>) | undefined;

  constructor(dn: Dn, view: RightsAtEntryContext) {
    this.dn = dn;
    this.#view = view;
  }

  get entry(): Promise<Entry | undefined> {
    this.#entry ??= this.#view.server.service.read(this.dn, ['objectClass']);
    return this.#entry;
  }

  get isSuperior(): Promise<boolean> {
    this.#isSuperior ??= this.#view.rights.isSuperior(this.dn);
    return this.#isSuperior;
  }

  /** Returns whether the entry may be moved: option sets and entries below are the same for all methods. */
  moves(check: PermissionCheck): Promise<boolean> {
    this.#moves ??= isLet(this.#view.rights.assertMovable(this.dn, check));
    return this.#moves;
  }

  /** Whether a method with these rights may change what the entry, as a group, is to all its members. */
  decides(check: PermissionCheck): Promise<boolean> {
    this.#decides ??= this.#view.rights.decidesBy(this.dn, this.#view.server.service);
    return this.#decides(check);
  }
}

/** Needs of methods that change what a group is to all its members. */
const deciding: ReadonlySet<Need> = new Set(['writesSettings', 'activates', 'unmakes', 'renames'] as const);

async function isAllowed(
  { ours, method }: NamedRow,
  place: Place | undefined,
  view: RightsAtEntryContext,
): Promise<boolean> {
  const { permission, on, needs = [], refusesTenants } = method;
  const { rights } = view;
  if (permission === 'self') return true;
  if (!rights.admits(ours) || (refusesTenants !== undefined && isTenant(rights.mandate))) return false;
  const isAbout = on !== 'nothing' || needs.some((need) => need !== 'isSuper');
  if (place && isAbout) {
    const check = rights.permissionCheck(ours);
    if (check.isUnlimited) return true;
    if (!check.holds(place.dn) || (permission === 'write' && (await place.isSuperior))) return false;
    if (needs.some((need) => deciding.has(need)) && !(await place.decides(check))) return false;
  }
  return needs.length === 0 || areMet(needs, await prospectOf(ours, place, view));
}

async function prospectOf(
  ours: string,
  place: Place | undefined,
  view: RightsAtEntryContext,
): Promise<RightsAtEntry> {
  const { rights, config } = view;
  const check = rights.permissionCheck(ours);
  const about = { schema: config.schema, isSuperAdmin: rights.isSuperAdmin };
  if (!place)
    return {
      ...{ ...about, entry: undefined, naming: [] },
      reads: (attribute) => check.somewhere((permissions) => permissions.reads(attribute)),
      writes: (attribute) => check.somewhere((permissions) => permissions.writes(attribute)),
      creates: (name) => check.somewhere((permissions) => permissions.creates(name)),
      moves: async () => true,
    };
  const { dn } = place;
  const entry = await place.entry;
  return {
    ...{ ...about, entry, naming: dn.rdn.map(({ type }) => type) },
    reads: (attribute) => check.reads(dn, attribute),
    writes: (attribute) => check.writes(dn, attribute),
    creates: (name) => check.creates(dn, name),
    moves: async () => entry !== undefined && place.moves(check),
  };
}
