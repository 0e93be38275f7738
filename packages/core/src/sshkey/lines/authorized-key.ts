/** The line of `authorized_keys` that a user logs in by (sshd(8), AUTHORIZED_KEYS FILE FORMAT; webservices.md §5). */
import type { AccountName } from '../../login/login-request.ts';
import { sshLine } from '../public-key.ts';

/** Neither ends the quotes of an option nor the line: sshd has no way to write a backslash before a quote. */
const isPlain = (text: string): boolean => /^[^\p{Cc}\\"]+$/u.test(text);

/**
 * Undefined: the name of the user cannot be written there, or SSH has no such key.
 * @param spki the public key, DER
 * @param variables `NAME=value`, checked
 */
export function authorizedKey(
  spki: Uint8Array,
  { username, domain }: AccountName,
  variables: readonly string[],
): string | undefined {
  const key = sshLine(spki);
  if (!key || !isPlain(username) || !isPlain(domain)) return undefined;
  const environment = [`SSHKEY_USERNAME=${username}`, `SSHKEY_DOMAIN=${domain}`, ...variables];
  const options = environment.map((pair) => `environment="${pair}"`).join(',');
  return `${options} ${key} ${username}@${domain}`;
}
