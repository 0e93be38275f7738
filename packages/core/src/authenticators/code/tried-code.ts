/** A code of a login, tried against all that it could be of: a token, a printed list, an emergency password. */

import type { Admission } from '../../limits/attempter.ts';
import { tokenChanges } from '../token/token-data.ts';
import type { CodeView } from '../view.ts';
import type { Authenticator, CodeHolder, RightCode } from './authenticator.ts';
import { tokenKey } from './claim-keys.ts';
import { authenticatorsOf } from './codes.ts';
import { noteState } from './kept-state.ts';

export type TriedCode =
  | { readonly right: RightCode; readonly key: string }
  | {
      readonly right?: undefined;
      /** Keys of those that it was tried with. */
      readonly tried: readonly string[];
      /** For the log, never for the caller. */
      readonly why: string;
    };

export interface AdmittedAccount {
  readonly account: CodeHolder;
  readonly view: CodeView;
  readonly admission: Pick<Admission, 'mayTry'>;
}

/** @param behind the code stands behind a right password */
export async function tryCode(code: string, behind: boolean, admitted: AdmittedAccount): Promise<TriedCode> {
  const open = await openAuthenticators(behind, admitted);
  for (const authenticator of open) {
    const right = await authenticator.find(code);
    if (right) return { right, key: authenticator.key };
  }
  return { tried: open.map(({ key }) => key), why: whyNot(code, open) };
}

/** Whether a code is right at this moment. It is not tried by this: whoever asks does not tell. */
export async function isRightNow(code: string, admitted: AdmittedAccount): Promise<boolean> {
  const open = await openAuthenticators(true, admitted);
  const found = await Promise.all(open.map((one) => one.find(code)));
  return found.some((right) => right !== undefined);
}

/** The same secret in two slots is one authenticator. */
export function distinctAuthenticators(account: CodeHolder, view: CodeView): readonly Authenticator[] {
  const all = authenticatorsOf(account, view);
  const keys = all.map(({ key }) => key);
  return all.filter(({ key }, index) => keys.indexOf(key) === index);
}

/** Those that a code may be tried with (concepts.md §7, 6). */
async function openAuthenticators(
  behind: boolean,
  { account, view, admission }: AdmittedAccount,
): Promise<readonly Authenticator[]> {
  const all = distinctAuthenticators(account, view);
  const isOpen = await Promise.all(all.map(({ key }) => admission.mayTry(key, behind)));
  return all.filter((_, index) => isOpen[index]);
}

/** Whether something that a code alone is not tried with could be tried behind a right password. */
export async function isMoreOpenBehind(admitted: AdmittedAccount): Promise<boolean> {
  const [alone, behind] = [
    await openAuthenticators(false, admitted),
    await openAuthenticators(true, admitted),
  ];
  return behind.length > alone.length;
}

function whyNot(code: string, tried: readonly Authenticator[]): string {
  if (tried.length === 0) return 'nothing that the code could be tried with';
  return tried.some((authenticator) => authenticator.wasUsed(code))
    ? 'the code was used before, or one after it (replay)'
    : 'wrong code';
}

/** On the entry, for people to see; where it cannot be written, the count alone keeps it from being tried. */
export async function disableToken(account: CodeHolder, key: string, view: CodeView): Promise<void> {
  const token = account.tokens.find((one) => tokenKey(one, view.keys) === key);
  if (token) await noteState(account, () => tokenChanges(token.slot, { enabled: false }), view);
}
