/** The store and the event log on LMDB, written in one step. */
import { ServiceError } from '../../../errors/errors.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Ledger, Settlement, StateBefore } from '../../../ports/ledger.ts';
import type { Environment } from '../storage/environment.ts';
import type { EmbeddedEventLog } from './event-log.ts';
import { storeOf } from './store.ts';
import { claim, highest, type LiveRecord, live, openTables, put, type Tables } from './values.ts';

/**
 * Opens the store together with the event log, so that both can be written in one step. Closing it leaves the
 * environment open.
 * @param events of the same environment
 */
export function openLedger(environment: Environment, clock: Clock, events: EmbeddedEventLog): Ledger {
  const tables = openTables(environment);
  return {
    ...storeOf(tables, environment, clock),
    settle: async (keys, decide) => {
      const made = await environment.writeTogether(() =>
        settle(tables, { keys, decide, events, now: clock.now() }),
      );
      if ('error' in made) throw made.error;
      return made.result;
    },
  };
}

interface Settling<T> {
  readonly keys: readonly string[];
  readonly decide: (found: StateBefore) => Settlement<T>;
  readonly events: EmbeddedEventLog;
  readonly now: number;
}

/** Whatever `decide` throws is this caller's alone: others are written in the same transaction. */
function settle<T>(
  tables: Tables,
  { keys, decide, events, now }: Settling<T>,
): { readonly result: T } | { readonly error: unknown } {
  const assertNamed = (key: string): void => {
    if (keys.includes(key)) return;
    throw new ServiceError('internal', { detail: `${key} is none of the keys that the step names` });
  };
  const look = (key: string): LiveRecord | undefined => {
    assertNamed(key);
    return live(tables, key, now);
  };
  let settlement: Settlement<T>;
  try {
    settlement = decide({ value: (key) => look(key)?.value, claimed: (key) => highest(look(key)) });
    for (const key of [...(settlement.values?.keys() ?? [])]) assertNamed(key);
    for (const { key } of settlement.claims ?? []) assertNamed(key);
  } catch (error) {
    return { error };
  }
  const { result, values = [], claims = [], events: added = [] } = settlement;
  for (const [key, kept] of values) put(tables, key, { kept, now });
  for (const { key, ...one } of claims) claim(tables, key, { ...one, now });
  for (const event of added) events.add(event);
  return { result };
}
