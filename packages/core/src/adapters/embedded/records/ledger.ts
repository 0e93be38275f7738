/** The store and the event log on LMDB, written in one step; and beside them what is about the next seconds only. */
import type { Clock } from '../../../ports/clock.ts';
import type { Leaving, Ledger, LedgerChanges, Settlement, StateBefore } from '../../../ports/ledger.ts';
import type { SmallChange } from '../storage/changes.ts';
import type { Environment } from '../storage/environment.ts';
import type { EmbeddedEventLog } from './event-log.ts';
import { isGone, thisProcess } from './holder.ts';
import { mostMomentary } from './momentary.ts';
import { storeOf } from './store.ts';
import { openTables, placeOf, Step, type Tables } from './values.ts';

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
  const kept: Ground = { tables: openTables(lasting), events, clock };
  const seconds: Ground = { tables: openTables(momentary, mostMomentary), events, clock };
  let refreshedIn: number | undefined;
  /** What another process has settled by now is to be seen, too: those that enter in one transaction look at the same moment. */
  const refresh = () => {
    lasting.assertOpen();
    if (refreshedIn === momentary.transactions) return;
    refreshedIn = momentary.transactions;
    lasting.refresh();
  };
  const leave = <T>(leaving: Leaving<T>, result: T, asker: Asker<T>) => {
    try {
      leaving.made(result);
    } catch (error) {
      asker.reject(error);
      return;
    }
    const isAwaited = leaving.isAwaited(result);
    const decide = (found: StateBefore) => leaving.change(found, result);
    momentary.writeTogether(
      new LedgerStep(seconds, { keys: leaving.keys, decide }, isAwaited ? asker : nobody),
    );
    // It is answered while that is written; whoever enters from here on finds it done, as steps go in their order.
    if (!isAwaited) asker.resolve(result);
  };
  return {
    ...storeOf(kept.tables, lasting, clock),
    enter: ({ lasting: looked, momentary: keys, decide }) =>
      new Promise((resolve, reject) => {
        const decideOn = (found: StateBefore) => {
          refresh();
          return decide({ lasting: new Step(kept.tables, clock.now(), looked), momentary: found });
        };
        momentary.writeTogether(new LedgerStep(seconds, { keys, decide: decideOn }, { resolve, reject }));
      }),
    settle: <T>(
      keys: readonly string[],
      decide: (found: StateBefore) => Settlement<T>,
      leaving?: Leaving<T>,
    ) =>
      new Promise<T>((resolve, reject) => {
        const settled = leaving ? (result: T) => leave(leaving, result, { resolve, reject }) : resolve;
        lasting.writeTogether(new LedgerStep(kept, { keys, decide }, { resolve: settled, reject }));
      }),
    ...{ holder: thisProcess, isGone },
  };
}

/** Who waits for a step. */
interface Asker<T> {
  resolve(result: T): void;
  reject(error: unknown): void;
}

const nobody: Asker<unknown> = { resolve: () => undefined, reject: () => undefined };

interface Ground {
  readonly tables: Tables;
  readonly events: EmbeddedEventLog;
  readonly clock: Clock;
}

interface Deciding<T> {
  readonly keys: readonly string[];
  decide(found: StateBefore): Settlement<T>;
}

/** Whatever decides it throws is this caller's alone: others are written in the same transaction. */
class LedgerStep<T> implements SmallChange {
  readonly #ground: Ground;
  readonly #deciding: Deciding<T>;
  readonly #asker: Asker<T>;
  #made: Settlement<T> | { readonly error: unknown } | undefined;

  constructor(ground: Ground, deciding: Deciding<T>, asker: Asker<T>) {
    this.#ground = ground;
    this.#deciding = deciding;
    this.#asker = asker;
  }

  make(): void {
    const { tables, events, clock } = this.#ground;
    const { keys, decide } = this.#deciding;
    const step = new Step(tables, clock.now(), keys);
    try {
      const settlement = decide(step);
      assertNamed(settlement, keys);
      this.#made = settlement;
    } catch (error) {
      this.#made = { error };
      return;
    }
    enact(this.#made, step, events);
  }

  written(): void {
    const made = this.#made;
    if (!made) return;
    if ('error' in made) this.#asker.reject(made.error);
    else this.#asker.resolve(made.result);
  }

  refused(error: unknown): void {
    this.#asker.reject(error);
  }
}

/** Before anything is changed: others are written in the same transaction. @throws ServiceError `internal` */
function assertNamed({ values, claims }: LedgerChanges, keys: readonly string[]): void {
  if (values) for (const key of values.keys()) placeOf(key, keys);
  if (claims) for (const { key } of claims) placeOf(key, keys);
}

function enact({ values, claims, events }: Settlement<unknown>, step: Step, log: EmbeddedEventLog): void {
  if (values) for (const [key, kept] of values) step.put(key, kept);
  if (claims) for (const one of claims) step.claim(one.key, one);
  if (events) for (const event of events) log.add(event);
}
