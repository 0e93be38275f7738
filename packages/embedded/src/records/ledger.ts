/** The store and the event log on LMDB, written in one step; and beside them what is about the next seconds only. */
import type { Clock, Leaving, Ledger, Settlement, StateBefore } from '@watchword/core/ports';
import type { Environment } from '../storage/environment.ts';
import type { EmbeddedEventLog } from './event-log.ts';
import { heldIn } from './held.ts';
import { isGone, thisProcess } from './holder.ts';
import { Engine, EnterStep, SettleStep } from './ledger-steps.ts';
import { openTables } from './live-records.ts';
import { mostMomentary } from './momentary.ts';
import { storeOf } from './store.ts';

export interface LedgerEnvironments {
  /** Of the store and the event log. */
  readonly lasting: Environment;
  /** Of what is about the next seconds only. */
  readonly momentary: Environment;
}

/**
 * Opens the store together with the event log, so that both can be written in one step. Closing it leaves the
 * environments open.
 * @param events of the lasting environment
 */
export function openLedger(
  { lasting, momentary }: LedgerEnvironments,
  clock: Clock,
  events: EmbeddedEventLog,
): Ledger {
  const kept = openTables(lasting);
  const shared = openTables(momentary, mostMomentary);
  const engine = new Engine({
    lasting: { environment: lasting, tables: kept },
    momentary: { environment: momentary, tables: shared },
    held: heldIn(momentary, shared.records),
    events,
    clock,
  });
  return {
    ...storeOf(kept, lasting, clock),
    enter: (entering) =>
      new Promise((resolve, reject) => {
        engine.make(new EnterStep(engine, entering, { resolve, reject }));
      }),
    settle: <T>(
      keys: readonly string[],
      decide: (found: StateBefore) => Settlement<T>,
      leaving?: Leaving<T>,
    ) =>
      new Promise<T>((resolve, reject) => {
        lasting.writeTogether(new SettleStep(engine, { keys, decide, leaving }, { resolve, reject }));
      }),
    ...{ holder: thisProcess, isGone },
  };
}
