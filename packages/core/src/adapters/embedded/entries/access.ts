/**
 * Who may do what: the service everything; writers (users, or members of groups) everything; everybody else
 * reads all but passwords. Asked at every operation, so a right that was taken away is gone at once.
 */
import { ServiceError } from '../../../errors/errors.ts';
import type { Dn } from '../../../text/dn.ts';
import { isPasswordAttribute } from '../../../text/value.ts';
import type { Snapshot } from '../storage/snapshot.ts';
import type { MayRead } from './entry-view.ts';

export interface Access {
  /** DN of the identity that is bound. */
  readonly identity: Dn;
  /** True for the service's own view, whose identity need not be an entry. */
  readonly trusted: boolean;
  /** Users and groups whose members may write, as the service has them by now. */
  readonly writers: readonly Dn[];
}

export function mayWrite(snapshot: Snapshot, { identity, trusted, writers }: Access): boolean {
  if (trusted) return true;
  if (snapshot.find(identity) === undefined) return false;
  if (writers.some((writer) => writer.equals(identity))) return true;
  const groups = snapshot.groupsOf(identity.key);
  return writers.some((writer) => groups.has(snapshot.find(writer) ?? 0));
}

/** @throws ServiceError `permission_denied` */
export function assertMayWrite(snapshot: Snapshot, access: Access): void {
  if (!mayWrite(snapshot, access)) throw new ServiceError('permission_denied');
}

export function readableBy(snapshot: Snapshot, access: Access): MayRead {
  return mayWrite(snapshot, access) ? () => true : (key) => !isPasswordAttribute(key);
}
