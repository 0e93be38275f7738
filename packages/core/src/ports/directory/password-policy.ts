/** Policies of new passwords, as far as a directory publishes them. */

/** Rules for a new clear password. */
export interface PasswordPolicy {
  /** Characters. */
  readonly minLength: number;
  /** Whether common passwords are refused. */
  readonly refusesCommon: boolean;
}

/** A policy that its directory enforces. */
export interface EnforcedPasswordPolicy extends PasswordPolicy {
  /** Checks a new clear password. @throws ServiceError `password_refused`, which names the rule */
  assertTakes(password: string): Promise<void>;
}
