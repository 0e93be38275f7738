/**
 * What the store knows of the codes of a user: how many were wrong, which were used. A login has it read in the step in
 * which it enters, and judges what is shown without waiting for the store again.
 */
import { keptState, type StateBefore } from '../../ports/store/ledger.ts';
import type { Store } from '../../ports/store/store.ts';
import { timeFloorKey } from '../token/time-floor.ts';
import type { CodeUser } from './authenticator.ts';
import { lastCodeKeyOf } from './last-code.ts';

/** Where it stands. */
export function knownCodesKeys(user: CodeUser): string[] {
  const keys: string[] = [];
  let hasToken = false;
  for (const one of user.authenticators) {
    keys.push(one.wrongCodes);
    if (one.kind === 'TOKEN') {
      keys.push(one.claims);
      hasToken = true;
    } else if (one.kind === 'SMS' || one.kind === 'MAIL') keys.push(one.sent.last);
  }
  if (!hasToken) return keys;
  keys.push(timeFloorKey);
  const last = lastCodeKeyOf(user);
  if (last !== undefined) keys.push(last);
  return keys;
}

/** What stands at these keys, for who does not enter. */
export async function readKnown(
  keys: readonly string[],
  store: Pick<Store, 'get' | 'claimed'>,
): Promise<StateBefore> {
  const found = new Map<string, { value: Uint8Array | undefined; claimed: number | undefined }>();
  for (const key of keys) found.set(key, { value: await store.get(key), claimed: await store.claimed(key) });
  return keptState(
    { value: (key) => found.get(key)?.value, claimed: (key) => found.get(key)?.claimed },
    keys,
  );
}
