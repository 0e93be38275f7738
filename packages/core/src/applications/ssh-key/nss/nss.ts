/** The POSIX users and groups of a domain, for the name service switch of a system (RFC 2307). */

import { assertSource } from '../../../administration/policy/caller.ts';
import type { Domain } from '../../../directory/domain.ts';
import { texts } from '../../../directory/entry/entry.ts';
import { isField, type PosixRules, posixRules } from '../../../directory/posix.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import { mapCooperatively } from '../../../foundation/runtime/cooperative.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { and, equal, or } from '../../../foundation/text/filter.ts';
import type { Entry } from '../../../ports/directory/directory.ts';
import type { WireMap } from '../../../table/field.ts';
import {
  gather,
  isAccountName,
  type MembersOf,
  memberNames,
  type NssView,
  namesOfMembers,
  posixUser,
  userName,
} from './members.ts';

export interface NssRequest {
  /** `user` or `group`. */
  readonly database?: string | undefined;
  readonly domain?: string | undefined;
  readonly source?: string | undefined;
}

const wrong = (detail: string): ServiceError => new ServiceError('invalid_params', { detail });

/** A database of the name service: its entries and their format. */
interface Database {
  readonly objectClass: string;
  readonly numberAttribute: string;
  names(domain: Domain): readonly string[];
  attributes(domain: Domain): readonly string[];
  /** Undefined: it lacks something that a system cannot do without, or has what would break its line there. */
  write(entry: Entry, domain: Domain, members: readonly string[]): NssRecord | undefined;
  /** Whether a system may believe its numbers. */
  admits(record: NssRecord, rules: PosixRules): boolean;
}

type NssRecord = WireMap & { readonly name: string; readonly gid: number; readonly uid?: number };

const users: Database = {
  objectClass: posixUser,
  numberAttribute: 'uidNumber',
  names: ({ loginAttributes }) => loginAttributes,
  attributes: ({ loginAttributes }) => [
    ...loginAttributes,
    ...['uidNumber', 'gidNumber', 'homeDirectory', 'loginShell'],
  ],
  write: (entry, domain) => {
    const [uid, gid] = [numberIn(entry, 'uidNumber'), numberIn(entry, 'gidNumber')];
    const [home] = texts(entry, 'homeDirectory');
    const [shell = ''] = texts(entry, 'loginShell');
    if (uid === undefined || gid === undefined || home === undefined) return undefined;
    return isField(home) && isField(shell)
      ? { name: userName(entry, domain), uid, gid, home, shell }
      : undefined;
  },
  admits: ({ uid, gid }, rules) =>
    rules.wrongUid(String(uid)) === undefined && rules.wrongGid(String(gid)) === undefined,
};

const groups: Database = {
  objectClass: 'posixGroup',
  numberAttribute: 'gidNumber',
  names: () => ['cn'],
  attributes: () => ['cn', 'gidNumber'],
  write: (entry, _domain, members) => {
    const gid = numberIn(entry, 'gidNumber');
    const name = named(entry, texts(entry, 'cn'));
    return gid === undefined || name === undefined ? undefined : { name, gid, members };
  },
  admits: ({ gid }, rules) => rules.wrongGid(String(gid)) === undefined,
};

/** Every one, active or not, by their names. @throws ServiceError `invalid_params`, `invalid_source`, `not_found`, `unavailable` */
export async function listNss(request: NssRequest, view: NssView): Promise<readonly WireMap[]> {
  const { database, domain } = placeOf(request, view);
  const filter = equal('objectClass', database.objectClass);
  const found = await gather(view, { base: domain.base, filter, attributes: wanted(database, domain, view) });
  const membersOf = database === groups ? await memberNames(domain, view) : () => [];
  return written(found, { database, domain, membersOf }, view);
}

/** The one of this name or number; undefined: there is none. @throws ServiceError as {@link listNss} does */
export async function findNss(
  {
    name,
    id,
    ...request
  }: NssRequest & { readonly name?: string | undefined; readonly id?: number | undefined },
  view: NssView,
): Promise<WireMap | undefined> {
  if ((name === undefined) === (id === undefined)) throw wrong('Parameter name or id: one of the two');
  const { database, domain } = placeOf(request, view);
  // A directory takes more spellings for one name than a system does.
  if (name !== undefined && !isAccountName(name, view)) return undefined;
  const asked =
    name === undefined
      ? equal(database.numberAttribute, String(id))
      : or(...database.names(domain).map((attribute) => equal(attribute, name)));
  const filter = and(equal('objectClass', database.objectClass), asked);
  const found = await gather(view, { base: domain.base, filter, attributes: wanted(database, domain, view) });
  const membersOf = database === groups ? await namesOfMembers(found, domain, view) : () => [];
  const [first] = await written(found, { database, domain, membersOf }, view);
  return first;
}

const databases: ReadonlyMap<string, Database> = new Map([
  ['user', users],
  ['group', groups],
]);

/** @throws ServiceError `invalid_params`, `invalid_source`; `not_found` for an unknown domain */
function placeOf(
  { database, domain, source }: NssRequest,
  { domains }: NssView,
): { readonly database: Database; readonly domain: Domain } {
  assertSource(source);
  const found = databases.get(database?.toLowerCase() ?? '');
  if (!found) throw wrong('Parameter database is not user or group');
  return { database: found, domain: domain === undefined ? domains.preset : domains.get(domain) };
}

const wanted = (database: Database, domain: Domain, { config: { schema } }: NssView): readonly string[] => [
  ...new Set([
    ...database.attributes(domain),
    ...(database === groups ? [...schema.member_attributes, ...schema.member_uid_attributes] : []),
  ]),
];

/** Entries between two yields, which take a millisecond or two. */
const atOnce = 100;

/** Writes entries by name, so that the same question has the same answer. */
async function written(
  entries: readonly Entry[],
  {
    database,
    domain,
    membersOf,
  }: { readonly database: Database; readonly domain: Domain; readonly membersOf: MembersOf },
  view: NssView,
): Promise<readonly WireMap[]> {
  const rules = posixRules(view.presets);
  const maps = await mapCooperatively(entries, atOnce, (entry) =>
    database.write(entry, domain, membersOf(entry)),
  );
  return maps
    .filter((map) => map !== undefined)
    .filter((map) => isAccountName(map.name, view) && database.admits(map, rules))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns the name of an entry: of several the one in the DN, else the first in the alphabet. */
function named({ dn }: Entry, names: readonly string[]): string | undefined {
  const inDn = Dn.parse(dn).rdn.map(({ value }) => String(value).toLowerCase());
  const sorted = [...names].sort();
  return sorted.find((name) => inDn.includes(name.toLowerCase())) ?? sorted[0];
}

/** RFC 2307 §2.2: an INTEGER; systems have 32 bits for it. */
function numberIn(entry: Entry, attribute: string): number | undefined {
  const [text = ''] = texts(entry, attribute);
  const number = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return number <= 0xffff_ffff ? number : undefined;
}
