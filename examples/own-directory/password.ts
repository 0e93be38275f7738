/** Passwords as the file has them: `salt$hash`, by scrypt. */
import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { isSameSecret } from '@watchword/core/foundation';

const derive = promisify<string, string, number, Buffer>(scrypt);

export async function hashPassword(password: string, salt = randomBytes(16).toString('hex')) {
  return `${salt}$${(await derive(password, salt, 32)).toString('hex')}`;
}

/** Takes as long where there is no password to compare with. */
export async function isPassword(password: string, stored = '$'): Promise<boolean> {
  const [salt = ''] = stored.split('$');
  return isSameSecret(await hashPassword(password, salt), stored);
}
