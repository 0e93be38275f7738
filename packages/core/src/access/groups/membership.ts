/** Members, as `super_admins` and roles name them: a user by itself, or by a group that it is a member of. */
import type { Soon } from '../../concurrency/soon.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { DirectoryServer } from '../../directory/directory.ts';
import { isReason } from '../../errors/errors.ts';
import type { Dn } from '../../text/dn.ts';
import { equal, or } from '../../text/filter.ts';

interface MembershipView {
  readonly config: Pick<ServiceConfig, 'schema'>;
  readonly directory: DirectoryServer;
}

/**
 * The first of these users and groups that an entry is, or is a member of; undefined: none.
 * @throws ServiceError `unavailable`
 */
export function findMembership(dn: Dn, listed: readonly Dn[], view: MembershipView): Soon<Dn | undefined> {
  return listed.find((name) => name.equals(dn)) ?? findGroup(dn, listed, view);
}

async function findGroup(dn: Dn, listed: readonly Dn[], view: MembershipView): Promise<Dn | undefined> {
  const are = await Promise.all(listed.map((group) => isMember(dn, group, view)));
  return listed.find((_, index) => are[index]);
}

/**
 * By the group's own member list, read by the service: the administrator may not be allowed to see it. The
 * name goes there as we write it: as the caller wrote it, the directory might read another name than we did.
 */
async function isMember(dn: Dn, group: Dn, { config, directory }: MembershipView): Promise<boolean> {
  const filter = or(...config.schema.member_attributes.map((attribute) => equal(attribute, dn.format())));
  try {
    const found = await directory.service.search({ base: group, scope: 'base', filter, attributes: ['1.1'] });
    return found.length > 0;
  } catch (error) {
    if (isReason(error, 'not_found')) return false;
    throw error;
  }
}
