/** The members of posix groups by the names of their accounts: `memberUid` names them, `member` their entries. */

import type { Settings } from '../../../directory/data/layers.ts';
import type { Domain } from '../../../directory/domain.ts';
import { hasClass, texts } from '../../../directory/entry/entry.ts';
import { posixRules } from '../../../directory/posix.ts';
import type { DomainView } from '../../../directory/view.ts';
import { isReason } from '../../../foundation/errors/errors.ts';
import { mapCooperatively } from '../../../foundation/runtime/cooperative.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { and, equal, type Filter, or } from '../../../foundation/text/filter.ts';
import { nameOf } from '../../../login/account.ts';
import type { Directory, DirectoryServer, Entry } from '../../../ports/directory/directory.ts';

export interface NssView extends Pick<DomainView, 'config' | 'domains'> {
  readonly presets: Settings;
  readonly server: Pick<DirectoryServer, 'pages' | 'service'>;
}

/** RFC 2307 §3. */
export const posixUser = 'posixAccount';

export type MembersOf = (group: Entry) => readonly string[];

/** Collects all entries of a search; a missing base has none. */
export async function gather(
  { server }: NssView,
  request: { readonly base: Dn; readonly filter: Filter; readonly attributes: readonly string[] },
): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  try {
    for await (const page of server.pages(request)) found.push(...page);
  } catch (error) {
    if (!isReason(error, 'not_found')) throw error;
  }
  return found;
}

/** Reads all users of the domain once, in the order of the directory. */
export async function memberNames(domain: Domain, view: NssView): Promise<MembersOf> {
  const users = await searchUsers(equal('objectClass', posixUser), domain, view);
  const named = await mapCooperatively(users, 100, (user) => namedUser(user, domain));
  return membersBy(named, view);
}

/** The same for few groups, whose members are read one by one. */
export async function namesOfMembers(
  found: readonly Entry[],
  domain: Domain,
  view: NssView,
): Promise<MembersOf> {
  const users: NamedUser[] = [];
  for (const dn of found.flatMap((group) => memberDns(group, view))) {
    const user = await readPosixUser(dn, domain, view.server.service);
    if (user) users.push(namedUser(user, domain));
  }
  const numbers = found.flatMap((group) => texts(group, 'gidNumber'));
  if (numbers.length > 0) {
    const isPrimary = or(...numbers.map((number) => equal('gidNumber', number)));
    const primary = await searchUsers(and(equal('objectClass', posixUser), isPrimary), domain, view);
    users.push(...primary.map((user) => namedUser(user, domain)));
  }
  return membersBy(users, view);
}

interface NamedUser {
  readonly key: string;
  readonly name: string;
  /** The number of the primary group. */
  readonly numbers: readonly string[];
}

const namedUser = (user: Entry, domain: Domain): NamedUser => ({
  key: Dn.parse(user.dn).key,
  name: userName(user, domain),
  numbers: texts(user, 'gidNumber'),
});

/** Searches users in the order of the directory; a missing base has none. */
async function searchUsers(filter: Filter, domain: Domain, { server }: NssView): Promise<readonly Entry[]> {
  const attributes = [...domain.loginAttributes, 'gidNumber'];
  try {
    return await server.service.search({ base: domain.base, scope: 'sub', filter, attributes });
  } catch (error) {
    if (isReason(error, 'not_found')) return [];
    throw error;
  }
}

/** Those that the group names by name, then by DN, then those whose primary group it is: each once, as the directory has them. */
function membersBy(users: readonly NamedUser[], view: NssView): MembersOf {
  const byKey = new Map(users.map(({ key, name }) => [key, name]));
  const byNumber = new Map<string, string[]>();
  for (const { name, numbers } of users)
    for (const number of numbers) {
      const names = byNumber.get(number);
      if (names) names.push(name);
      else byNumber.set(number, [name]);
    }
  return (group) => {
    const byName = view.config.schema.member_uid_attributes.flatMap((attribute) => texts(group, attribute));
    const byDn = memberDns(group, view).map((dn) => byKey.get(dn.key));
    const primary = texts(group, 'gidNumber').flatMap((number) => byNumber.get(number) ?? []);
    const names = [...byName, ...byDn.filter((name) => name !== undefined), ...primary];
    return [...new Set(names)].filter((name) => isAccountName(name, view));
  };
}

/** Returns whether the name of an account or a group may be answered to a system. */
export const isAccountName = (name: string, { presets }: Pick<NssView, 'presets'>): boolean =>
  posixRules(presets).wrongName(name) === undefined;

const memberDns = (group: Entry, { config: { schema } }: NssView): readonly Dn[] =>
  schema.member_attributes
    .flatMap((attribute) => texts(group, attribute))
    .map((text) => Dn.tryParse(text))
    .filter((dn) => dn !== undefined);

async function readPosixUser(dn: Dn, domain: Domain, service: Directory): Promise<Entry | undefined> {
  const user = await service.read(dn, ['objectClass', ...domain.loginAttributes]);
  return user && hasClass(user, [posixUser]) ? user : undefined;
}

export const userName = (entry: Entry, domain: Domain): string =>
  nameOf({ entry, domain, dn: Dn.parse(entry.dn) }).username;
