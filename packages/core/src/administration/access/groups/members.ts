/**
 * Finds the members of groups on which access decisions depend: named by DN, login name or number, and through nested groups. The service
 * reads them, as the administrator may not be allowed to.
 */
import type { Schema } from '../../../config/config.ts';
import type { Domains } from '../../../directory/domain.ts';
import { sidNumber } from '../../../directory/entry/group.ts';
import { hasGroupClass } from '../../../directory/posix.ts';
import { isReason } from '../../../foundation/errors/errors.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { and, equal, not, or } from '../../../foundation/text/filter.ts';
import { describedType } from '../../../foundation/text/rdn.ts';
import { type Attributes, textsOf } from '../../../foundation/text/value.ts';
import type { Directory, Entry, SearchRequest } from '../../../ports/directory/directory.ts';

/** The class of groups that have the users of a number as members. */
const numberedClass = 'posixGroup';
const numberAttribute = 'gidnumber';
/** The class of groups of Active Directory, which have the users whose primary group they are as members. */
const primaryClass = 'group';
const sidAttribute = 'objectsid';

/** Values of a group's attributes that name members. */
export interface MemberNames {
  readonly dns: readonly string[];
  readonly uids: readonly string[];
  readonly numbers: readonly string[];
  /** Values of `primaryGroupID`. */
  readonly primaries: readonly string[];
}

export interface MembersView {
  readonly config: { readonly schema: Schema };
  readonly directory: { readonly service: Pick<Directory, 'read' | 'search'> };
  readonly domains: Pick<Domains, 'bases'>;
}

/** Reads asked for at once. */
const together = 64;

const typesOf = (attributes: readonly string[]): ReadonlySet<string> =>
  new Set(attributes.map(describedType));

/** The attributes and classes that make an entry a group with members. */
export class MemberSchema {
  readonly #dns: ReadonlySet<string>;
  readonly #uids: ReadonlySet<string>;
  /** The attributes that say who the members of a group are. */
  readonly named: readonly string[];
  /** The attributes to read of a group. */
  readonly attributes: readonly string[];

  constructor({ member_attributes, member_uid_attributes }: Schema) {
    this.#dns = typesOf(member_attributes);
    this.#uids = typesOf(member_uid_attributes);
    this.named = [...member_attributes, ...member_uid_attributes, numberAttribute];
    this.attributes = ['objectClass', ...this.named, sidAttribute];
  }

  /** Returns whether the values of an attribute name members of any entry that has it. */
  isMembership(attribute: string): boolean {
    const type = describedType(attribute);
    return this.#dns.has(type) || this.#uids.has(type);
  }

  /** Returns whether an attribute decides which users a posix group has. */
  isNumber(attribute: string): boolean {
    return describedType(attribute) === numberAttribute;
  }

  /** @param classes the classes of the entry: a number names members of posix groups only */
  namesIn(attributes: Attributes, classes: readonly string[]): MemberNames {
    const isNumbered = hasGroupClass(classes);
    const isPrimary = classes.some((name) => name.toLowerCase() === primaryClass);
    const dns: string[] = [];
    const uids: string[] = [];
    const numbers: string[] = [];
    const primaries: string[] = [];
    for (const [name, values] of attributes) {
      const type = describedType(name);
      if (this.#dns.has(type)) dns.push(...textsOf(values));
      if (this.#uids.has(type)) uids.push(...textsOf(values));
      if (isNumbered && type === numberAttribute) numbers.push(...textsOf(values));
      if (isPrimary && type === sidAttribute)
        primaries.push(...values.flatMap((sid) => sidNumber(sid) ?? []));
    }
    return { dns, uids, numbers, primaries };
  }
}

/** Finds the users and groups that are named, and the members of those groups. @returns names as the directory writes them */
export async function findMembers(names: MemberNames, view: MembersView): Promise<readonly Dn[]> {
  const schema = new MemberSchema(view.config.schema);
  const found = new Map<string, Dn>();
  const seen = new Set<string>();
  let next = names;
  while (Object.values(next).some((values) => values.length > 0)) {
    const fresh = next.dns.filter((dn) => isFresh(Dn.keyOf(dn) ?? dn, seen));
    const read = await inSlices(fresh, (dn) => readMember(dn, schema, view));
    const named = await findNamed(next, view);
    for (const dn of [...read.map(({ dn }) => dn), ...named]) found.set(dn.key, dn);
    const groups = read.map(({ entry }) =>
      entry ? schema.namesIn(entry.attributes, classesOf(entry)) : none,
    );
    next = {
      dns: groups.flatMap(({ dns }) => dns),
      uids: groups.flatMap(({ uids }) => uids).filter((uid) => isFresh(`uid ${uid}`, seen)),
      numbers: groups.flatMap(({ numbers }) => numbers).filter((number) => isFresh(`number ${number}`, seen)),
      primaries: groups.flatMap(({ primaries }) => primaries).filter((id) => isFresh(`primary ${id}`, seen)),
    };
  }
  return [...found.values()];
}

const none: MemberNames = { dns: [], uids: [], numbers: [], primaries: [] };

export const classesOf = (entry: Entry): readonly string[] =>
  textsOf(entry.attributes.get('objectclass') ?? []);

function isFresh(key: string, seen: Set<string>): boolean {
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

/**
 * A value of an entry that is not there may name a user to come. One that is no DN is the root, which nobody administers:
 * Active Directory knows users by `<SID=…>`.
 */
async function readMember(
  text: string,
  schema: MemberSchema,
  { directory }: MembersView,
): Promise<{ readonly dn: Dn; readonly entry: Entry | undefined }> {
  const dn = Dn.tryParse(text.replace(/#'[01]*'B$/, ''));
  if (!dn || dn.isRoot) return { dn: Dn.root, entry: undefined };
  const entry = await directory.service.read(dn, schema.attributes);
  return { dn: entry ? Dn.parse(entry.dn) : dn, entry };
}

/** The users who have one of these login names or numbers, in any domain. */
async function findNamed(
  { uids, numbers, primaries }: MemberNames,
  view: MembersView,
): Promise<readonly Dn[]> {
  const isGroup = equal('objectClass', numberedClass);
  const filters = [
    ...slices(uids).map((some) => or(...some.map((uid) => equal('uid', uid)))),
    ...slices(numbers).map((some) =>
      and(or(...some.map((number) => equal('gidNumber', number))), not(isGroup)),
    ),
    ...slices(primaries).map((some) => or(...some.map((id) => equal('primaryGroupID', id)))),
  ];
  const searches = filters.flatMap((filter) => view.domains.bases.map((base) => ({ base, filter })));
  const found = await inSlices(searches, (search) => searchAll(search, view));
  return found.flat();
}

/** Finds the entries below a base, as the service sees them; a base that is missing holds none. */
export async function searchAll(
  search: Omit<SearchRequest, 'scope' | 'attributes'>,
  { directory }: { readonly directory: { readonly service: Pick<Directory, 'search'> } },
): Promise<readonly Dn[]> {
  try {
    const found = await directory.service.search({ ...search, scope: 'sub', attributes: ['1.1'] });
    return found.map(({ dn }) => Dn.parse(dn));
  } catch (error) {
    if (isReason(error, 'not_found')) return [];
    throw error;
  }
}

/** Cuts a list into pieces that are asked for at once. */
export function slices<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / together) }, (_, at) =>
    all.slice(at * together, (at + 1) * together),
  );
}

async function inSlices<T, R>(all: readonly T[], ask: (one: T) => Promise<R>): Promise<readonly R[]> {
  const answers: R[] = [];
  for (const some of slices(all)) answers.push(...(await Promise.all(some.map(ask))));
  return answers;
}
