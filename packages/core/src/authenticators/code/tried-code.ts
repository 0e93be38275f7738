/** A code of a login, tried against all that it could be of: a token, a printed list, an emergency password. */

import { inWave } from '../../foundation/runtime/wave.ts';
import type { Admission, WrongCode } from '../../limits/attempt.ts';
import { mayTry, wrongCodesOf } from '../../limits/authenticator-cap.ts';
import type { StateBefore } from '../../ports/store/ledger.ts';
import type { CodeView } from '../view.ts';
import type { Authenticator, CodeUser, RightCode } from './authenticator.ts';
import { findCode, otherMoment, wasUsed } from './found-code.ts';

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
  readonly account: CodeUser;
  readonly view: Pick<CodeView, 'keys' | 'clock'>;
  readonly admission: Pick<Admission, 'kind' | 'ground'>;
  /** What the store knew as the attempt entered ({@link knownCodesKeys}). */
  readonly known: StateBefore;
}

/** @param behind the code stands behind a right password */
export function tryCode(code: string, behind: boolean, trying: Trying): TriedCode {
  const open = openAuthenticators(behind, trying);
  const { account, view, known } = trying;
  const judging = { keys: view.keys, clock: view.clock, known };
  for (const authenticator of open) {
    const right = findCode(code, authenticator, account, judging);
    if (right) return { right };
  }
  return { wrong: open.map(({ key }) => ({ key, behind })), why: whyNot(code, open, trying) };
}

/**
 * A code that stands behind a password. It is tried as soon as the question about the password is on its way: this thread
 * would do nothing else until the directory answers. Nobody learns what came of it before that.
 */
export class CodeBehind {
  readonly #code: string;
  readonly #trying: Trying;
  #tried: TriedCode | undefined;

  constructor(code: string, trying: Trying) {
    this.#code = code;
    this.#trying = trying;
    inWave(() => this.#tryEarly());
  }

  /** @throws ServiceError `internal` if its secret cannot be read */
  get tried(): TriedCode {
    this.#tried ??= tryCode(this.#code, true, this.#trying);
    return this.#tried;
  }

  #tryEarly(): void {
    try {
      void this.tried;
    } catch {
      // Thrown again for who asks for it.
    }
  }
}

/** Whether one of these codes is right at this moment. None is tried by this: whoever asks does not tell. */
export const isSomeRightNow = (codes: readonly string[], trying: Trying): boolean =>
  // All of them, so that it takes as long whichever it is.
  codes.map((code) => isRightNow(code, trying)).includes(true);

/** {@link isSomeRightNow}, of one. */
export const isRightNow = (code: string, trying: Trying): boolean =>
  openAuthenticators(true, trying)
    .map((authenticator) => find(code, authenticator, trying))
    .some((right) => right !== undefined);

/** Whether something that a code alone is not tried with could be tried behind a right password. */
export const isMoreOpenBehind = (trying: Trying): boolean =>
  openAuthenticators(true, trying).length > openAuthenticators(false, trying).length;

/** Those that a code may be tried with (concepts.md §7, 6). */
const openAuthenticators = (
  behind: boolean,
  { account, admission, known }: Trying,
): readonly Authenticator[] => {
  const open: Authenticator[] = [];
  for (const one of account.authenticators) {
    if (isUnasked(one)) continue;
    if (mayTry(wrongCodesOf(known.value(one.wrongCodes)), behind, admission)) open.push(one);
  }
  return open;
};

/** No code can be its: it is neither tried nor blamed. */
const isUnasked = (one: Authenticator): boolean =>
  one.kind === 'TOKEN' && one.token.type === 'OCRA' && one.question === undefined;

const find = (code: string, of: Authenticator, { account, view, known }: Trying): RightCode | undefined =>
  findCode(code, of, account, { keys: view.keys, clock: view.clock, known });

function whyNot(code: string, open: readonly Authenticator[], { view }: Trying): string {
  if (open.length === 0) return 'nothing that the code could be tried with';
  if (open.some((authenticator) => wasUsed(code, authenticator, view)))
    return 'the code was used before, or one after it (replay)';
  for (const authenticator of open) {
    const off = otherMoment(code, authenticator, view);
    if (off !== undefined)
      return `wrong code, right for another moment: it is ${Math.abs(off)} s ${off < 0 ? 'old, or the clock of the token behind' : 'early, as the clock of the token is ahead'}`;
  }
  return 'wrong code';
}
