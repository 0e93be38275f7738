/** The ledger on PostgreSQL: values, claims and events of a commit are one transaction, and what it releases, too. */
import { randomUUID } from 'node:crypto';
import { ServiceError } from '@watchword/core/foundation';
import { type Changes, type Clock, type Ledger, releasedValues, type State } from '@watchword/core/ports';
import type { ChangeAt, Found } from '../steps/changes.ts';
import type { Name } from '../steps/names.ts';
import type { Steps } from '../steps/steps.ts';
import { numberOf, textOf } from './counters.ts';
import { openStore } from './store.ts';

/** @param clock the clock of this node, for what is decided here; values end by the clock of the database */
export function openLedger(steps: Steps, clock: Pick<Clock, 'now'>): Ledger {
  const holder = randomUUID();
  return {
    ...openStore(steps, { lasting: true }),
    ...{ holder, hasEnded },
    admit: ({ durable, ephemeral, decide }) => {
      const read = new Named(durable, true, { isOnlyLookedAt: true });
      const named = new Named(ephemeral, false, { first: read.names.length });
      return steps.change([...read.names, ...named.names], (found) => {
        const now = clock.now();
        const { result, values } = decide(read.state(found, now), { ...named.state(found, now), hasEnded });
        return { result, changes: named.changes(found, { values }) };
      });
    },
    commit: ({ durable, ephemeral = [], decide }) => {
      const named = new Named(durable, true);
      const left = new Named(ephemeral, false, { first: named.names.length });
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

/** Processes of other machines are unknown here: what they hold ends with its time. */
const hasEnded = (): boolean => false;

/** The keys of one kind of a step: a few, which are found sooner one after the other than by their hashes. */
class Named {
  readonly #keys: readonly string[];
  readonly #first: number;
  readonly names: readonly Name[];

  /** @param more first: the position of the first key among all names of the step */
  constructor(
    keys: readonly string[],
    lasting: boolean,
    { first = 0, isOnlyLookedAt }: { readonly first?: number; readonly isOnlyLookedAt?: true } = {},
  ) {
    this.#keys = keys.filter((key, at) => keys.indexOf(key) === at);
    this.#first = first;
    this.names = this.#keys.map((key) => ({ key, lasting, ...(isOnlyLookedAt && { isOnlyLookedAt }) }));
  }

  state(found: Found, now: number): State {
    const value = (key: string) => found(this.#placeOf(key));
    return { now, value, claimed: (key) => numberOf(value(key)) };
  }

  changes(
    found: Found,
    { values = [], claims = [] }: Pick<Changes<unknown>, 'values' | 'claims'>,
  ): readonly ChangeAt[] {
    const changes: ChangeAt[] = [];
    for (const [key, kept] of values)
      changes.push([this.#placeOf(key), kept === null ? 'remove' : { how: 'set', ...kept }]);
    for (const { key, value, seconds } of claims) {
      const at = this.#placeOf(key);
      if (value > (numberOf(found(at)) ?? -1))
        changes.push([at, { how: 'claim', value: textOf(value), seconds }]);
    }
    return changes;
  }

  /** @throws ServiceError `internal` for a key that the step does not name */
  #placeOf(key: string): number {
    const at = this.#keys.indexOf(key);
    if (at >= 0) return this.#first + at;
    throw new ServiceError('internal', { detail: `${key} is none of the keys that the step names` });
  }
}
