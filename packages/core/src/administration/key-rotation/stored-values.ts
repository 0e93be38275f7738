/** Re-encrypts sealed values in the store, for key rotation. Each ciphertext is bound to its key in the store. */
import { detailOf, isReason } from '../../foundation/errors/errors.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { SealedCollection, SealedItem } from '../../ports/store/sealed-collection.ts';
import type { Store } from '../../ports/store/store.ts';

interface ValuesView {
  readonly store: Store;
  readonly keys: KeyRing;
}

/** Values that are held at a time: a part of a recording has nearly a megabyte. */
const atOnce = 32;

export const sealedValues = (family: string, view: ValuesView): SealedCollection => ({
  name: `what the store keeps as ${family}`,
  items: async function* () {
    for await (const page of view.store.family(family, atOnce))
      yield page.map(({ key, value }) => sealedValue(key, value, view));
  },
});

function sealedValue(key: string, value: Uint8Array, { store, keys }: ValuesView): SealedItem {
  return {
    keys: [keys.keyIdOf(value)],
    name: async () => key,
    reseal: async () => {
      try {
        const after = keys.reseal(value, key);
        // A node that has written another one meanwhile has the new ring, or is reported; nothing of it is overwritten.
        if (after !== value) await store.swap(key, { before: value, after, seconds: 0 });
        return [];
      } catch (error) {
        if (!isReason(error, 'internal')) throw error;
        return [detailOf(error)];
      }
    },
  };
}
