/** The ledger on PostgreSQL: values, claims, events and releases of a commit are one transaction. */
import { randomUUID } from 'node:crypto';
import { ServiceError } from '@watchword/core/foundation';
import {
  type Clock,
  type CommitChanges,
  type Ledger,
  releasedValues,
  type StepState,
} from '@watchword/core/ports';
import type { ChangeAt, ValueReader } from '../steps/changes.ts';
import type { Name } from '../steps/names.ts';
import type { Steps } from '../steps/steps.ts';
import { numberOf, textOf } from './counters.ts';
import { openStore } from './store.ts';

/** @param clock the clock of this node, for decisions; values end by the clock of the database */
export function openLedger(steps: Steps, clock: Pick<Clock, 'now'>): Ledger {
  const holder = randomUUID();
  return {
    ...openStore(steps, { lasting: true }),
    ...{ holder, hasEnded },
    admit: ({ durable, ephemeral, decide }) => {
      const read = new StepKeys(durable, true, { isReadOnly: true });
      const named = new StepKeys(ephemeral, false, { first: read.names.length });
      return steps.change([...read.names, ...named.names], (found) => {
        const now = clock.now();
        const { result, values } = decide(read.state(found, now), { ...named.state(found, now), hasEnded });
        return { result, changes: named.changes(found, { values }) };
      });
    },
    commit: ({ durable, ephemeral = [], decide }) => {
      const named = new StepKeys(durable, true);
      const left = new StepKeys(ephemeral, false, { first: named.names.length });
      return steps.change([...named.names, ...left.names], (found) => {
        const now = clock.now();
        const { result, events, release = [], ...more } = decide(named.state(found, now));
        const values = releasedValues(release, { ...left.state(found, now), hasEnded }, holder);
        const changes = [...named.changes(found, more), ...left.changes(found, { values })];
        return { result, changes, ...(events && { events }) };
      });
    },
  };
}

/** Returns false: processes of other machines are unknown, and their locks end with time. */
const hasEnded = (): boolean => false;

/** The durable or the ephemeral keys of a step. There are few, so a linear search is quicker than a map. */
class StepKeys {
  readonly #keys: readonly string[];
  readonly #first: number;
  readonly names: readonly Name[];

  /** @param more `first`: the index of the first key among the step's names */
  constructor(
    keys: readonly string[],
    lasting: boolean,
    { first = 0, isReadOnly }: { readonly first?: number; readonly isReadOnly?: true } = {},
  ) {
    this.#keys = keys.filter((key, at) => keys.indexOf(key) === at);
    this.#first = first;
    this.names = this.#keys.map((key) => ({ key, lasting, ...(isReadOnly && { isReadOnly }) }));
  }

  state(found: ValueReader, now: number): StepState {
    const value = (key: string) => found(this.#indexOf(key));
    return { now, value, claimed: (key) => numberOf(value(key)) };
  }

  changes(
    found: ValueReader,
    { values = [], claims = [] }: Pick<CommitChanges<unknown>, 'values' | 'claims'>,
  ): readonly ChangeAt[] {
    const changes: ChangeAt[] = [];
    for (const [key, kept] of values)
      changes.push([this.#indexOf(key), kept === null ? 'remove' : { mode: 'set', ...kept }]);
    for (const { key, value, seconds } of claims) {
      const at = this.#indexOf(key);
      if (value > (numberOf(found(at)) ?? -1))
        changes.push([at, { mode: 'claim', value: textOf(value), seconds }]);
    }
    return changes;
  }

  /** @throws ServiceError `internal` for a key that the step does not name */
  #indexOf(key: string): number {
    const at = this.#keys.indexOf(key);
    if (at >= 0) return this.#first + at;
    throw new ServiceError('internal', { detail: `${key} is none of the keys that the step names` });
  }
}
