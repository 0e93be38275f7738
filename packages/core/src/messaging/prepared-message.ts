/** Prepared messages, which are committed together with other changes. */
import { ServiceError } from '../foundation/errors/errors.ts';
import type { Channel } from '../ports/sending/sender.ts';
import type { KeyState, TimedValue } from '../ports/store/ledger.ts';

/** A message that is ready to be committed. */
export interface PreparedMessage {
  readonly id: string;
  readonly channel: Channel;
  /** The keys that {@link write} reads and writes. */
  readonly keys: readonly string[];
  /** Returns the values to write, or the budget that is used up; pure. */
  write(found: KeyState): ReadonlyMap<string, TimedValue> | { readonly usedUp: string };
}

/** Returns the values of several messages, each charged after the ones before it. @returns the used-up budget as `result`, if any */
export function writePrepared(
  all: readonly PreparedMessage[],
  found: KeyState,
): { readonly result: string | undefined; readonly values?: ReadonlyMap<string, TimedValue> } {
  const values = new Map<string, TimedValue>();
  const sofar: KeyState = {
    value: (key) => values.get(key)?.value ?? found.value(key),
    claimed: (key) => found.claimed(key),
  };
  for (const prepared of all) {
    const written = prepared.write(sofar);
    if ('usedUp' in written) return { result: written.usedUp };
    for (const [key, value] of written) values.set(key, value);
  }
  return { result: undefined, values };
}

export const overBudget = (whose: string): ServiceError =>
  new ServiceError('too_large', { detail: `The budget ${whose} is used up for today` });
