/**
 * Finds secrets of users that no key of the ring decrypts: they came with an LDIF or a directory of another installation, and their owners
 * would be refused. It samples a few entries, and reads only the id of the key.
 */
import type { KeyRing } from '../../../ports/keys.ts';
import type { SealedCollection } from '../../../ports/store/sealed-collection.ts';

export interface Foreign {
  /** Text for people, without a full stop. */
  readonly text: string;
  /** None of those that were looked at can be opened. */
  readonly isAll: boolean;
}

/** Entries that are looked at in each place. */
const mostLooked = 1000;

/** @throws ServiceError if a place cannot be read */
export async function foreignSecrets(
  places: readonly SealedCollection[],
  { keys, file }: { readonly keys: KeyRing; readonly file: string },
): Promise<Foreign | undefined> {
  const ring = new Set<string | undefined>(keys.ids);
  const named = (await Promise.all(places.map(someKeys))).flat();
  const foreign = named.filter((key) => !ring.has(key));
  if (foreign.length === 0) return undefined;
  const ids = [...new Set(foreign.map((id) => id ?? 'damaged'))].join(' and ');
  const count = `${foreign.length} of ${named.length} stored secrets that were looked at`;
  return {
    text: `${count} are encrypted with a key that is not in ${file} (${ids}), so nobody can log in with them; put the line of that key, from the key file of the installation that they come from, below the first one`,
    isAll: foreign.length === named.length,
  };
}

async function someKeys(place: SealedCollection): Promise<readonly (string | undefined)[]> {
  const found: (string | undefined)[] = [];
  let looked = 0;
  for await (const page of place.items()) {
    for (const { keys } of page) found.push(...keys);
    looked += page.length;
    if (looked >= mostLooked) break;
  }
  return found;
}
