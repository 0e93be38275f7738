/** `Get_User_Groups`: the direct groups of a user, and the primary group. */
import { isReason } from '../../foundation/errors/errors.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { equal, type Filter } from '../../foundation/text/filter.ts';
import type { Directory, DirectoryServer, Entry } from '../../ports/directory/directory.ts';
import type { Domain } from '../domain.ts';
import { missingContainer, readExisting } from '../entry/entry.ts';
import {
  groupsNamedBy,
  holderFilter,
  memberAttributes,
  primaryAttributes,
  primarySid,
} from '../entry/group.ts';
import type { EntryView } from '../view.ts';

export interface DirectGroupsView extends EntryView {
  readonly server: Pick<DirectoryServer, 'capabilities' | 'service'>;
}

/**
 * Finds the direct groups of a user, each once, as the caller.
 * @throws ServiceError `not_found` if there is no such user or no such base
 */
export async function findGroups(
  dn: Dn,
  { base, groupsBase }: Pick<Domain, 'base' | 'groupsBase'>,
  view: DirectGroupsView,
): Promise<readonly Dn[]> {
  const { schema } = view.config;
  const user = await readExisting(view.directory, dn, memberAttributes(schema));
  if (!(await view.server.service.read(base, ['1.1']))) throw missingContainer(base);
  const { vendor, base: whole } = await view.server.capabilities(base);
  const place = groupsBase ?? whole;
  const filter = holderFilter([user], schema);
  const found = await searchGroups(view.directory, { base: place, filter });
  const primary = vendor === 'active-directory' ? await primaryGroup(dn, place, view) : [];
  const groups = [...groupsNamedBy(user, schema), ...[...found, ...primary].map((one) => Dn.parse(one.dn))];
  return [...new Map(groups.map((group) => [group.key, group])).values()];
}

async function searchGroups(
  directory: Directory,
  { base, filter }: { readonly base: Dn; readonly filter: Filter },
): Promise<readonly Entry[]> {
  try {
    return await directory.search({ base, scope: 'sub', filter, attributes: ['1.1'] });
  } catch (error) {
    throw isReason(error, 'not_found') ? missingContainer(base) : error;
  }
}

/** Finds the primary group on Active Directory as the service, if the caller may read it. */
async function primaryGroup(
  dn: Dn,
  base: Dn,
  { directory, server: { service } }: DirectGroupsView,
): Promise<readonly Entry[]> {
  const user = await service.read(dn, primaryAttributes);
  const sid = user && primarySid(user);
  if (!sid) return [];
  const found = await searchGroups(service, { base, filter: equal('objectSid', sid) });
  const seen = await Promise.all(found.map((group) => isSeen(Dn.parse(group.dn), directory)));
  return found.filter((_, at) => seen[at]);
}

async function isSeen(dn: Dn, directory: Directory): Promise<boolean> {
  try {
    return (await directory.read(dn, ['1.1'])) !== undefined;
  } catch (error) {
    if (isReason(error, 'permission_denied')) return false;
    throw error;
  }
}
