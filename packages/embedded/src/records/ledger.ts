/** The ledger on LMDB: the store and the event log, which one step writes, and the ephemeral values. */
import type { Clock, Ledger } from '@watchword/core/ports';
import type { Environment } from '../storage/environment.ts';
import { maxEphemeralRecords } from './ephemeral.ts';
import type { EmbeddedEventLog } from './event-log.ts';
import { hasEnded, thisProcess } from './holder.ts';
import { AdmitChange, CommitChange, LedgerEngine } from './ledger-steps.ts';
import { storeOf } from './store.ts';
import { openTables } from './timed-records.ts';

export interface LedgerEnvironments {
  /** The environment of the store and the event log. */
  readonly lasting: Environment;
  /** The environment of ephemeral values. */
  readonly ephemeral: Environment;
}

/**
 * Opens the ledger. Closing it leaves the environments open.
 * @param environments the environment of the store and the event log, and that of ephemeral values
 * @param clock the clock of the ends of values
 * @param events the event log of the durable environment
 * @returns the ledger
 * @see docs/concepts/stores-and-nodes.md#ledger
 * @example
 * ```ts
 * import { openEnvironment, openEventLog, openLedger, openEphemeral } from '@watchword/embedded';
 * import { systemClock } from '@watchword/node';
 *
 * const [lasting, ephemeral] = [await openEnvironment('./data'), await openEphemeral('./data', 'this-boot')];
 * const ledger = openLedger({ lasting, ephemeral }, systemClock, await openEventLog(lasting));
 * const now = await ledger.admit({ durable: [], ephemeral: [], decide: (state) => ({ result: state.now }) });
 * console.log(now > 0); // true
 * await Promise.all([lasting.close(), ephemeral.close()]);
 * ```
 */
export function openLedger(
  { lasting, ephemeral }: LedgerEnvironments,
  clock: Clock,
  events: EmbeddedEventLog,
): Ledger {
  const kept = openTables(lasting);
  const engine = new LedgerEngine({
    durable: { environment: lasting, tables: kept },
    ephemeral: { environment: ephemeral, tables: openTables(ephemeral, maxEphemeralRecords) },
    events,
    clock,
  });
  return {
    ...storeOf(kept, lasting, clock),
    admit: (step) =>
      new Promise((resolve, reject) => {
        ephemeral.writeGrouped(new AdmitChange(engine, step, { resolve, reject }));
      }),
    commit: (step) =>
      new Promise((resolve, reject) => {
        lasting.writeGrouped(new CommitChange(engine, step, { resolve, reject }));
      }),
    ...{ holder: thisProcess, hasEnded },
  };
}
