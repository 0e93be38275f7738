/**
 * Key rotation: reseals all values under the first key while servers run. It has no state: values under the first key are skipped, so an
 * interrupted run is continued by another run.
 */
import { detailOf, ServiceError } from '../../foundation/errors/errors.ts';
import type { SealedHolder, SealedPlace } from '../../ports/store/sealed-place.ts';

export interface RekeyTask {
  /** The id of the first key. */
  readonly first: string;
  /** Called after each page with the number of values so far. */
  readonly onProgress: (values: number) => void;
  /** Called for each value that cannot be resealed, with its holder and the reason. */
  readonly onFault: (holder: string, why: string) => void;
}

/** Concurrent writes, which share a flush to disk or a connection. */
const atOnce = 32;

/** Reseals all places. @throws ServiceError if a place cannot be read */
export async function rekey(places: readonly SealedPlace[], task: RekeyTask): Promise<void> {
  let values = 0;
  for (const place of places) {
    for await (const page of place.holders()) {
      const due = page.filter(({ keys }) => keys.some((key) => key !== task.first));
      for (let from = 0; from < due.length; from += atOnce)
        await Promise.all(due.slice(from, from + atOnce).map((holder) => resealOne(holder, task)));
      values += page.reduce((sum, { keys }) => sum + keys.length, 0);
      task.onProgress(values);
    }
  }
}

async function resealOne(holder: SealedHolder, { onFault }: RekeyTask): Promise<void> {
  try {
    const faults = await holder.reseal();
    if (faults.length === 0) return;
    const name = await holder.name();
    for (const fault of faults) onFault(name, fault);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    onFault(await holder.name(), detailOf(error));
  }
}
