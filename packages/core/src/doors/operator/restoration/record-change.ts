/** Changes to an entry record of which only the identifier of the entry is known, in a restore. */

import { changedValues, type DataChanges, type StoredData, storedIn } from '../../../directory/data/data.ts';
import { decodeKept, encodeKept } from '../../../directory/entry/kept-attributes.ts';
import type { ProfileContext } from '../../../directory/view.ts';
import type { EntryRecords } from '../../../ports/store/entry-records.ts';

export interface KeptRecord {
  /** The identifier of the entry. */
  readonly entry: string;
  /** The record as it was found. */
  readonly text: string;
  readonly view: ProfileContext & { readonly entryRecords: EntryRecords };
  /** False: it is only looked at. */
  readonly writes: boolean;
}

/** @param planOf what becomes of the data, by what they were; asked again where somebody was faster */
export async function changeRecord(
  { entry, text, view, writes }: KeptRecord,
  planOf: (stored: StoredData) => Promise<(now: StoredData) => DataChanges>,
): Promise<void> {
  const attribute = view.config.schema.data_attribute.toLowerCase();
  const place = { view, entry, dn: undefined };
  for (let before: string | undefined = text; before !== undefined; ) {
    const kept = decodeKept(before);
    const values = kept.get(attribute) ?? [];
    const plan = await planOf(storedIn(values, place));
    const after = changedValues(values, plan, place);
    if (after === values || !writes) return;
    const changed = encodeKept(new Map([...kept, [attribute, after]]));
    if (await view.entryRecords.swap(entry, { before, after: changed })) return;
    [before] = (await view.entryRecords.read([entry])).values();
  }
}
