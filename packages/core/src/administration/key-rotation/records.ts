/** Re-encrypts sealed data in entry records, of metadata mode and of deactivated entries, for key rotation. */

import { keysOfData, resealData } from '../../directory/data/sealed-data.ts';
import { decodeKept, encodeKept } from '../../directory/entry/kept-attributes.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import { equal } from '../../foundation/text/filter.ts';
import { attributeType } from '../../foundation/text/value.ts';
import type { EntryRecords } from '../../ports/store/entry-records.ts';
import type { SealedCollection, SealedItem } from '../../ports/store/sealed-collection.ts';
import type { EntriesView } from './entries.ts';

export interface RecordsView extends EntriesView {
  readonly records: EntryRecords;
  /** The bases of the entries to which the records belong. */
  readonly bases: readonly Dn[];
}

export const sealedRecords = (view: RecordsView): SealedCollection => ({
  name: 'records of entries in the data folder',
  items: async function* () {
    for await (const page of view.records.all())
      yield Array.from(page, ([entry, text]) => sealedRecord(entry, text, view)).filter(
        ({ keys }) => keys.length > 0,
      );
  },
});

const dataIn = (text: string | undefined, attribute: string): readonly string[] =>
  decodeKept(text).get(attributeType(attribute)) ?? [];

function sealedRecord(entry: string, found: string, view: RecordsView): SealedItem {
  const { records, attribute, keys } = view;
  return {
    keys: keysOfData(dataIn(found, attribute), keys),
    name: () => nameOf(entry, view),
    reseal: async () => {
      for (let left = tries; left > 0; left -= 1) {
        const before = (await records.read([entry])).get(entry);
        const { values, faults } = resealData(dataIn(before, attribute), { ...view, entry });
        const after = encodeKept(new Map([...decodeKept(before), [attributeType(attribute), values]]));
        if (after === before || (await records.swap(entry, { before, after }))) return faults;
      }
      throw new ServiceError('unavailable', { detail: 'it is being changed by others; try again' });
    },
  };
}

/** Each try that fails means that another one has succeeded; this many in a row is no accident. */
const tries = 200;

/** The DN, where the entry is found; else what it is known by. */
async function nameOf(id: string, { directory, bases }: RecordsView): Promise<string> {
  for (const base of bases) {
    const { identifier } = await directory.capabilities(base);
    const value = identifier === 'objectguid' ? Buffer.from(id, 'hex') : id;
    const search = {
      base,
      scope: 'sub',
      filter: equal(identifier, value),
      attributes: [],
      limit: 1,
    } as const;
    const [found] = await directory.service.search(search).catch(() => []);
    if (found) return found.dn;
  }
  return `the record of the entry ${id}, which is in no directory any more`;
}
