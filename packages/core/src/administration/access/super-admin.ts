/** Checks for methods of super administrators only, which concern all users or the rights themselves. */
import type { EffectiveRights } from './effective-rights.ts';
import { denied } from './permission-check.ts';

/** @param todo what the caller wanted, for the error. @throws ServiceError `permission_denied` */
export function assertSuperAdmin(
  { rights }: { readonly rights: Pick<EffectiveRights, 'isSuperAdmin'> },
  todo: string,
): void {
  if (!rights.isSuperAdmin) throw denied(`only super administrators may ${todo}`);
}
