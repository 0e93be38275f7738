/**
 * Rule 6, an authenticator: after 100 wrong values in a row, at all grounds, it is not tried alone by strangers; a
 * token is disabled if 100 stood behind right passwords. It ends with a full success that used it, or by an
 * administrator. The password's count stands with the user (state.ts), that of a token under its secret.
 */
import type { Store, Update } from '../ports/store.ts';
import type { Admission } from './attempter.ts';

/** In a row. */
export interface WrongCodes {
  readonly wrong: number;
  /** Of them behind right passwords. */
  readonly behind: number;
}

/** A code that was tried and is wrong. */
export interface WrongCode {
  /** Stands for the secret of the authenticator. */
  readonly key: string;
  /** It stood behind a right password. */
  readonly behind: boolean;
  /** Those before it, as they were when it was tried. */
  readonly before: WrongCodes;
}

export const mostWrong = 100;

/** As good as for ever: it ends by a success or by an administrator. */
const seconds = 10 * 366 * 86_400;

const none: WrongCodes = { wrong: 0, behind: 0 };

const authenticatorRecordKey = (key: string): string => `limits:authenticator:${key}`;

const parse = (record: Uint8Array | undefined): WrongCodes =>
  record ? JSON.parse(Buffer.from(record).toString('latin1')) : none;

export async function wrongCodes(key: string, store: Pick<Store, 'get'>): Promise<WrongCodes> {
  return parse(await store.get(authenticatorRecordKey(key)));
}

/** Counts a wrong code. @returns what it has come to */
export function countWrongCode(
  { key, behind }: Omit<WrongCode, 'before'>,
  store: Pick<Store, 'update'>,
): Promise<WrongCodes> {
  return store.update(authenticatorRecordKey(key), (before): Update<WrongCodes> => {
    const now = parse(before);
    const result = { wrong: now.wrong + 1, behind: now.behind + (behind ? 1 : 0) };
    return { result, after: { value: Buffer.from(JSON.stringify(result), 'latin1'), seconds } };
  });
}

export async function forgetWrongCodes(key: string, store: Pick<Store, 'get' | 'remove'>): Promise<void> {
  if ((await store.get(authenticatorRecordKey(key))) !== undefined)
    await store.remove(authenticatorRecordKey(key));
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
