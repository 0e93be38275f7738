/**
 * When a user logged in last (`Otp.LastLogin`, concepts.md §5). The store keeps it, which a login writes to anyway:
 * writing the entry at every login would cost more than the login. Of two nodes the later login counts.
 */

import { hash } from 'node:crypto';
import type { TimedClaims } from '../../authenticators/authenticator.ts';
import { claimSeconds } from '../../authenticators/claim-keys.ts';
import { formatTime } from '../../foundation/text/moment.ts';
import type { NumberClaim } from '../../ports/store/ledger.ts';
import type { Account } from './found.ts';

/** What a login leaves of itself: the later one counts, whoever claims first. */
export const loginClaim = (
  { lastLoginKey: key }: Pick<Account, 'lastLoginKey'>,
  { clock }: Pick<TimedClaims, 'clock'>,
): NumberClaim => ({ key, value: Math.floor(clock.now() / 1000), seconds: claimSeconds });

/** `YYYY-MM-DD HH:MM:SS`: the later of the store's and what stands on the entry, of another server or of before. */
export async function lastLogin(
  stored: Uint8Array | undefined,
  id: string,
  { store }: Pick<TimedClaims, 'store'>,
): Promise<Uint8Array | undefined> {
  const seconds = await store.claimed(lastLoginKey(id));
  if (seconds === undefined) return stored;
  const known = formatTime(seconds * 1000);
  return stored && Buffer.from(stored).toString() > known ? stored : Buffer.from(known);
}

/** What the store keeps them under. */
export const lastLoginFamily = 'login';

/** Where it stands. */
export const lastLoginKey = (id: string): string => `${lastLoginFamily}:${hash('sha256', id)}`;
