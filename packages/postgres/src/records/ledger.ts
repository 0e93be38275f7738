/** The ledger on PostgreSQL: values, claims and events of a settlement are one transaction, what it leaves behind too. */
import { randomUUID } from 'node:crypto';
import { ServiceError } from '@watchword/core/foundation';
import type { Ledger, Settlement, StateBefore } from '@watchword/core/ports';
import type { ChangeAt, Found } from '../steps/changes.ts';
import type { Name } from '../steps/names.ts';
import type { Steps } from '../steps/steps.ts';
import { numberOf, textOf } from './counters.ts';
import { openStore } from './store.ts';

export function openLedger(steps: Steps): Ledger {
  return {
    ...openStore(steps, { lasting: true }),
    enter: ({ lasting, momentary, decide }) => {
      const looked = new Named(lasting, true, { isOnlyLookedAt: true });
      const named = new Named(momentary, false, { first: looked.names.length });
      return steps.change([...looked.names, ...named.names], (found) => {
        const { result, ...more } = decide({ lasting: looked.state(found), momentary: named.state(found) });
        return { result, changes: named.changes(found, more) };
      });
    },
    settle: (keys, decide, leaving) => {
      const named = new Named(keys, true);
      const left = new Named(leaving?.keys ?? [], false, { first: named.names.length });
      const made = steps.change([...named.names, ...left.names], (found) => {
        const { result: settled, events, ...more } = decide(named.state(found));
        const leave = leaving?.change(left.state(found), settled) ?? { result: settled };
        const changes = [...named.changes(found, more), ...left.changes(found, leave)];
        return { result: { settled, left: leave.result }, changes, ...(events && { events }) };
      });
      return made.then((result) => {
        leaving?.made(result.settled);
        return result.left;
      });
    },
    // Nobody knows how the processes of other machines are: what they held ends with its time.
    ...{ holder: randomUUID(), isGone: () => false },
  };
}

/** The keys of one kind of a step: a few, which are found sooner one after the other than by their hashes. */
class Named {
  readonly #keys: readonly string[];
  readonly #first: number;
  readonly names: readonly Name[];

  /** @param more first: the place of the first among all names of the step */
  constructor(
    keys: readonly string[],
    lasting: boolean,
    { first = 0, isOnlyLookedAt }: { readonly first?: number; readonly isOnlyLookedAt?: true } = {},
  ) {
    this.#keys = keys.filter((key, at) => keys.indexOf(key) === at);
    this.#first = first;
    this.names = this.#keys.map((key) => ({ key, lasting, ...(isOnlyLookedAt && { isOnlyLookedAt }) }));
  }

  state(found: Found): StateBefore {
    const value = (key: string) => found(this.#placeOf(key));
    return { value, claimed: (key) => numberOf(value(key)) };
  }

  changes(
    found: Found,
    { values = [], claims = [] }: Pick<Settlement<unknown>, 'values' | 'claims'>,
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

  /** @throws ServiceError `internal` for a key that is none of these */
  #placeOf(key: string): number {
    const at = this.#keys.indexOf(key);
    if (at >= 0) return this.#first + at;
    throw new ServiceError('internal', { detail: `${key} is none of the keys that the step names` });
  }
}
