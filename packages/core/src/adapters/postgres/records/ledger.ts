/** The ledger on PostgreSQL: values, claims and events of a settlement are one transaction. */
import { ServiceError } from '../../../errors/errors.ts';
import type { Ledger, Settlement } from '../../../ports/ledger.ts';
import { idOf } from '../steps/names.ts';
import type { Change, Decision, Found, Steps } from '../steps/steps.ts';
import { numberOf, textOf } from './counters.ts';
import { openStore } from './store.ts';

export function openLedger(steps: Steps): Ledger {
  return {
    ...openStore(steps, { lasting: true }),
    settle: (keys, decide) => {
      const names = [...new Set(keys)].map((key) => ({ key, lasting: true }));
      const idOfNamed = namedIn(keys);
      return steps.change(names, (found) => {
        const value = (key: string) => found(idOfNamed(key));
        return decisionOf(decide({ value, claimed: (key) => numberOf(value(key)) }), { found, idOfNamed });
      });
    },
  };
}

/** @throws ServiceError `internal` for a key that is none of these */
function namedIn(keys: readonly string[]): (key: string) => string {
  return (key) => {
    if (keys.includes(key)) return idOf({ key, lasting: true });
    throw new ServiceError('internal', { detail: `${key} is none of the keys that the step names` });
  };
}

interface DecisionView {
  readonly found: Found;
  readonly idOfNamed: (key: string) => string;
}

function decisionOf<T>(
  { result, values = new Map(), claims = [], events = [] }: Settlement<T>,
  { found, idOfNamed }: DecisionView,
): Decision<T> {
  const changes = new Map<string, Change>();
  for (const [key, kept] of values)
    changes.set(idOfNamed(key), kept === null ? 'remove' : { how: 'set', ...kept });
  for (const { key, value, seconds } of claims) {
    const id = idOfNamed(key);
    if (value > (numberOf(found(id)) ?? -1)) changes.set(id, { how: 'claim', value: textOf(value), seconds });
  }
  return { result, changes, events };
}
