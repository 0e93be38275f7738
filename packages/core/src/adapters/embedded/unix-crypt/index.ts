/**
 * The password hashes of crypt(3), see crypt(5), that no native library offers. They are for hashes that arrive
 * from elsewhere; new ones are never made. bcrypt is not among them.
 */
import { bsdiCrypt, desCrypt } from './des-crypt.ts';
import { md5Crypt, shaCrypt } from './digest-crypt.ts';
import { scryptCrypt } from './scrypt-crypt.ts';
import { yescryptCrypt } from './yescrypt/index.ts';

type Crypt = (password: string, stored: string) => Promise<string | undefined>;

/** Schemes by what their hashes begin with. */
const schemes: readonly (readonly [prefix: string, crypt: Crypt])[] = [
  ['$y$', yescryptCrypt],
  ['$6$', shaCrypt],
  ['$5$', shaCrypt],
  ['$7$', scryptCrypt],
  ['$1$', md5Crypt],
  ['_', bsdiCrypt],
  ['', desCrypt],
];

/**
 * The hash of a password with the salt and costs of `stored`; undefined if it is of no scheme known here, is
 * malformed or asks for too much. All give way to the event loop, or are computed beside it.
 * @throws ServiceError `internal` if no thread can be started.
 */
export async function unixCrypt(password: string, stored: string): Promise<string | undefined> {
  // C ends a text at a NUL: nobody can have set such a password, and to DES it would look like a shorter one.
  if (password.includes('\0')) return undefined;
  const [, crypt] = schemes.find(([prefix]) => stored.startsWith(prefix)) ?? [];
  return crypt?.(password, stored);
}
