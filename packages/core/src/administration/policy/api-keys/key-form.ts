/** The form of API keys: a decimal id, an underscore and 40 hexadecimal digits, of which the configuration has the SHA-256. */
import { createHash } from 'node:crypto';
import type { Random } from '../../../ports/random.ts';

/** Makes the 40 digits of a new key, and their digest for the configuration. */
export function newSecret(random: Random): { readonly secret: string; readonly sha256: string } {
  const secret = Buffer.from(random.bytes(20)).toString('hex');
  return { secret, sha256: digestOf(secret).toString('hex') };
}

/** Returns the SHA-256 over the text of the 40 digits. */
export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret, 'latin1').digest();
