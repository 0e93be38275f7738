/**
 * Everything that the key ring has sealed, sealed anew under its first key, while servers run. It keeps no state of
 * its own: what is under the first key is left alone, so a run that was cut short is taken up by running it again.
 */
import { detailOf, ServiceError } from '../../foundation/errors/errors.ts';
import type { SealedHolder, SealedPlace } from '../../ports/store/sealed-place.ts';

export interface RekeyTask {
  /** The id of the first key. */
  readonly first: string;
  /** Told after each page: how many values were looked at until then. */
  readonly onProgress: (values: number) => void;
  /** Told of each value that stays as it is: who holds it, and why. */
  readonly onFault: (holder: string, why: string) => void;
}

/** How many values are written side by side: they share a flush to disk, or a connection. */
const atOnce = 32;

/** @throws ServiceError if a place cannot be gone through */
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
