/** A new API key for a calling system: `watchword-ws --make-api-key`. */
import { digestOf } from '../../../administration/policy/callers.ts';
import type { Random } from '../../../ports/random.ts';

/**
 * What an operator is told: the key, which is kept nowhere, and the lines of the configuration that let it in.
 * @param taken the ids of the keys that there are
 */
export function newApiKey(taken: readonly string[], random: Random): string {
  const id = Math.max(0, ...taken.map(Number)) + 1;
  const secret = Buffer.from(random.bytes(20)).toString('hex');
  return `The key, for the header X-API-Key of the calling system. It is shown only now:

${id}_${secret}

In the configuration of the server:

api_keys:
  "${id}":
    sha256: ${digestOf(secret).toString('hex')}`;
}
