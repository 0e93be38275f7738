import { type Clock, OtherVersion, type Patience, versionIn, versionKey } from '@watchword/core/ports';
import type { Environment } from '../storage/environment.ts';
import { RecordStep } from './record-step.ts';
import { openTables } from './timed-records.ts';

/** Opens the scope of requests. A database on this machine answers at once, so that there is no time limit. */
export function openPatience(environment: Environment, clock: Clock): Patience {
  const tables = openTables(environment, Number.POSITIVE_INFINITY);
  const inForce = (): string =>
    versionIn(new RecordStep(tables, clock.now(), [versionKey]).live(versionKey)?.value);
  return {
    during: (work, version) => {
      if (version === undefined) return work();
      const present = inForce();
      return present === version ? work() : Promise.reject(new OtherVersion(present));
    },
    apart: (work) => work(),
  };
}
