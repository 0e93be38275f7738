/**
 * The secret of an installation's keyed digests. It is in the store, sealed by the key ring: key rotation changes no digest, and a copy of
 * the store alone does not allow to try values.
 */

import { StartError } from '../../../foundation/errors/start-error.ts';
import type { KeyRing } from '../../../ports/keys.ts';
import type { Random } from '../../../ports/random.ts';
import type { Store } from '../../../ports/store/store.ts';

/** The family of sealed secrets in the store. */
export const secretFamily = 'secret';
const key = `${secretFamily}:digest`;
/** A hundred years: as long as the store. */
const seconds = 100 * 365 * 86_400;

/** The ring with the secret of the installation, which is made where there is none. @throws StartError */
export async function withInstallationSecret(
  ring: KeyRing,
  { store, random }: { readonly store: Store; readonly random: Random },
): Promise<KeyRing> {
  const sealed = (await store.get(key)) ?? (await makeSecret(ring, { store, random }));
  try {
    return ring.withDigestSecret(ring.open(sealed, key));
  } catch (cause) {
    throw new StartError(
      'What the data folder keeps cannot be opened with the keys of keys_file; put the key back that was there, or restore both from one backup.',
      { cause },
    );
  }
}

/** Makes the secret. When several processes start at once, all take the first one's. */
async function makeSecret(
  ring: KeyRing,
  { store, random }: { readonly store: Store; readonly random: Random },
): Promise<Uint8Array> {
  const made = ring.seal(random.bytes(32), key);
  await store.swap(key, { before: undefined, after: made, seconds });
  return (await store.get(key)) ?? made;
}
