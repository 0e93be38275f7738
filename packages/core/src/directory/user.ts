/** Users: found by a login name, activated, counted, and the groups they belong to. */
import type { ServiceConfig } from '../config.ts';
import { isReason, ServiceError } from '../errors.ts';
import type { Directory, Entry } from './directory.ts';
import { Dn } from './dn.ts';
import type { Domain } from './domain.ts';
import { missingObject } from './explain.ts';
import { and, equal, type Filter, or } from './filter.ts';

type Roles = ServiceConfig['schema'];

/** The values of one attribute that are text. */
export function texts(entry: Entry, attribute: string): readonly string[] {
  return (entry.attributes.get(attribute.toLowerCase()) ?? []).filter((value) => typeof value === 'string');
}

/** @throws ServiceError `not_found`: `LDAP object '<dn>' does not exist`. */
export async function readExisting(
  directory: Directory,
  dn: Dn,
  attributes?: readonly string[],
): Promise<Entry> {
  const entry = await directory.read(dn, attributes);
  if (!entry) throw missingObject(dn);
  return entry;
}

/** An entry has one of these classes; names are compared without regard to case. */
export function hasClass(entry: Entry, classes: readonly string[]): boolean {
  const has = new Set(texts(entry, 'objectclass').map((name) => name.toLowerCase()));
  return classes.some((name) => has.has(name.toLowerCase()));
}

const anyClass = (classes: readonly string[]): Filter =>
  or(...classes.map((name) => equal('objectClass', name)));

/** Entries that are users, not groups. */
export const userFilter = (roles: Roles): Filter => anyClass(roles.user_classes);

/**
 * Finds a user of a domain by one of its login names. Two entries with the same login name are no user:
 * who of them meant to log in cannot be told.
 * @throws ServiceError `not_found`: `User not found <domain>\<username>`.
 */
export async function findUser(
  directory: Directory,
  { username, domain, roles }: { username: string; domain: Domain; roles: Roles },
): Promise<Dn> {
  const logins = or(...domain.loginAttributes.map((attribute) => equal(attribute, username)));
  const filter = and(userFilter(roles), logins);
  const entry = username === '' ? undefined : await searchOne(directory, domain, { username, filter });
  if (!entry) throw unknownUser(domain, username);
  const dn = Dn.parse(entry.dn);
  if (!(await isAdmitted(directory, dn, { domain, roles }))) throw unknownUser(domain, username);
  return dn;
}

async function searchOne(
  directory: Directory,
  domain: Domain,
  { username, filter }: { username: string; filter: Filter },
): Promise<Entry | undefined> {
  try {
    const found = await directory.search({
      base: domain.base,
      scope: 'sub',
      filter,
      attributes: ['1.1'],
      limit: 1,
    });
    return found[0];
  } catch (error) {
    if (isReason(error, 'too_large'))
      throw unknownUser(domain, username, ' (several entries have this login name)');
    if (isReason(error, 'not_found')) return undefined; // the base itself is missing: it holds no users
    throw error;
  }
}

function unknownUser(domain: Domain, username: string, particulars = ''): ServiceError {
  return new ServiceError('not_found', {
    detail: `User not found ${domain.name}\\${username}${particulars}`,
  });
}

/** The domain's allowed and excluded groups let this user in. */
async function isAdmitted(
  directory: Directory,
  dn: Dn,
  { domain, roles }: { domain: Domain; roles: Roles },
): Promise<boolean> {
  const { allowedGroups, excludedGroups } = domain;
  if (allowedGroups.length === 0 && excludedGroups.length === 0) return true;
  const groups = await findGroups(directory, dn, { base: domain.base, roles });
  const isIn = (wanted: readonly Dn[]) => wanted.some((group) => groups.some((other) => other.equals(group)));
  return !isIn(excludedGroups) && (allowedGroups.length === 0 || isIn(allowedGroups));
}

/**
 * The groups of a user, each once: by `memberOf` of the user, by `member` or `uniqueMember` and `memberUid`
 * of groups below `base`, and the posix group that is the user's first (manager.md §3, Get_User_Groups).
 * @throws ServiceError `not_found` if there is no such user.
 */
export async function findGroups(
  directory: Directory,
  dn: Dn,
  { base, roles }: { base: Dn; roles: Roles },
): Promise<readonly Dn[]> {
  const user = await readExisting(directory, dn, [...roles.member_of_attributes, 'uid', 'gidNumber']);
  const own = roles.member_of_attributes.flatMap((attribute) => texts(user, attribute));
  const found = await directory.search({
    base,
    scope: 'sub',
    filter: and(anyClass(roles.group_classes), membership(user, roles)),
    attributes: ['1.1'],
  });
  const groups = new Map<string, Dn>();
  for (const text of [...own, ...found.map((entry) => entry.dn)]) {
    const group = Dn.tryParse(text);
    if (group && !groups.has(group.key)) groups.set(group.key, group);
  }
  return [...groups.values()];
}

function membership(user: Entry, roles: Roles): Filter {
  return or(
    ...roles.member_attributes.map((attribute) => equal(attribute, user.dn)),
    ...roles.member_uid_attributes.flatMap((attribute) =>
      texts(user, 'uid').map((uid) => equal(attribute, uid)),
    ),
    ...texts(user, 'gidNumber').map((gid) =>
      and(equal('objectClass', 'posixGroup'), equal('gidNumber', gid)),
    ),
  );
}

/** Every login name of an entry, in the order of the login attributes. */
export async function loginNames(directory: Directory, dn: Dn, roles: Roles): Promise<readonly string[]> {
  const entry = await readExisting(directory, dn, roles.login_attributes);
  return [...new Set(roles.login_attributes.flatMap((attribute) => texts(entry, attribute)))];
}

/** Counts users below a base; `active` counts only those with the account class. */
export async function countUsers(
  directory: Directory,
  { base, roles, active }: { base: Dn; roles: Roles; active: boolean },
): Promise<number> {
  const filter = active
    ? and(userFilter(roles), equal('objectClass', roles.account_class))
    : userFilter(roles);
  return (await directory.search({ base, scope: 'sub', filter, attributes: ['1.1'] })).length;
}
