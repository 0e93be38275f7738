/** The fixture of an engine's test for the contract suite. */

import type { Dn } from '../../../foundation/text/dn.ts';
import type { Attributes } from '../../../foundation/text/value.ts';
import type { DirectoryServer } from '../../../ports/directory/directory.ts';

export interface Account {
  readonly dn: Dn;
  readonly password: string;
}

export interface DirectoryFixture {
  readonly server: DirectoryServer;
  /** An entry below which the suite may make containers. */
  readonly base: Dn;
  /** May read and write everything below `base`. */
  readonly admin: Account;
  /** May read everything below `base` and write nothing. */
  readonly reader: Account;
  /**
   * Puts an entry where a directory that is {@link DirectoryTraits.readOnly} reads it, as its operator does, and has the server see
   * it. Values of the RDN may be missing, and `createtimestamp` always is. A password in clear is one to log in with.
   */
  seed?(dn: Dn, attributes: Attributes): Promise<void>;
  /** Closes the server with all that runs for it. */
  dispose(): Promise<void>;
}

/** Differences of engines by nature. */
export interface DirectoryTraits {
  /**
   * The engine claims reading and login only: it refuses every write with `permission_denied`, to everybody. The fixture has `seed`,
   * and the tests that write are replaced by one of each refusal.
   */
  readonly readOnly: boolean;
  /** A value `{SSHA}…` of `userpassword` is stored as it is and can log in. Active Directory: no. */
  readonly hashedPasswords: boolean;
  /** Extensible matches by named rules such as `caseExactMatch`. Active Directory: no. */
  readonly matchingRules: boolean;
  /** `(&)` and `(|)`, RFC 4526. */
  readonly absoluteFilters: boolean;
  /** `inetOrgPerson` requires `sn`, as in RFC 4519. Active Directory: no. */
  readonly surnameRequired: boolean;
  /** A class of groups with `member`: `groupOfNames`, or `group`. */
  readonly groupClass: string;
  /** Attributes that an account needs to be able to log in; Active Directory: `userAccountControl`. */
  readonly account: Readonly<Record<string, readonly string[]>>;
  /** `setPassword(…, {mustChange: true})` shows at the next login. */
  readonly mustChange: boolean;
  /** A password that the policy refuses, if there is a policy. */
  readonly refusedPassword?: string;
  /** The number of wrong passwords that lock an account, if any. */
  readonly lockAfter?: number;
}
