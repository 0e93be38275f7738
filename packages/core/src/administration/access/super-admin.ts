/** Checks for methods of super administrators only, which concern all users or the rights themselves. */
import type { Reach } from './reach.ts';
import { denied } from './rights.ts';

/** @param todo what the caller wanted, for the error. @throws ServiceError `permission_denied` */
export function assertSuperAdmin(
  { reach }: { readonly reach: Pick<Reach, 'isSuperAdmin'> },
  todo: string,
): void {
  if (!reach.isSuperAdmin) throw denied(`only super administrators may ${todo}`);
}
