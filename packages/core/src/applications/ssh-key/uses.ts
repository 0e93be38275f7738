/** Counts the uses of a key: one for each session, counted in the step that begins the session. */
import { hash } from 'node:crypto';
import type { TimedValue } from '../../ports/store/ledger.ts';
import type { StoredKey } from './key-data.ts';

/** Longer than any key is in use. */
const seconds = 20 * 366 * 86_400;

/** Returns the key of the uses in the store. */
export const usesKey = (id: string, { spki }: Pick<StoredKey, 'spki'>): string =>
  `ssh-uses:${hash('sha256', Buffer.concat([Buffer.from(id), Buffer.alloc(1), spki]))}`;

export const usesIn = (value: Uint8Array | undefined): number =>
  value === undefined ? 0 : Number(Buffer.from(value).toString('latin1'));

export const usesValue = (uses: number): TimedValue => ({ value: Buffer.from(String(uses)), seconds });

/** The key logs in at this moment. @param uses so far */
export const isGood = (
  { expires, maxUse }: Pick<StoredKey, 'expires' | 'maxUse'>,
  now: number,
  uses: number,
) => (expires === undefined || now < expires) && (maxUse === undefined || uses < maxUse);
