/**
 * Authenticator cap: after 100 wrong values in a row, over all scopes, unknown sources cannot try an authenticator without a right password. A
 * token with 100 wrong codes after right passwords is disabled. A full success with it, or an administrator, ends the row. The count of the
 * password is in the user's record, that of a token under its secret.
 */

import { utf8Text } from '../foundation/text/value.ts';
import type { TimedValue } from '../ports/store/ledger.ts';
import type { Store } from '../ports/store/store.ts';
import type { Admission, WrongCode } from './attempt.ts';

/** Wrong codes in a row. */
export interface WrongCodes {
  readonly wrong: number;
  /** Those after right passwords. */
  readonly behind: number;
}

export const mostWrong = 100;

/** In seconds: a success or an administrator ends it long before. */
const seconds = 10 * 366 * 86_400;

const none: WrongCodes = { wrong: 0, behind: 0 };

/** The durable key of an authenticator's wrong codes. */
export const wrongCodesKey = (key: string): string => `limits:authenticator:${key}`;

export const wrongCodesOf = (record: Uint8Array | undefined): WrongCodes =>
  record ? JSON.parse(utf8Text(record)) : none;

export async function wrongCodes(key: string, store: Pick<Store, 'get'>): Promise<WrongCodes> {
  return wrongCodesOf(await store.get(wrongCodesKey(key)));
}

/** Counts a wrong code. */
export const oneMoreWrong = ({ wrong, behind }: WrongCodes, code: WrongCode): WrongCodes => ({
  wrong: wrong + 1,
  behind: behind + (code.behind ? 1 : 0),
});

export const wrongCodesRecord = (codes: WrongCodes): TimedValue => ({
  value: Buffer.from(JSON.stringify(codes), 'latin1'),
  seconds,
});

export async function forgetWrongCodes(key: string, store: Pick<Store, 'get' | 'remove'>): Promise<void> {
  if ((await store.get(wrongCodesKey(key))) !== undefined) await store.remove(wrongCodesKey(key));
}

/** Returns whether an authenticator is disabled. */
const isDisabled = ({ behind }: WrongCodes): boolean => behind >= mostWrong;

/** Returns whether an authenticator is capped. */
export const isClosed = ({ wrong }: Pick<WrongCodes, 'wrong'>): boolean => wrong >= mostWrong;

/**
 * Returns whether a code may be tried with an authenticator.
 * @param behind whether the code comes after a right password
 */
export function mayTry(
  wrong: WrongCodes,
  behind: boolean,
  { kind, ground }: Pick<Admission, 'kind' | 'ground'>,
): boolean {
  const isAlone = kind === 'alone' && !behind && ground === 'strangers';
  return !isDisabled(wrong) && !(isAlone && isClosed(wrong));
}
