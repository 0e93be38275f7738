/** The facts about the roles of an installation on which effective rights depend. */
import type { Dn } from '../../foundation/text/dn.ts';
import type { Entry } from '../../ports/directory/directory.ts';
import type { MemberNames } from './groups/members.ts';
import type { Mandate } from './superiors.ts';

/** The facts about other administrators, and about the directory as the service sees it. */
export interface RoleFacts {
  mandate(dn: Dn): Promise<Mandate | undefined>;
  isLeaf(dn: Dn): Promise<boolean>;
  /** @returns the name as the directory writes it */
  place(dn: Dn): Promise<Dn>;
  /** @returns the members that are named, and those of the groups among them */
  membersOf(names: MemberNames): Promise<readonly Dn[]>;
  /** @returns keys of all names that may be an administrator's */
  administrators(): Promise<ReadonlySet<string>>;
  /** @returns the groups in which an entry counts */
  groupsOf(entry: Entry): Promise<readonly Entry[]>;
  /** A group decides for its members. */
  decides(group: Entry): boolean;
  mayBeGroup(dn: Dn): Promise<boolean>;
}
