/** The members of posix groups by the names of their accounts: `memberUid` names them, `member` their entries. */
import { mapInStints } from '../../concurrency/stints.ts';
import type { Settings } from '../../directory/data/layers.ts';
import type { Directory, DirectoryServer, Entry } from '../../directory/directory.ts';
import type { Domain } from '../../directory/domain.ts';
import { hasClass, texts } from '../../directory/entry/entry.ts';
import { posixRules } from '../../directory/posix.ts';
import type { DomainView } from '../../directory/view.ts';
import { isReason } from '../../errors/errors.ts';
import { nameOf } from '../../login/account/account-name.ts';
import { Dn } from '../../text/dn.ts';
import { equal, type Filter } from '../../text/filter.ts';

export interface NssView extends Pick<DomainView, 'config' | 'domains'> {
  readonly presets: Settings;
  readonly server: Pick<DirectoryServer, 'pages' | 'service'>;
}

/** RFC 2307 §3. */
export const posixUser = 'posixAccount';

export type MembersOf = (group: Entry) => readonly string[];

/** All that a search finds; a base that is missing holds nothing. */
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

/** All users of the domain are gone through once, where any group has members by their DNs. */
export async function memberNames(
  found: readonly Entry[],
  domain: Domain,
  view: NssView,
): Promise<MembersOf> {
  const isByDn = found.some((group) => memberDns(group, view).length > 0);
  const request = {
    base: domain.base,
    filter: equal('objectClass', posixUser),
    attributes: domain.loginAttributes,
  };
  const all = isByDn ? await gather(view, request) : [];
  const named = await mapInStints(
    all,
    100,
    (user) => [Dn.parse(user.dn).key, userName(user, domain)] as const,
  );
  return membersBy(new Map(named), view);
}

/** The same for few groups, whose members are read one by one. */
export async function namesOfMembers(
  found: readonly Entry[],
  domain: Domain,
  view: NssView,
): Promise<MembersOf> {
  const names = new Map<string, string>();
  for (const dn of found.flatMap((group) => memberDns(group, view))) {
    const user = await readPosixUser(dn, domain, view.server.service);
    if (user) names.set(dn.key, userName(user, domain));
  }
  return membersBy(names, view);
}

const membersBy =
  (users: ReadonlyMap<string, string>, view: NssView): MembersOf =>
  (group) => {
    const byDn = memberDns(group, view).map((dn) => users.get(dn.key));
    const byName = view.config.schema.member_uid_attributes.flatMap((attribute) => texts(group, attribute));
    const names = [...byName, ...byDn.filter((name) => name !== undefined)];
    return [...new Set(names)].filter((name) => isAccountName(name, view)).sort();
  };

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
