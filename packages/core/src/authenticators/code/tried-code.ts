/** A code of a login, tried against all that it could be of: a token, a printed list, an emergency password. */

import type { Admission } from '../../limits/attempter.ts';
import { mayTry, type WrongCode, type WrongCodes } from '../../limits/authenticators.ts';
import type { CodeView } from '../view.ts';
import type { Authenticator, CodeHolder, RightCode } from './authenticator.ts';
import { distinctAuthenticators } from './codes.ts';
import { findCode, wasUsed } from './found-code.ts';

export type TriedCode =
  | { readonly right: RightCode }
  | {
      readonly right?: undefined;
      /** What it was tried with. */
      readonly wrong: readonly WrongCode[];
      /** For the log, never for the caller. */
      readonly why: string;
    };

/** Whose code is tried, and as what. */
export interface Trying {
  readonly account: CodeHolder;
  readonly view: CodeView;
  readonly admission: Pick<Admission, 'kind' | 'ground'>;
}

/** @param behind the code stands behind a right password */
export async function tryCode(code: string, behind: boolean, trying: Trying): Promise<TriedCode> {
  const { account, view } = trying;
  const open = await openAuthenticators(behind, trying);
  for (const { authenticator } of open) {
    const right = await findCode(code, authenticator, account, view);
    if (right) return { right };
  }
  const wrong = open.map(({ authenticator }) => ({ key: authenticator.key, behind }));
  return { wrong, why: whyNot(code, open, trying) };
}

/** Whether one of these codes is right at this moment. None is tried by this: whoever asks does not tell. */
export async function isSomeRightNow(codes: readonly string[], trying: Trying): Promise<boolean> {
  return (await Promise.all(codes.map((code) => isRightNow(code, trying)))).includes(true);
}

/** {@link isSomeRightNow}, of one. */
export async function isRightNow(code: string, trying: Trying): Promise<boolean> {
  const open = await openAuthenticators(true, trying);
  const found = open.map(({ authenticator }) => findCode(code, authenticator, trying.account, trying.view));
  return (await Promise.all(found)).some((right) => right !== undefined);
}

/** Whether something that a code alone is not tried with could be tried behind a right password. */
export async function isMoreOpenBehind(trying: Trying): Promise<boolean> {
  const [alone, behind] = [await openAuthenticators(false, trying), await openAuthenticators(true, trying)];
  return behind.length > alone.length;
}

interface Open {
  readonly authenticator: Authenticator;
  /** Its wrong codes before this one. */
  readonly before: WrongCodes;
}

/** Those that a code may be tried with (concepts.md §7, 6). */
async function openAuthenticators(
  behind: boolean,
  { account, view, admission }: Trying,
): Promise<readonly Open[]> {
  const all = distinctAuthenticators(account, view).map(async (authenticator) => ({
    authenticator,
    before: await view.limits.wrongCodes(authenticator.key),
  }));
  return (await Promise.all(all)).filter(({ before }) => mayTry(before, behind, admission));
}

function whyNot(code: string, open: readonly Open[], { account, view }: Trying): string {
  if (open.length === 0) return 'nothing that the code could be tried with';
  return open.some(({ authenticator }) => wasUsed(code, authenticator, account, view))
    ? 'the code was used before, or one after it (replay)'
    : 'wrong code';
}
