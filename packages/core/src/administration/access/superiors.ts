/**
 * Protects administrators from administrators with fewer rights. A role that could set the password of an administrator with more rights,
 * or make one, would gain those rights, so it is refused. The same holds for groups whose members have them.
 */
import type { Dn } from '../../foundation/text/dn.ts';
import type { OptionSet, Role } from './role.ts';

/** The mandate of an administrator: super administrator, or member of roles. */
export interface Mandate {
  /** The user or group of `super_admins` that makes it a super administrator. */
  readonly voucher: Dn | undefined;
  /** None for super administrators, who need none. */
  readonly roles: readonly Role[];
}

export interface Administrator {
  readonly dn: Dn;
  readonly mandate: Mandate;
  /** Those that hold for it wherever it works. */
  readonly optionSets: readonly OptionSet[];
}

/** Returns whether somebody administers a tenant, who shares the installation. */
export const isTenant = ({ roles }: Mandate): boolean => roles.some(({ row }) => row.tenant === true);

/** @param place of the other entry, as the directory writes it @param mayBeGroup it may have members, who have its rights */
export function isSuperior(
  place: Dn,
  other: Mandate,
  { than, mayBeGroup }: { readonly than: Administrator; readonly mayBeGroup: boolean },
): boolean {
  return (
    hasMoreRights(other, than.mandate) || isLessRestricted(place, than, mayBeGroup || isListed(place, other))
  );
}

function hasMoreRights(other: Mandate, own: Mandate): boolean {
  if (own.voucher) return false;
  const names = new Set(own.roles.map(({ name }) => name));
  return other.voucher !== undefined || other.roles.some(({ name }) => !names.has(name));
}

/** Returns whether an option set restricts this administrator and not the other. Members of a group in its subtree may be anywhere. */
function isLessRestricted(place: Dn, { dn, optionSets }: Administrator, mayBeGroup: boolean): boolean {
  const hasMembers = mayBeGroup && !place.equals(dn);
  return optionSets.some(
    ({ subtree, isEverywhere }) => !place.isWithin(subtree) || (hasMembers && !isEverywhere),
  );
}

/** Returns whether the entry itself is listed, not a group of it. */
function isListed(place: Dn, { voucher, roles }: Mandate): boolean {
  const listed = [...(voucher ? [voucher] : []), ...roles.flatMap(({ members }) => members)];
  return listed.some((name) => name.equals(place));
}
