/**
 * The floor of TOTP. Where an older data folder came back, the claims of the time between are gone: what was used then
 * is not known. So no token is judged good by a code of a time that had come, or that its window had let in, when the
 * folder was closed to that time.
 */

import { timeStep, windowSteps } from '../../foundation/oath/window.ts';
import { utf8Text } from '../../foundation/text/value.ts';
import type { StateBefore } from '../../ports/store/ledger.ts';
import type { Store } from '../../ports/store/store.ts';
import { claimSeconds } from '../code/claim-keys.ts';
import type { Token, TokenRules } from './token.ts';

export interface TimeFloor {
  /** Milliseconds since 1970. */
  readonly moment: number;
  /** The widest window, in seconds, that a code may have been used in: one client's may be wider than another's. */
  readonly window: number;
}

/** What it is kept under. */
export const timeFloorKey = 'time-floor:totp';

/** Never back: of two restores the later one counts, and the wider window. */
export async function raiseTimeFloor({ moment, window }: TimeFloor, store: Store): Promise<void> {
  const before = timeFloorOf(await store.get(timeFloorKey));
  const after: TimeFloor = {
    moment: Math.max(moment, before?.moment ?? 0),
    window: Math.max(window, before?.window ?? 0),
  };
  await store.put(timeFloorKey, Buffer.from(JSON.stringify(after)), claimSeconds);
}

/** Sets a floor to the present that was raised while a clock was ahead. @returns whether it is ahead */
export async function lowerTimeFloor(
  { moment, window }: TimeFloor,
  { store, writes }: { readonly store: Pick<Store, 'update'>; readonly writes: boolean },
): Promise<boolean> {
  return store.update(timeFloorKey, (record) => {
    const before = timeFloorOf(record);
    if (!before || before.moment <= moment) return { result: false };
    const after: TimeFloor = { moment, window: Math.max(window, before.window) };
    const value = Buffer.from(JSON.stringify(after));
    return { result: true, ...(writes && { after: { value, seconds: claimSeconds } }) };
  });
}

const timeFloorOf = (record: Uint8Array | undefined): TimeFloor | undefined =>
  record && JSON.parse(utf8Text(record));

/**
 * The highest counter or time step of a token that is not good any more, as far as the store knows.
 * @param ground.claims where its numbers are claimed
 * @param ground.known what stands there, and at {@link timeFloorKey}
 */
export function acceptedOf(
  token: Pick<Token, 'shape' | 'state'>,
  rules: TokenRules,
  { known, claims }: { readonly known: StateBefore; readonly claims: string },
): number | undefined {
  const claimed = known.claimed(claims);
  if (!('step' in token.state)) return claimed;
  const floor = timeFloorOf(known.value(timeFloorKey));
  const closed = floor && closedStep(floor, token.state.drift, { ...rules, ...token.shape });
  return closed === undefined ? claimed : Math.max(closed, claimed ?? 0);
}

/**
 * A token whose clock is ahead had its codes used ahead; how far, the folder knows as it was then: the drift may have
 * moved by a window since. One that is behind may have been set right.
 */
export function closedStep(
  { moment, window }: TimeFloor,
  drift: number,
  { period, timeWindow = 0 }: Pick<TokenRules, 'period'> & Partial<Pick<TokenRules, 'timeWindow'>>,
): number {
  const steps = windowSteps({ period }, { window: Math.max(window, timeWindow) });
  return timeStep(moment, period) + Math.max(drift, 0) + 2 * steps;
}

/** When the codes of a token whose clock is right are good again, in milliseconds since 1970. */
export const openAgain = ({ moment, window }: TimeFloor): number => moment + 2 * window * 1000;
