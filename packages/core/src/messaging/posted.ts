/** Letters that are ready, and what is written so that they are sent: with whatever else happens, in one step. */
import { ServiceError } from '../foundation/errors/errors.ts';
import type { Way } from '../ports/sending/sender.ts';
import type { KeptState, TimedValue } from '../ports/store/ledger.ts';

/** A letter, ready to be written down with what else happens. */
export interface Posted {
  readonly id: string;
  readonly way: Way;
  /** What {@link write} looks at and changes. */
  readonly keys: readonly string[];
  /** Pure. The values to be written, or whose budget is used up. */
  write(found: KeptState): ReadonlyMap<string, TimedValue> | { readonly usedUp: string };
}

/** Each counts with what the ones before it have used. */
export function writeAll(
  all: readonly Posted[],
  found: KeptState,
): { readonly result: string | undefined; readonly values?: ReadonlyMap<string, TimedValue> } {
  const values = new Map<string, TimedValue>();
  const sofar: KeptState = {
    value: (key) => values.get(key)?.value ?? found.value(key),
    claimed: (key) => found.claimed(key),
  };
  for (const posted of all) {
    const written = posted.write(sofar);
    if ('usedUp' in written) return { result: written.usedUp };
    for (const [key, value] of written) values.set(key, value);
  }
  return { result: undefined, values };
}

export const overBudget = (whose: string): ServiceError =>
  new ServiceError('too_large', { detail: `The budget ${whose} is used up for today` });
