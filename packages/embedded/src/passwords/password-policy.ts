/** The policy for new passwords in clear: a length, and neither a common password nor a simple pattern (NIST SP 800-63B-4 §3.1.1.2). */

import { ServiceError } from '@watchword/core/foundation';
import type { EnforcedPasswordPolicy, PasswordPolicy } from '@watchword/core/ports';

/** The policy of an installation whose configuration has none. */
export const usualPolicy: PasswordPolicy = { minLength: 8, refusesCommon: true };

/** Returns a policy with its judgment. */
export const enforcedPolicy = (policy: PasswordPolicy): EnforcedPasswordPolicy => ({
  ...policy,
  assertTakes: (password) => assertTakes(policy, password),
});

/** Checks a new password in clear against a policy. @throws ServiceError `password_refused`, which names the rule */
export async function assertTakes(
  { minLength, refusesCommon }: PasswordPolicy,
  password: string,
): Promise<void> {
  const characters = [...password.normalize('NFC')].length;
  if (characters < minLength)
    throw refused(`the password has ${characters} characters, and at least ${minLength} are needed`);
  if (!refusesCommon) return;
  const plain = password.normalize('NFKC').toLowerCase();
  if (await isCommon(plain)) throw refused('the password is one of the most common ones; choose another one');
  if (isPattern([...plain]))
    throw refused('the password repeats a few characters or counts them up or down; choose another one');
}

const refused = (detail: string): ServiceError => new ServiceError('password_refused', { detail });

/** The longest unit in characters whose repetitions are refused: `1212`, `abcdabcd`. */
const longestUnit = 4;

/** Returns whether a password repeats a short unit, or has equal steps between its characters: `12345678`, `hgfedcba`. */
function isPattern(characters: readonly string[]): boolean {
  for (let unit = 1; unit <= longestUnit && unit * 2 <= characters.length; unit += 1)
    if (characters.every((character, index) => character === characters[index % unit])) return true;
  const codes = characters.map((character) => character.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  return steps.length > 1 && steps.every((step) => step === steps[0]);
}

/** Returns whether a password in lower case is common. The list is loaded on first use: few processes judge a password. */
async function isCommon(password: string): Promise<boolean> {
  const { commonPasswords } = await import('./common-passwords.ts');
  return commonPasswords.has(password);
}
