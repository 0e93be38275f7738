/** Super administrators: the users of `super_admins`, and the members of its groups (specification §5.1 rule 3). */
import type { Core } from '../core.ts';
import { isReason } from '../errors.ts';
import { Dn } from './dn.ts';
import { equal, or } from './filter.ts';

/**
 * The user or group of `super_admins` that makes this one a super administrator; undefined: it is none.
 * @param first asked first, because it was the answer the last time
 * @throws ServiceError `unavailable`
 */
export async function findVoucher(core: Core, administrator: Dn, first?: Dn): Promise<Dn | undefined> {
  const listed = core.config.super_admins.map((dn) => Dn.parse(dn));
  const own = listed.find((dn) => dn.equals(administrator));
  if (own) return own;
  const others = listed.filter((dn) => !first?.equals(dn));
  for (const group of first ? [first, ...others] : others) {
    if (await isMember(core, group, administrator)) return group;
  }
  return undefined;
}

/**
 * By the group's own member list, read by the service: the administrator may not be allowed to see it. The
 * name goes there as we write it: as the caller wrote it, the directory might read another name than we did.
 */
async function isMember({ config, directory }: Core, group: Dn, administrator: Dn): Promise<boolean> {
  const filter = or(
    ...config.schema.member_attributes.map((attribute) => equal(attribute, administrator.format())),
  );
  try {
    const found = await directory.service.search({ base: group, scope: 'base', filter, attributes: ['1.1'] });
    return found.length > 0;
  } catch (error) {
    if (isReason(error, 'not_found')) return false;
    throw error;
  }
}
