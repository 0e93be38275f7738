/**
 * Key rotation: seals all values under the first key of the ring while servers run. It keeps no state of its own: values under the first
 * key are left alone, so an interrupted run is continued by another.
 */
import { detailOf, ServiceError } from '../../foundation/errors/errors.ts';
import type { SealedCollection, SealedItem } from '../../ports/store/sealed-collection.ts';

export interface RekeyTask {
  /** The id of the first key. */
  readonly first: string;
  /** Reports the number of values so far, after each page. */
  readonly onProgress: (values: number) => void;
  /** Reports each value that stays as it is: its holder, and the reason. */
  readonly onFault: (item: string, why: string) => void;
}

/** Values written at a time: they share a flush to disk, or a connection. */
const atOnce = 32;

/** @throws ServiceError if a place cannot be gone through */
export async function rekey(places: readonly SealedCollection[], task: RekeyTask): Promise<void> {
  let values = 0;
  for (const place of places) {
    for await (const page of place.items()) {
      const due = page.filter(({ keys }) => keys.some((key) => key !== task.first));
      for (let from = 0; from < due.length; from += atOnce)
        await Promise.all(due.slice(from, from + atOnce).map((item) => resealOne(item, task)));
      values += page.reduce((sum, { keys }) => sum + keys.length, 0);
      task.onProgress(values);
    }
  }
}

async function resealOne(item: SealedItem, { onFault }: RekeyTask): Promise<void> {
  try {
    const faults = await item.reseal();
    if (faults.length === 0) return;
    const name = await item.name();
    for (const fault of faults) onFault(name, fault);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    onFault(await item.name(), detailOf(error));
  }
}
