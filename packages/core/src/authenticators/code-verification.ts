/** Verification of a code: which authenticator it is of, within the authenticator cap, after the PIN, and unless it was used before. */
import { yubicoOf } from '../foundation/oath/yubico.ts';
import { isSameSecret } from '../foundation/text/secret/same-secret.ts';
import { mayTry, wrongCodesOf } from '../limits/authenticator-cap.ts';
import type { Admission, WrongCode } from '../limits/limits-attempt.ts';
import type { KeyState } from '../ports/store/ledger.ts';
import type {
  Authenticator,
  AuthenticatorOwner,
  CodeContext,
  CodeUser,
  JudgingContext,
  ListAuthenticator,
  RightCode,
  TokenAuthenticator,
} from './authenticator.ts';
import { acceptedOf } from './claim-keys.ts';
import { isRepeatedCode } from './last-code.ts';
import { isEmergency, judgeListCode } from './lists.ts';
import { judgeOcra, type OcraToken } from './ocra-token.ts';
import { isSentCode } from './sent-code.ts';
import { clockOff, isPassed, type JudgeOptions, judgeCode } from './token.ts';

export type TriedCode =
  | { readonly right: RightCode }
  | {
      readonly right?: undefined;
      /** The authenticators that it was tried with. */
      readonly wrong: readonly WrongCode[];
      /** The reason, for the log and never for the caller. */
      readonly why: string;
    };

/** An admitted login whose code is tried. */
export interface Trying {
  readonly account: CodeUser;
  readonly view: Pick<CodeContext, 'keys' | 'clock'>;
  readonly admission: Pick<Admission, 'kind' | 'scope'>;
  /** The state of the store at the admission ({@link knownCodesKeys}). */
  readonly known: KeyState;
}

/** Tries a code with each authenticator that the cap leaves open. @param afterPassword the password was right */
export function tryCode(code: string, afterPassword: boolean, trying: Trying): TriedCode {
  const open = openAuthenticators(afterPassword, trying);
  for (const authenticator of open) {
    const right = find(code, authenticator, trying);
    if (right) return { right };
  }
  const wrong = open.map(({ key }) => ({ key, afterPassword }));
  return { wrong, why: whyNot(code, open, trying) };
}

/** Returns whether one of these codes is right now, for decisions that are not shown to the caller. Nothing is counted. */
export const isSomeRightNow = (codes: readonly string[], trying: Trying): boolean =>
  // All are verified, so that the time does not depend on which is right.
  codes.map((code) => isRightNow(code, trying)).includes(true);

/** Returns whether a code is right now, like {@link isSomeRightNow}. */
export const isRightNow = (code: string, trying: Trying): boolean =>
  openAuthenticators(true, trying)
    .map((authenticator) => find(code, authenticator, trying))
    .some((right) => right !== undefined);

/** Returns whether the cap closes an authenticator for a code alone and leaves it open after a right password. */
export const isMoreOpenAfterPassword = (trying: Trying): boolean =>
  openAuthenticators(true, trying).length > openAuthenticators(false, trying).length;

/** Returns the authenticators that a code may be tried with (docs/concepts/limits.md#authenticator-cap). */
function openAuthenticators(
  afterPassword: boolean,
  { account, admission, known }: Trying,
): readonly Authenticator[] {
  const open: Authenticator[] = [];
  for (const one of account.authenticators) {
    if (isUnasked(one)) continue;
    if (mayTry(wrongCodesOf(known.value(one.wrongCodes)), afterPassword, admission)) open.push(one);
  }
  return open;
}

/** Returns whether an OCRA token has no question. No code can be its own, and no wrong code counts against it. */
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

/** Verifies a code of one authenticator. The time reveals nothing of the PIN. @returns undefined if it is wrong or known as used */
export function findCode(
  text: string,
  of: Authenticator,
  owner: AuthenticatorOwner,
  context: JudgingContext,
): RightCode | undefined {
  if (of.kind === 'EMERGENCY') return isEmergency(of.emergency, text) ? { kind: 'emergency', of } : undefined;
  if (of.kind === 'SMS' || of.kind === 'MAIL')
    return isSentCode(text, of, context) ? { kind: 'sent', of } : undefined;
  const { isRight, code } = afterPrefix(of.prefix, text);
  const found = of.kind === 'TOKEN' ? findOfToken(code, of, owner, context) : findOfList(code, of);
  return isRight ? found : undefined;
}

/** Splits a text after the PIN. The code after a wrong PIN is verified too, so that the time is the same. */
export function afterPrefix(
  prefix: string | undefined,
  text: string,
): { readonly isRight: boolean; readonly code: string } {
  if (prefix === undefined) return { isRight: true, code: text };
  const trimmed = text.trimStart();
  const isRight = isSameSecret(trimmed.slice(0, prefix.length), prefix);
  return { isRight, code: trimmed.slice(prefix.length) };
}

function findOfToken(
  code: string,
  of: TokenAuthenticator,
  owner: AuthenticatorOwner,
  context: JudgingContext,
): RightCode | undefined {
  const { token, rules, claims } = of;
  if (token.type === 'YUBICLOUD') {
    const otp = yubicoOf(code, token.id ?? '');
    return otp === undefined ? undefined : { kind: 'cloud', of, otp };
  }
  const accepted = acceptedOf(token, rules, { known: context.known, claims });
  const options = { rules, now: context.clock.now(), accepted };
  if (token.type === 'OCRA') return findOfOcra(code, { ...of, token }, options);
  const verdict = judgeCode(token, code, options);
  if (verdict) return { kind: 'token', of, code, verdict };
  return isRepeatedCode({ code, of, accepted }, owner, context) ? { kind: 'again', of } : undefined;
}

function findOfOcra(
  code: string,
  { question, ...of }: TokenAuthenticator & { readonly token: OcraToken },
  options: JudgeOptions,
): RightCode | undefined {
  const verdict = question === undefined ? undefined : judgeOcra(of.token, code, { ...options, question });
  return verdict && { kind: 'ocra', of, verdict };
}

function findOfList(code: string, of: ListAuthenticator): RightCode | undefined {
  const position = judgeListCode(of.list, code);
  return position === undefined ? undefined : { kind: 'list', of, position };
}

/** Measures the clock of a token whose code is right for another moment. @returns seconds off; undefined: for no moment nearby */
export function otherMoment(
  text: string,
  of: Authenticator,
  { clock }: Pick<JudgingContext, 'clock'>,
): number | undefined {
  if (of.kind !== 'TOKEN' || of.token.type !== 'TOTP') return undefined;
  const { isRight, code } = afterPrefix(of.prefix, text);
  const off = clockOff(of.token, code, { rules: of.rules, now: clock.now() });
  return isRight ? off : undefined;
}

/** Returns whether a code was right before. */
export function wasUsed(text: string, of: Authenticator, { clock }: Pick<JudgingContext, 'clock'>): boolean {
  if (of.kind !== 'TOKEN' && of.kind !== 'LIST') return false;
  const { isRight, code } = afterPrefix(of.prefix, text);
  const was =
    of.kind === 'TOKEN'
      ? of.token.type !== 'OCRA' &&
        of.token.type !== 'YUBICLOUD' &&
        isPassed(of.token, code, { rules: of.rules, now: clock.now() })
      : judgeListCode({ ...of.list, used: new Set() }, code) !== undefined;
  return was && isRight;
}
