/** Re-encrypts sealed data on the entries of the directories, for key rotation. */

import { keysOfData, resealData } from '../../directory/data/sealed-data.ts';
import { swapValues } from '../../directory/data/swap.ts';
import { idOf, texts } from '../../directory/entry/entry.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { present } from '../../foundation/text/filter.ts';
import type { DirectoryServer, Entry } from '../../ports/directory/directory.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { SealedCollection, SealedItem } from '../../ports/store/sealed-collection.ts';
import type { Names } from '../../table/dialect.ts';

export interface EntriesView {
  readonly directory: DirectoryServer;
  readonly keys: KeyRing;
  readonly names: Names;
  /** The attribute that holds the data. */
  readonly attribute: string;
}

/** Entries below a base, in metadata mode none: there the data are kept in records. */
export const sealedEntries = (base: Dn, view: EntriesView): SealedCollection => ({
  name: `entries below ${base}`,
  items: async function* () {
    const { directory, attribute } = view;
    const { accountSchema, identifier } = await directory.capabilities(base);
    if (!accountSchema) return;
    const filter = present(attribute);
    for await (const page of directory.pages({ base, filter, attributes: [attribute, identifier] }))
      yield page.map((entry) => sealedEntry(entry, identifier, view)).filter(({ keys }) => keys.length > 0);
  },
});

function sealedEntry(entry: Entry, identifier: string, view: EntriesView): SealedItem {
  const { directory, attribute, keys, names } = view;
  const dn = Dn.parse(entry.dn);
  return {
    keys: keysOfData(texts(entry, attribute), keys),
    name: async () => entry.dn,
    reseal: async () => {
      const data = { keys, names, entry: idOf(entry, { dn, identifier }) };
      let faults: readonly string[] = [];
      const next = (values: readonly string[]): readonly string[] => {
        const anew = resealData(values, data);
        faults = anew.faults;
        return anew.values;
      };
      await swapValues(directory.service, { dn, attribute }, { next, isSound: () => true });
      return faults;
    },
  };
}
