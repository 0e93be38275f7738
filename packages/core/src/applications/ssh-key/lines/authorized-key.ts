/** The line of `authorized_keys` that a user logs in by (sshd(8), AUTHORIZED_KEYS FILE FORMAT). */
import type { AccountName } from '../../../login/request.ts';
import { type PublicKey, sshLine } from '../public-key.ts';
import { type Restrictions, restrictionOptions } from './restrictions.ts';

/** Neither ends the quotes of an option nor the line: sshd has no way to write a backslash before a quote. */
const isPlain = (text: string): boolean => /^[^\p{Cc}\\"]+$/u.test(text);

export interface KeyLine {
  /** The name of this service in the installation. */
  readonly service: string;
  readonly name: AccountName;
  /** `NAME=value`, checked. */
  readonly variables: readonly string[];
  readonly restrictions: Restrictions;
}

/** Undefined: the name of the user or a restriction cannot be written there, or SSH has no such key. */
export function authorizedKey(
  { spki, application }: Pick<PublicKey, 'spki' | 'application'>,
  { service, name: { username, domain }, variables, restrictions }: KeyLine,
): string | undefined {
  const line = sshLine(spki, application);
  const restricted = restrictionOptions(restrictions);
  if (!line || !restricted || !isPlain(username) || !isPlain(domain)) return undefined;
  const word = service.toUpperCase();
  const environment = [`${word}_USERNAME=${username}`, `${word}_DOMAIN=${domain}`, ...variables];
  const options = [...environment.map((pair) => `environment="${pair}"`), ...restricted].join(',');
  return `${options} ${line} ${username}@${domain}`;
}
