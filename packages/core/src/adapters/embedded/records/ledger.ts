/** The store and the event log on LMDB, written in one step; and beside them what is about the next seconds only. */
import { ServiceError } from '../../../errors/errors.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Leaving, Ledger, MomentaryChanges, Settlement, StateBefore } from '../../../ports/ledger.ts';
import type { Environment } from '../storage/environment.ts';
import type { EmbeddedEventLog } from './event-log.ts';
import { isGone, thisProcess } from './holder.ts';
import { mostMomentary } from './momentary.ts';
import { storeOf } from './store.ts';
import { highest, type LiveRecord, openTables, Step, type Tables } from './values.ts';

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
  const tables = openTables(lasting);
  const seconds = openTables(momentary, mostMomentary);
  const change = <T>(
    keys: readonly string[],
    decide: (found: StateBefore) => MomentaryChanges<T>,
    { resolve, reject }: Asker<T>,
  ) =>
    momentary.writeTogether(() => make({ tables: seconds, events, now: clock.now() }, keys, decide), {
      written: (made) => ('error' in made ? reject(made.error) : resolve(made.result)),
      refused: reject,
    });
  const leave = <T>(leaving: Leaving<T>, result: T, asker: Asker<T>) => {
    try {
      leaving.made(result);
    } catch (error) {
      asker.reject(error);
      return;
    }
    change(leaving.keys, (found) => leaving.change(found, result), asker);
  };
  return {
    ...storeOf(tables, lasting, clock),
    enter: ({ lasting: looked, momentary: changed, decide }) =>
      new Promise((resolve, reject) => {
        const decideOn = (found: StateBefore) => {
          lasting.assertOpen();
          // What another process has settled by now is to be seen, too.
          lasting.refresh();
          return decide({ lasting: stateOf(new Step(tables, clock.now()), looked), momentary: found });
        };
        change(changed, decideOn, { resolve, reject });
      }),
    settle: (keys, decide, leaving) =>
      new Promise((resolve, reject) => {
        lasting.writeTogether(() => make({ tables, events, now: clock.now() }, keys, decide), {
          written: (made) => {
            if ('error' in made) reject(made.error);
            else if (leaving) leave(leaving, made.result, { resolve, reject });
            else resolve(made.result);
          },
          refused: reject,
        });
      }),
    ...{ holder: thisProcess, isGone },
  };
}

/** Who waits for a step. */
interface Asker<T> {
  resolve(result: T): void;
  reject(error: unknown): void;
}

/** Whatever decides it throws is this caller's alone: others are written in the same transaction. */
type Made<T> = { readonly result: T } | { readonly error: unknown };

interface Ground {
  readonly tables: Tables;
  readonly events: EmbeddedEventLog;
  readonly now: number;
}

function make<T>(
  { tables, events, now }: Ground,
  keys: readonly string[],
  decide: (found: StateBefore) => Settlement<T>,
): Made<T> {
  const step = new Step(tables, now);
  let settlement: Settlement<T>;
  try {
    settlement = decide(stateOf(step, keys));
    for (const key of settlement.values?.keys() ?? []) assertNamed(key, keys);
    for (const { key } of settlement.claims ?? []) assertNamed(key, keys);
  } catch (error) {
    return { error };
  }
  const { result, values = [], claims = [], events: added = [] } = settlement;
  for (const [key, kept] of values) step.put(key, kept);
  for (const one of claims) step.claim(one.key, one);
  for (const event of added) events.add(event);
  return { result };
}

function stateOf(step: Step, keys: readonly string[]): StateBefore {
  const look = (key: string): LiveRecord | undefined => {
    assertNamed(key, keys);
    return step.live(key);
  };
  return { value: (key) => look(key)?.value, claimed: (key) => highest(look(key)) };
}

function assertNamed(key: string, keys: readonly string[]): void {
  if (keys.includes(key)) return;
  throw new ServiceError('internal', { detail: `${key} is none of the keys that the step names` });
}
