/**
 * Rule 6, an authenticator: after 100 wrong values in a row, at all grounds, it is not tried alone by strangers; a
 * token is disabled if 100 stood behind right passwords. It ends with a full success that used it, or by an
 * administrator. The password's count stands with the user (state.ts), that of a token under its secret.
 */

import { utf8Text } from '../foundation/text/value.ts';
import type { TimedValue } from '../ports/store/ledger.ts';
import type { Store } from '../ports/store/store.ts';
import type { Admission, WrongCode } from './attempt.ts';

/** In a row. */
export interface WrongCodes {
  readonly wrong: number;
  /** Of them behind right passwords. */
  readonly behind: number;
}

export const mostWrong = 100;

/** As good as for ever: it ends by a success or by an administrator. */
const seconds = 10 * 366 * 86_400;

const none: WrongCodes = { wrong: 0, behind: 0 };

/** What the wrong codes of an authenticator are kept under. */
export const wrongCodesKey = (key: string): string => `limits:authenticator:${key}`;

export const wrongCodesOf = (record: Uint8Array | undefined): WrongCodes =>
  record ? JSON.parse(utf8Text(record)) : none;

export async function wrongCodes(key: string, store: Pick<Store, 'get'>): Promise<WrongCodes> {
  return wrongCodesOf(await store.get(wrongCodesKey(key)));
}

/** One wrong code more. */
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

/** It is not tried at all. */
const isDisabled = ({ behind }: WrongCodes): boolean => behind >= mostWrong;

/** It is not tried alone by strangers. */
export const isClosed = ({ wrong }: Pick<WrongCodes, 'wrong'>): boolean => wrong >= mostWrong;

/**
 * Whether a code may be tried with an authenticator.
 * @param behind it stands behind a right password
 */
export function mayTry(
  wrong: WrongCodes,
  behind: boolean,
  { kind, ground }: Pick<Admission, 'kind' | 'ground'>,
): boolean {
  const isAlone = kind === 'alone' && !behind && ground === 'strangers';
  return !isDisabled(wrong) && !(isAlone && isClosed(wrong));
}
