/** The ledger on PostgreSQL: values, claims and events of a settlement are one transaction, what it leaves behind too. */
import { randomUUID } from 'node:crypto';
import { ServiceError } from '../../../errors/errors.ts';
import type { Ledger, Settlement, StateBefore } from '../../../ports/ledger.ts';
import { idOf, type Name } from '../steps/names.ts';
import type { Change, Found, Steps } from '../steps/steps.ts';
import { numberOf, textOf } from './counters.ts';
import { openStore } from './store.ts';

export function openLedger(steps: Steps): Ledger {
  return {
    ...openStore(steps, { lasting: true }),
    enter: ({ lasting, momentary, decide }) => {
      const [looked, named] = [new Named(lasting, true), new Named(momentary, false)];
      return steps.change([...looked.names, ...named.names], (found) => {
        const { result, ...more } = decide({ lasting: looked.state(found), momentary: named.state(found) });
        return { result, changes: new Map(named.changes(found, more)) };
      });
    },
    settle: (keys, decide, leaving) => {
      const [named, left] = [new Named(keys, true), new Named(leaving?.keys ?? [], false)];
      const made = steps.change([...named.names, ...left.names], (found) => {
        const { result: settled, events, ...more } = decide(named.state(found));
        const leave = leaving?.change(left.state(found), settled) ?? { result: settled };
        const changes = new Map([...named.changes(found, more), ...left.changes(found, leave)]);
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

/** The keys of a step. */
class Named {
  readonly names: readonly Name[];
  readonly #ids: ReadonlyMap<string, string>;

  constructor(keys: readonly string[], lasting: boolean) {
    this.names = [...new Set(keys)].map((key) => ({ key, lasting }));
    this.#ids = new Map(this.names.map((name) => [name.key, idOf(name)]));
  }

  state(found: Found): StateBefore {
    const value = (key: string) => found(this.#idOf(key));
    return { value, claimed: (key) => numberOf(value(key)) };
  }

  *changes(
    found: Found,
    { values = [], claims = [] }: Pick<Settlement<unknown>, 'values' | 'claims'>,
  ): Generator<[string, Change]> {
    for (const [key, kept] of values)
      yield [this.#idOf(key), kept === null ? 'remove' : { how: 'set', ...kept }];
    for (const { key, value, seconds } of claims) {
      const id = this.#idOf(key);
      if (value > (numberOf(found(id)) ?? -1)) yield [id, { how: 'claim', value: textOf(value), seconds }];
    }
  }

  /** @throws ServiceError `internal` for a key that is none of these */
  #idOf(key: string): string {
    const id = this.#ids.get(key);
    if (id !== undefined) return id;
    throw new ServiceError('internal', { detail: `${key} is none of the keys that the step names` });
  }
}
