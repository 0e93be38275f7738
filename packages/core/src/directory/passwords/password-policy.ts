/** The rules of the embedded directory for a new password in clear: a length, and that it is not common (NIST SP 800-63B-4 §3.1.1.2). */
import { ServiceError } from '../../errors/errors.ts';
import type { PasswordPolicy } from '../directory.ts';

/** The policy of an installation whose configuration has none. */
export const usualPolicy: PasswordPolicy = { minLength: 8, refusesCommon: true };

/** Checks a new password in clear against a policy. @throws ServiceError `password_refused`, which names the rule */
export async function assertTakes(
  { minLength, refusesCommon }: PasswordPolicy,
  password: string,
): Promise<void> {
  const characters = [...password.normalize('NFC')].length;
  if (characters < minLength)
    throw refused(`the password has ${characters} characters, and at least ${minLength} are needed`);
  if (refusesCommon && (await isCommon(password)))
    throw refused('the password is one of the most common ones; choose another one');
}

const refused = (detail: string): ServiceError => new ServiceError('password_refused', { detail });

/** Returns whether a password is common in upper or lower case. The list is loaded on first use: few processes judge a password. */
async function isCommon(password: string): Promise<boolean> {
  const { commonPasswords } = await import('./common-passwords.ts');
  return commonPasswords.has(password.normalize('NFC').toLowerCase());
}
