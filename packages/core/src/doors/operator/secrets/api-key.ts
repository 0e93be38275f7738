/** Makes an API key for a calling system: `watchword-ws --make-api-key`. */
import { newSecret } from '../../../administration/policy/api-keys/key-form.ts';
import type { Random } from '../../../ports/random.ts';

/**
 * Makes an API key: the text for the operator with the key, which is stored nowhere, and the lines of the configuration that admit it.
 * @param taken the ids of existing keys
 */
export function newApiKey(taken: readonly string[], random: Random): string {
  const id = Math.max(0, ...taken.map(Number)) + 1;
  const { secret, sha256 } = newSecret(random);
  return `The key, for the header X-API-Key of the calling system. It is shown only now:

${id}_${secret}

In the configuration of the server:

api_keys:
  "${id}":
    sha256: ${sha256}`;
}
