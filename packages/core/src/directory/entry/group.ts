/**
 * Groups, and who is in them (manager.md §3, Get_User_Groups): by `memberOf` of the user, by `member` or
 * `uniqueMember` and `memberUid` of the group, and the posix group that is the user's first.
 */
import type { Schema } from '../../config/config.ts';
import { isReason } from '../../errors/errors.ts';
import { Dn } from '../../text/dn.ts';
import { and, equal, type Filter, hasAnyClass, or } from '../../text/filter.ts';
import type { Directory, Entry, Scope } from '../directory.ts';
import { missingContainer, readExisting, texts } from './entry.ts';

/**
 * The groups of a user, each once: those below `base`, and wherever they stand those of its `memberOf`.
 * @throws ServiceError `not_found` if there is no such user or no such base
 */
export async function findGroups(
  directory: Directory,
  dn: Dn,
  { base, schema }: { base: Dn; schema: Schema },
): Promise<readonly Dn[]> {
  const user = await readMember(directory, dn, schema);
  const found = await groupsHolding(directory, user, { base, scope: 'sub', schema });
  if (!found) throw missingContainer(base);
  const groups = [...groupsNamedBy(user, schema), ...found.map((entry) => Dn.parse(entry.dn))];
  return [...new Map(groups.map((group) => [group.key, group])).values()];
}

/** What a user has to be read with, so that its groups can be found. */
export const memberAttributes = ({ member_of_attributes }: Schema): readonly string[] => [
  ...member_of_attributes,
  'uid',
  'gidNumber',
];

/**
 * The groups of a user with some of their attributes: all that {@link findGroups} finds and that can be read.
 * @param user read with {@link memberAttributes}
 */
export async function readGroups(
  directory: Directory,
  user: Entry,
  { base, schema, attributes }: { base: Dn | undefined; schema: Schema; attributes: readonly string[] },
): Promise<readonly Entry[]> {
  const found = base
    ? ((await groupsHolding(directory, user, { base, scope: 'sub', schema, attributes })) ?? [])
    : [];
  const known = new Set(found.map((entry) => Dn.parse(entry.dn).key));
  const elsewhere = groupsNamedBy(user, schema).filter(({ key }) => !known.has(key));
  const read = await Promise.all(elsewhere.map((group) => directory.read(group, attributes)));
  return [...found, ...read.filter((entry) => entry !== undefined)];
}

/**
 * The user is in one of these groups, wherever in the directory they stand. A group that does not exist has
 * nobody in it. @throws ServiceError `not_found` if there is no such user
 */
export async function isInAnyGroup(
  directory: Directory,
  dn: Dn,
  { groups, schema }: { groups: readonly Dn[]; schema: Schema },
): Promise<boolean> {
  if (groups.length === 0) return false;
  const user = await readMember(directory, dn, schema);
  const named = new Set(groupsNamedBy(user, schema).map(({ key }) => key));
  if (groups.some(({ key }) => named.has(key))) return true;
  for (const group of groups) {
    const found = await groupsHolding(directory, user, { base: group, scope: 'base', schema });
    if (found && found.length > 0) return true;
  }
  return false;
}

/** A user with all that its groups can be found by. */
function readMember(directory: Directory, dn: Dn, schema: Schema): Promise<Entry> {
  return readExisting(directory, dn, memberAttributes(schema));
}

/** The user is in groups by its own `memberOf`: they may stand anywhere, and be of any class. */
export const namesGroups = (user: Entry, { member_of_attributes }: Schema): boolean =>
  member_of_attributes.some((attribute) => texts(user, attribute).length > 0);

/** By `memberOf`. */
function groupsNamedBy(user: Entry, { member_of_attributes }: Schema): readonly Dn[] {
  const names = member_of_attributes.flatMap((attribute) => texts(user, attribute));
  return names.map((name) => Dn.tryParse(name)).filter((group) => group !== undefined);
}

/** By what the groups say; undefined if there is no such base. */
async function groupsHolding(
  directory: Directory,
  user: Entry,
  search: { base: Dn; scope: Scope; schema: Schema; attributes?: readonly string[] },
): Promise<readonly Entry[] | undefined> {
  const { base, scope, schema, attributes = ['1.1'] } = search;
  const filter = and(hasAnyClass(schema.group_classes), membership(user, schema));
  try {
    return await directory.search({ base, scope, filter, attributes });
  } catch (error) {
    if (isReason(error, 'not_found')) return undefined;
    throw error;
  }
}

function membership(user: Entry, { member_attributes, member_uid_attributes }: Schema): Filter {
  return or(
    ...member_attributes.map((attribute) => equal(attribute, user.dn)),
    ...member_uid_attributes.flatMap((attribute) => texts(user, 'uid').map((uid) => equal(attribute, uid))),
    ...texts(user, 'gidNumber').map((gid) =>
      and(equal('objectClass', 'posixGroup'), equal('gidNumber', gid)),
    ),
  );
}
