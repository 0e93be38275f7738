/** Oracle: which of the presented values are tried, and the outcome (docs/concepts/limits.md). */
import type { Attempt, Credentials } from './oracle-attempt.ts';
import { type Authenticator, numberOf, type Reading, readingsOf, useUp } from './oracle-people.ts';
import { sourceOf } from './oracle-sources.ts';

type Answer = Extract<Credentials, { answer: string }>;

export interface View {
  readonly now: number;
  /** The lockout, or a source without tokens, began then: only a combined proof is judged. */
  readonly refusedSince: number | undefined;
  /** It is tried alone: `password`, or the key of what the user has. */
  isTriedAlone(key: string): boolean;
  /** It is tried at all. */
  isTried(key: string): boolean;
  /** Wrong passwords that the directory may still see. */
  readonly binds: number;
  readonly judgesRefused: boolean;
  /** The daily quota is used up, which is hidden: nothing is right. */
  readonly isDoomed: boolean;
}

export type Verdict =
  | { readonly kind: 'unjudged' }
  /** Neither success nor failure. */
  | { readonly kind: 'challenge'; readonly afterPassword: boolean }
  | Granted
  | Failed;

export interface Granted {
  readonly kind: 'granted';
  readonly isCombined: boolean;
  /** Those that showed that they are the user's. */
  readonly used: readonly string[];
  readonly concat: number;
  readonly wrongBinds: number;
  useUp(): void;
}

export interface Failed {
  readonly kind: 'failed';
  /** Judged as a combined proof. */
  readonly isCombined: boolean;
  /** Whether a failure counts in the failure streak; else it costs a token of the source only. */
  readonly countsInStreak: boolean;
  /** Takes one of the daily quota. */
  readonly takesQuota: boolean;
  /** Wrong passwords, as many as the text was read as. */
  readonly passwords: number;
  /** Wrong codes, by what they were tried with. */
  readonly codes: readonly string[];
  readonly afterPassword: boolean;
  readonly wrongBinds: number;
}

const unjudged: Verdict = { kind: 'unjudged' };

interface JudgingContext {
  readonly attempt: Attempt;
  readonly view: View;
}

export function judge(attempt: Attempt, view: View): Verdict {
  const { credentials, mode, person } = attempt;
  const context = { attempt, view };
  if ('certificate' in credentials) return judgeCertificate(credentials.certificate, view);
  if ('answer' in credentials) return judgeAnswer(credentials, context);
  const readings = 'text' in credentials ? readingsOf(credentials.text, person) : [credentials];
  if (mode === 'OTP')
    return judgeCodeAlone('text' in credentials ? credentials.text : credentials.code, readings, context);
  if (isRefused(view) || !view.isTriedAlone('password')) return judgeCombined(readings, context);
  return judgePassword(mode === 'LDAP' ? readings.slice(0, 1) : readings, context);
}

const isRefused = ({ refusedSince }: View): boolean => refusedSince !== undefined;

/** It guesses nothing, and is complete by itself. */
function judgeCertificate(isRight: boolean, view: View): Verdict {
  const isCombined = isRefused(view);
  if (isCombined && !view.judgesRefused) return unjudged;
  return isRight && !view.isDoomed
    ? { ...nothingUsed, isCombined }
    : { ...failed, isCombined, countsInStreak: false };
}

function judgeAnswer({ answer, challenge }: Answer, context: JudgingContext): Verdict {
  const { attempt, view } = context;
  const isTheirs = sourceOf(attempt.caller, undefined).caller === challenge.source.caller;
  const isBefore = challenge.begun <= (view.refusedSince ?? Number.POSITIVE_INFINITY);
  if (isRefused(view) && !(view.judgesRefused && challenge.afterPassword && isBefore && isTheirs))
    return unjudged;
  return judgeCode(answer, context, { afterPassword: challenge.afterPassword, isCombined: isRefused(view) });
}

/** A code and no password is wanted. */
function judgeCodeAlone(
  code: string | undefined,
  readings: readonly Reading[],
  context: JudgingContext,
): Verdict {
  const { view } = context;
  if (isRefused(view)) return judgeCombined(readings, context);
  if (code === undefined) return { kind: 'challenge', afterPassword: false };
  const closed = usable(context).filter(({ key }) => !view.isTriedAlone(key));
  return closed.length > 0
    ? judgeCombined(readings, context)
    : judgeCode(code, context, { afterPassword: false });
}

/** @param how `afterPassword`: the password was right */
function judgeCode(
  code: string,
  context: JudgingContext,
  how: { afterPassword: boolean; isCombined?: boolean; concat?: number },
): Granted | Failed {
  const { afterPassword, isCombined = false, concat = 0 } = how;
  const tried = usable(context).filter(({ key }) => afterPassword || context.view.isTriedAlone(key));
  const right = rightOf(code, tried, context);
  const used = [...(afterPassword ? ['password'] : []), ...(right ? [right.one.key] : [])];
  if (right) return { ...nothingUsed, isCombined, used, concat, useUp: () => useUp(right.one, right.number) };
  return {
    ...failed,
    isCombined,
    countsInStreak: !isCombined,
    takesQuota: true,
    codes: tried.map(({ key }) => key),
    afterPassword,
  };
}

/** No lockout is in force, and the mode wants the password, or both. */
function judgePassword(readings: readonly Reading[], context: JudgingContext): Verdict {
  const { right, wrong: wrongBinds } = bind(readings, context);
  const { mode } = context.attempt;
  if (!right) {
    const isHalf = mode === 'LDAPOTP' && readings.some((reading) => isCodeRight(reading, context));
    return { ...failed, countsInStreak: true, takesQuota: isHalf, passwords: wrongBinds, wrongBinds };
  }
  if (mode === 'LDAP') return { ...nothingUsed, used: ['password'], wrongBinds };
  if (right.code !== undefined)
    return { ...judgeCode(right.code, context, afterPasswordOf(right)), wrongBinds };
  return usable(context).length > 0
    ? { kind: 'challenge', afterPassword: true }
    : { ...failed, countsInStreak: true };
}

/** Combined proof: both, whatever the mode wants. Both are looked at, also where the first is wrong. */
function judgeCombined(all: readonly Reading[], context: JudgingContext): Verdict {
  const readings = all.filter(({ password, code }) => password !== undefined && code !== undefined);
  if (readings.length === 0 || !context.view.judgesRefused) return unjudged;
  const { right, wrong, asked } = bind(readings, context);
  if (right) {
    const verdict = judgeCode(right.code ?? '', context, { ...afterPasswordOf(right), isCombined: true });
    // What the directory may still see tells of no right password.
    return { ...verdict, wrongBinds: verdict.kind === 'granted' ? wrong : asked };
  }
  const isHalf = readings.some((reading) => isCodeRight(reading, context));
  const passwords = isHalf ? wrong : 0;
  return {
    ...failed,
    isCombined: true,
    countsInStreak: false,
    takesQuota: isHalf,
    passwords,
    wrongBinds: asked,
  };
}

/** The length of the code at the end of a text, which a grant reports. */
const afterPasswordOf = ({ isText, code = '' }: Reading) => ({
  afterPassword: true,
  concat: isText ? code.length : 0,
});

/** Tries the passwords, those with a code that is right now first, as many as the directory may see. */
function bind(readings: readonly Reading[], context: JudgingContext): Bound {
  const isLikely = (reading: Reading) => isCodeRight(reading, context);
  const order = [...readings.filter(isLikely), ...readings.filter((reading) => !isLikely(reading))];
  const tried = order.filter(({ password }) => password !== undefined).slice(0, context.view.binds);
  const isRight = ({ password }: Reading) =>
    !context.view.isDoomed && password === context.attempt.person.password;
  const found = tried.findIndex(isRight);
  const right = tried[found];
  if (right) return { right, wrong: found, asked: found + 1 };
  return { wrong: tried.length, asked: tried.length };
}

interface Bound {
  readonly right?: Reading;
  /** Passwords that the directory was asked about, and those of them that were wrong. */
  readonly asked: number;
  readonly wrong: number;
}

const isCodeRight = ({ password, code }: Reading, context: JudgingContext): boolean =>
  password !== undefined && code !== undefined && rightOf(code, usable(context), context) !== undefined;

const usable = ({ attempt, view }: JudgingContext): readonly Authenticator[] =>
  view.isDoomed ? [] : attempt.person.has.filter(({ key }) => view.isTried(key));

function rightOf(code: string, among: readonly Authenticator[], { view }: JudgingContext) {
  for (const one of among) {
    const number = numberOf(code, one, view.now);
    if (number !== undefined) return { one, number };
  }
  return undefined;
}

const failed = {
  ...({ kind: 'failed', isCombined: false, takesQuota: false } as const),
  ...{ passwords: 0, codes: [], afterPassword: false, wrongBinds: 0 },
};
const nothingUsed = {
  kind: 'granted',
  isCombined: false,
  used: [],
  concat: 0,
  wrongBinds: 0,
  useUp: () => {},
} as const;
