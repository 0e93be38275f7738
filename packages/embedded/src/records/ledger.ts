/** The store and the event log on LMDB, written in one step; and beside them the ephemeral values. */
import type { Clock, Ledger } from '@watchword/core/ports';
import type { Environment } from '../storage/environment.ts';
import type { EmbeddedEventLog } from './event-log.ts';
import { hasEnded, thisProcess } from './holder.ts';
import { Admitting, Committing, Engine } from './ledger-steps.ts';
import { openTables } from './live-records.ts';
import { mostMomentary } from './momentary.ts';
import { storeOf } from './store.ts';

export interface LedgerEnvironments {
  /** The environment of the store and the event log. */
  readonly lasting: Environment;
  /** The environment of ephemeral values. */
  readonly momentary: Environment;
}

/**
 * Opens the store together with the event log, so that both can be written in one step. Closing it leaves the
 * environments open.
 * @param events the event log of the lasting environment
 */
export function openLedger(
  { lasting, momentary }: LedgerEnvironments,
  clock: Clock,
  events: EmbeddedEventLog,
): Ledger {
  const kept = openTables(lasting);
  const engine = new Engine({
    durable: { environment: lasting, tables: kept },
    ephemeral: { environment: momentary, tables: openTables(momentary, mostMomentary) },
    events,
    clock,
  });
  return {
    ...storeOf(kept, lasting, clock),
    admit: (step) =>
      new Promise((resolve, reject) => {
        momentary.writeTogether(new Admitting(engine, step, { resolve, reject }));
      }),
    commit: (step) =>
      new Promise((resolve, reject) => {
        lasting.writeTogether(new Committing(engine, step, { resolve, reject }));
      }),
    ...{ holder: thisProcess, hasEnded },
  };
}
