/**
 * Authenticator cap: after 100 wrong values in a row, over all scopes, unknown sources cannot try an authenticator without a right password. A
 * token with 100 wrong codes after right passwords is disabled. A full success with it, or an administrator, ends the streak. The count of the
 * password is in the user's record, that of a token under its secret.
 */

import { utf8Text } from '../foundation/text/value.ts';
import type { TimedValue } from '../ports/store/ledger.ts';
import type { Store } from '../ports/store/store.ts';
import type { Admission, WrongCode } from './limits-attempt.ts';

/** Wrong codes in a row. */
export interface WrongCodes {
  readonly wrong: number;
  /** Those after right passwords. */
  readonly asSecondFactor: number;
}

export const mostWrong = 100;

/** Seconds; a success or an administrator ends it long before. */
const seconds = 10 * 366 * 86_400;

const none: WrongCodes = { wrong: 0, asSecondFactor: 0 };

/** The durable key of an authenticator's wrong codes. */
export const wrongCodesKey = (key: string): string => `limits:authenticator:${key}`;

export const wrongCodesOf = (record: Uint8Array | undefined): WrongCodes =>
  record ? parseCodes(utf8Text(record)) : none;

/** The names of the record are those of the first release, which nodes of that version write and read too. */
interface StoredCodes {
  readonly wrong: number;
  readonly behind: number;
}

function parseCodes(text: string): WrongCodes {
  const { wrong, behind: asSecondFactor }: StoredCodes = JSON.parse(text);
  return { wrong, asSecondFactor };
}

export async function wrongCodes(key: string, store: Pick<Store, 'get'>): Promise<WrongCodes> {
  return wrongCodesOf(await store.get(wrongCodesKey(key)));
}

/** Counts a wrong code. */
export const oneMoreWrong = ({ wrong, asSecondFactor }: WrongCodes, code: WrongCode): WrongCodes => ({
  wrong: wrong + 1,
  asSecondFactor: asSecondFactor + (code.afterPassword ? 1 : 0),
});

export function wrongCodesRecord({ wrong, asSecondFactor: behind }: WrongCodes): TimedValue {
  const stored: StoredCodes = { wrong, behind };
  return { value: Buffer.from(JSON.stringify(stored), 'latin1'), seconds };
}

export async function forgetWrongCodes(key: string, store: Pick<Store, 'get' | 'remove'>): Promise<void> {
  if ((await store.get(wrongCodesKey(key))) !== undefined) await store.remove(wrongCodesKey(key));
}

/** Returns whether an authenticator is disabled. */
const isDisabled = ({ asSecondFactor }: WrongCodes): boolean => asSecondFactor >= mostWrong;

/** Returns whether an authenticator is capped. */
export const isCapped = ({ wrong }: Pick<WrongCodes, 'wrong'>): boolean => wrong >= mostWrong;

/**
 * Returns whether a code may be tried with an authenticator.
 * @param afterPassword whether the code comes after a right password
 */
export function mayTry(
  wrong: WrongCodes,
  afterPassword: boolean,
  { kind, scope }: Pick<Admission, 'kind' | 'scope'>,
): boolean {
  const isSingle = kind === 'separate' && !afterPassword && scope === 'unknown';
  return !isDisabled(wrong) && !(isSingle && isCapped(wrong));
}
