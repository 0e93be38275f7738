/** What only super administrators do: what concerns everybody, or who administers what. */
import type { Call } from '../table/method.ts';
import { denied } from './rights.ts';

/** @param todo what the caller wanted, for the error. @throws ServiceError `permission_denied` */
export function assertSuperAdmin({ reach }: Pick<Call, 'reach'>, todo: string): void {
  if (!reach.isSuperAdmin) throw denied(`only super administrators may ${todo}`);
}
