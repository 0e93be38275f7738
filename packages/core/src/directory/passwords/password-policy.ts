/** What the embedded directory asks of a new password in clear: a length, and that it is not common (NIST SP 800-63B-4 §3.1.1.2). */
import type { PasswordPolicy } from '../../../directory/directory.ts';
import { ServiceError } from '../../../errors/errors.ts';

/** Of an installation whose configuration says nothing. */
export const usualPolicy: PasswordPolicy = { minLength: 8, refusesCommon: true };

/** @throws ServiceError `password_refused`, which names the rule */
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

/** In upper and lower case. The list is read when a password is judged for the first time: few processes ever do. */
async function isCommon(password: string): Promise<boolean> {
  const { commonPasswords } = await import('./common-passwords.ts');
  return commonPasswords.has(password.normalize('NFC').toLowerCase());
}
