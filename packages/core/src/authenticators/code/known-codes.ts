/**
 * What the store knows of the codes of a user: how many were wrong, which were used. A login has it read in the step in
 * which it enters, and judges what is shown without waiting for the store again.
 */
import { wrongCodesKey } from '../../limits/authenticators.ts';
import { keptState, type StateBefore } from '../../ports/ledger.ts';
import type { Store } from '../../ports/store.ts';
import { timeFloorKey } from '../token/time-floor.ts';
import { tokenRules } from '../token/token.ts';
import type { CodeUser } from './authenticator.ts';
import { numbersKey } from './claim-keys.ts';
import { lastCodeKeys } from './last-code.ts';

/** Where it stands. */
export function knownCodesKeys(user: CodeUser): readonly string[] {
  const { authenticators } = user;
  const tokens = authenticators.filter((one) => one.kind === 'TOKEN');
  const rules = tokenRules(user.settings);
  return [
    ...authenticators.map(({ key }) => wrongCodesKey(key)),
    ...tokens.map((token) => numbersKey(token, rules)),
    ...authenticators.flatMap((one) => (one.kind === 'SMS' || one.kind === 'MAIL' ? [one.sent.last] : [])),
    ...(tokens.length > 0 ? [timeFloorKey, ...lastCodeKeys(user)] : []),
  ];
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
