/** The questions that a restricted directory asks about the rights of a caller. */
import type { Dn } from '../../foundation/text/dn.ts';
import type { Entry } from '../../ports/directory/directory.ts';
import type { AffectedGroup, AffectedMembers } from './groups/affected-members.ts';
import type { JoinedGroups } from './groups/joined-groups.ts';
import type { IdentityWrites } from './identity-writes.ts';
import type { PermissionCheck } from './permission-check.ts';
import type { Secrecy } from './permissions.ts';

export interface Restriction {
  readonly check: PermissionCheck;
  /** Attributes that hold passwords. */
  readonly passwords: readonly string[];
  readonly touchedMembers: AffectedMembers;
  readonly joinedGroups: Pick<JoinedGroups, 'ofNew' | 'ofChanges' | 'ofRename'>;
  /** Undefined: the caller may give any login name, and make any account and group of systems. */
  readonly identityWrites: IdentityWrites | undefined;
  readonly isSecret: Secrecy;
  /** Returns whether the entry is an administrator who may do more, or a group of such. */
  isSuperior(place: Dn): Promise<boolean>;
  /** @returns the name as the directory writes it. @throws ServiceError `permission_denied` */
  assertAdministers(dn: Dn): Promise<Dn>;
  /** @throws ServiceError `permission_denied` */
  assertMoves(from: Dn, to: Dn): Promise<void>;
  /** Asserts that the caller administers the members of a group that a change touches. @throws ServiceError `permission_denied` */
  assertTouches(group: Dn, touched: AffectedGroup): Promise<void>;
  /** Asserts that the caller may lead an entry into and out of groups. @throws ServiceError `permission_denied` */
  assertJoins(groups: readonly Entry[]): Promise<void>;
}
