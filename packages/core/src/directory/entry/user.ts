/** Users: search by login name, admission to a domain, counts (docs/concepts/dialects-and-names.md#user). */

import type { Schema } from '../../config/config.ts';
import { isReason, ServiceError } from '../../foundation/errors/errors.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { and, equal, type Filter, hasAnyClass, not } from '../../foundation/text/filter.ts';
import { attributeType } from '../../foundation/text/value.ts';
import type { Capabilities, Directory, Entry, SearchRequest } from '../../ports/directory/directory.ts';
import type { Domain, Domains } from '../domain.ts';
import type { Memberships } from '../groups/memberships.ts';
import type { EntryView } from '../view.ts';
import { isUser, kindAttributes, missingContainer, readExisting, texts, trustAccount } from './entry.ts';
import { memberAttributes } from './group.ts';

export interface Login {
  readonly username: string;
  /** The whole text, where that may be a login name, too, see {@link splitLogin}. */
  readonly whole?: string | undefined;
  readonly domain: Domain;
  readonly schema: Schema;
  /** The groups of the domain's rules, read by the service. */
  readonly memberships: Pick<Memberships, 'among' | 'read' | 'believe'>;
  /** Whether the service searches, which can read the base of each domain; else an administrator. */
  readonly isService?: boolean;
  /** The domain as the caller wrote it, for the error. */
  readonly spelling?: string;
}

/**
 * Finds a user of a domain by one of its login names. Two entries with one login name are ambiguous, and no user.
 * @throws ServiceError `not_found`: `User not found <domain>\<username>`
 */
export async function findUser(directory: Directory, login: Login): Promise<Dn> {
  const { dn } = await readUser(directory, login, []);
  return Dn.parse(dn);
}

/** Finds a user as {@link findUser} does, and reads attributes. */
export async function readUser(
  directory: Directory,
  login: Login,
  attributes: readonly string[],
): Promise<Entry> {
  const found = await lookUp(directory, login, attributes);
  if (typeof found !== 'string') return found;
  throw unknownUser(login, found === 'several' ? ' (several entries have this login name)' : undefined);
}

/** Finds a user as {@link readUser} does, without an error for an unknown one. */
export async function lookUp(
  directory: Directory,
  login: Login,
  attributes: readonly string[],
): Promise<Found> {
  if (login.username === '') return 'none';
  const search = { login, filter: nameFilter(login), attributes: withKind(attributes), limit: 1 };
  const byName = await searchSome(directory, search);
  let found: Found = oneOf(byName);
  if (found === 'several' || (found !== 'none' && !isUser(found, login.schema)))
    found = await searchUsers(directory, search);
  if (found === 'several' && login.whole !== undefined)
    found = await searchPrincipal(directory, login, attributes);
  if (typeof found === 'string' || admitsAll(login.domain)) return found;
  const isMember = memberAttributes(login.schema).every((name) => attributes.includes(name));
  const isIn = isMember ? isMemberAdmitted(found, login) : isAdmitted(Dn.parse(found.dn), login);
  return (await isIn) ? found : 'none';
}

const withKind = (attributes: readonly string[]): readonly string[] =>
  attributes.includes('objectClass') ? attributes : [...attributes, ...kindAttributes];

/** The result of a lookup; `none` and `several` are both no user. */
type Found = Entry | 'none' | 'several';

const oneOf = (found: readonly Entry[] | 'several'): Found =>
  found === 'several' || found.length > 1 ? 'several' : (found[0] ?? 'none');

/** Searches for the users among the entries of a name. */
async function searchUsers(directory: Directory, { login, filter, attributes }: UserSearch): Promise<Found> {
  const users = and(hasAnyClass(login.schema.user_classes), filter);
  const found = await searchSome(directory, { login, filter: users, attributes, limit: mostAlike });
  return found === 'several' ? found : oneOf(found.filter((entry) => isUser(entry, login.schema)));
}

/**
 * Resolves a name that is the account `jane` of one entry and the login name `jane@example.com` of another. The entry with that
 * `userPrincipalName` is found: Active Directory prefers it, and users do not write it themselves. Otherwise the name is ambiguous, and
 * no user is found.
 */
async function searchPrincipal(
  directory: Directory,
  { whole: username = '', ...login }: Login,
  attributes: readonly string[],
): Promise<Found> {
  const loginAttributes = login.domain.loginAttributes.filter(
    (name) => attributeType(name) === principalName,
  );
  if (loginAttributes.length === 0) return 'several';
  const domain = { ...login.domain, loginAttributes };
  const found = await lookUp(directory, { ...login, username, domain }, attributes);
  return found === 'none' ? 'several' : found;
}

const principalName = 'userprincipalname';

/**
 * Searches by name alone first, because a filter with classes makes some directories read all users. Only ambiguous names are searched in
 * full.
 */
function nameFilter({ username, whole, domain }: Login): Filter {
  const names: Filter[] = [];
  for (const attribute of domain.loginAttributes) {
    names.push(equal(attribute, username));
    if (whole !== undefined) names.push(equal(attribute, whole));
  }
  return { kind: 'or', filters: names };
}

/** Entries of the classes of users that have one login name: more of them are several users. */
const mostAlike = 20;

interface UserSearch extends Required<Pick<SearchRequest, 'filter' | 'attributes' | 'limit'>> {
  readonly login: Login;
}

/**
 * Searches below the base of a domain.
 * @returns `several` where more entries match than the limit allows
 * @throws ServiceError `unavailable` where the service cannot read the base: a user of an empty directory is not unknown
 */
const searchSome = (
  directory: Directory,
  { login: { domain, isService = false }, ...search }: UserSearch,
): Promise<readonly Entry[] | 'several'> =>
  directory.search({ base: domain.base, scope: 'sub', ...search }).catch((error: unknown) => {
    if (isReason(error, 'too_large')) return 'several';
    if (!isReason(error, 'not_found')) throw error;
    if (!isService) return [];
    const detail = `there is no ${domain.base}, the base of the domain ${domain.name}, in the directory, or the service may not read it`;
    throw new ServiceError('unavailable', { detail, cause: error });
  });

/** A login name and what it says of its domain. */
export interface SplitLogin {
  /** Undefined for a name without a domain. */
  readonly domain: Domain | undefined;
  readonly name: string;
  /** `name@domain` as written: an address or a `userPrincipalName` may be a login name. */
  readonly whole?: string | undefined;
}

/**
 * Splits `Domain\user` and `user@Domain` where a domain has that name or alias; else backslash and at sign are part of the name.
 */
export function splitLogin(username: string, domains: Domains): SplitLogin {
  const backslash = username.indexOf('\\');
  const before = backslash < 0 ? undefined : domains.find(username.slice(0, backslash));
  if (before) return { domain: before, name: username.slice(backslash + 1) };
  const at = username.lastIndexOf('@');
  const behind = at < 1 ? undefined : domains.find(username.slice(at + 1));
  return behind
    ? { domain: behind, name: username.slice(0, at), whole: username }
    : { domain: undefined, name: username };
}

/** Returns the login names that {@link splitLogin} takes for one in a domain: `jane`, and `jane@` with each name of the domain. */
export function spellingsOf(name: string, { name: domain, aliases }: Domain): readonly string[] {
  const endings = [domain, ...aliases].map((one) => `@${one}`);
  const ending = endings.find((one) => name.toLowerCase().endsWith(one.toLowerCase()));
  const short = ending === undefined ? name : name.slice(0, -ending.length);
  return [...new Set([name, ...(short === '' ? [] : [short, ...endings.map((one) => short + one)])])];
}

/**
 * Returns a decoy for an unknown user: its password is tried and its failures are counted as for a user, so that callers see no difference.
 */
export function decoyUser(base: Dn, username: string): Dn {
  return base.child([{ type: 'uid', value: `${username.slice(0, 64)} does not exist` }]);
}

function unknownUser({ domain, spelling, username }: Login, particulars = ''): ServiceError {
  return new ServiceError('not_found', {
    detail: `User not found ${spelling ?? domain.name}\\${username}${particulars}`,
  });
}

/** Returns whether the domain's allowed and excluded groups admit a user; a deleted user is not admitted. */
export async function isAdmitted(dn: Dn, login: Admission): Promise<boolean> {
  if (admitsAll(login.domain)) return true;
  const entry = await login.memberships.read(dn);
  return entry !== undefined && isLetIn(entry, login);
}

/** Returns {@link isAdmitted} for a login, with groups cached for a second. @param entry read with {@link memberAttributes} */
export async function isMemberAdmitted(entry: Entry, login: Admission): Promise<boolean> {
  if (admitsAll(login.domain)) return true;
  login.memberships.believe(entry);
  return isLetIn(entry, login);
}

type Admission = Pick<Login, 'domain' | 'memberships'>;

const admitsAll = ({ allowedGroups, excludedGroups }: Domain): boolean =>
  allowedGroups.length === 0 && excludedGroups.length === 0;

async function isLetIn(
  entry: Entry,
  { domain: { allowedGroups, excludedGroups }, memberships }: Admission,
): Promise<boolean> {
  if ((await memberships.among(entry, excludedGroups)).length > 0) return false;
  return allowedGroups.length === 0 || (await memberships.among(entry, allowedGroups)).length > 0;
}

/** Returns all login names of an entry, in the order of the attributes, each once. */
export async function loginNames(
  directory: Directory,
  dn: Dn,
  attributes: readonly string[],
): Promise<readonly string[]> {
  const entry = await readExisting(directory, dn, attributes);
  return [...new Set(attributes.flatMap((attribute) => texts(entry, attribute)))];
}

/**
 * Counts users below a base; `active` counts only those with the account class, where the directory has it.
 * @throws ServiceError `not_found` if there is no such base
 */
export async function countUsers(
  view: EntryView,
  { base, active }: { base: Dn; active: boolean },
): Promise<number> {
  const schema = view.config.schema;
  const { accountSchema, vendor } = await view.server.capabilities(base);
  const filter = active && accountSchema ? activeFilter(schema, vendor) : userFilter(schema, vendor);
  try {
    return (await view.directory.search({ base, scope: 'sub', filter, attributes: ['1.1'] })).length;
  } catch (error) {
    throw isReason(error, 'not_found') ? missingContainer(base) : error;
  }
}

/** Counts the users of all domains, each once. @throws ServiceError `not_found` */
export async function countActivated(
  view: EntryView & { readonly domains: Pick<Domains, 'bases'> },
): Promise<number> {
  let total = 0;
  for (const base of view.domains.bases) total += await countUsers(view, { base, active: true });
  return total;
}

/** Returns the filter of users with the account class. */
export const activeFilter = (schema: Schema, vendor: Capabilities['vendor']): Filter =>
  and(userFilter(schema, vendor), equal('objectClass', schema.account_class));

/**
 * Returns the filter of {@link isUser}. Computers are excluded on Active Directory only: for an unknown class neither the filter nor its
 * negation is true (RFC 4511 §4.5.1.7), and no user would be found. So managed service accounts are excluded by their superclass `computer`.
 */
export function userFilter(
  { user_classes }: Pick<Schema, 'user_classes'>,
  vendor: Capabilities['vendor'],
): Filter {
  const users = hasAnyClass(user_classes);
  if (vendor !== 'active-directory') return users;
  return and(users, not(equal('objectClass', 'computer')), not(equal('sAMAccountType', trustAccount)));
}
