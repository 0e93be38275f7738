/** Oracle: which of the presented values are tried, and the outcome (docs/concepts/limits.md). */
import type { Attempt, Shown } from './oracle-attempt.ts';
import { type Authenticator, numberOf, type Reading, readingsOf, useUp } from './oracle-people.ts';
import { placeOf } from './oracle-places.ts';

type Answer = Extract<Shown, { answer: string }>;

export interface View {
  readonly now: number;
  /** The user or the place is refused since then: only what is complete is judged, and that as a whole. */
  readonly refusedSince: number | undefined;
  /** It is tried alone: `password`, or the key of what the user has. */
  isTriedAlone(key: string): boolean;
  /** It is tried at all. */
  isTried(key: string): boolean;
  /** Wrong passwords that the directory may still see. */
  readonly binds: number;
  readonly judgesRefused: boolean;
  /** The allowance has ended, and nobody is told: nothing is right. */
  readonly isDoomed: boolean;
}

export type Verdict =
  | { readonly kind: 'unjudged' }
  /** Neither success nor failure; `behind` a right password. */
  | { readonly kind: 'challenge'; readonly behind: boolean }
  | Granted
  | Failed;

export interface Granted {
  readonly kind: 'granted';
  readonly together: boolean;
  /** Those that showed that they are the user's. */
  readonly used: readonly string[];
  readonly concat: number;
  readonly wrongBinds: number;
  useUp(): void;
}

export interface Failed {
  readonly kind: 'failed';
  /** Judged as a whole under a refusal. */
  readonly together: boolean;
  /** It counts towards the refusal of the user, else it costs the place only. */
  readonly inRow: boolean;
  /** Takes one of the daily quota. */
  readonly allowance: boolean;
  /** Wrong passwords, as many as the text was read as. */
  readonly passwords: number;
  /** Wrong codes, by what they were tried with. */
  readonly codes: readonly string[];
  readonly behind: boolean;
  readonly wrongBinds: number;
}

const unjudged: Verdict = { kind: 'unjudged' };

interface Ground {
  readonly attempt: Attempt;
  readonly view: View;
}

export function judge(attempt: Attempt, view: View): Verdict {
  const { shown, mode, person } = attempt;
  const ground = { attempt, view };
  if ('certificate' in shown) return judgeCertificate(shown.certificate, view);
  if ('answer' in shown) return judgeAnswer(shown, ground);
  const readings = 'text' in shown ? readingsOf(shown.text, person) : [shown];
  if (mode === 'OTP') return judgeCodeAlone('text' in shown ? shown.text : shown.code, readings, ground);
  if (isRefused(view) || !view.isTriedAlone('password')) return judgeTogether(readings, ground);
  return judgePassword(mode === 'LDAP' ? readings.slice(0, 1) : readings, ground);
}

const isRefused = ({ refusedSince }: View): boolean => refusedSince !== undefined;

/** It guesses nothing, and is complete by itself. */
function judgeCertificate(isRight: boolean, view: View): Verdict {
  const together = isRefused(view);
  if (together && !view.judgesRefused) return unjudged;
  return isRight && !view.isDoomed ? { ...nothingUsed, together } : { ...failed, together, inRow: false };
}

function judgeAnswer({ answer, challenge }: Answer, ground: Ground): Verdict {
  const { attempt, view } = ground;
  const isTheirs = placeOf(attempt.caller, undefined).caller === challenge.place.caller;
  const isBefore = challenge.begun <= (view.refusedSince ?? Number.POSITIVE_INFINITY);
  if (isRefused(view) && !(view.judgesRefused && challenge.behind && isBefore && isTheirs)) return unjudged;
  return judgeCode(answer, ground, { behind: challenge.behind, together: isRefused(view) });
}

/** A code and no password is wanted. */
function judgeCodeAlone(code: string | undefined, readings: readonly Reading[], ground: Ground): Verdict {
  const { view } = ground;
  if (isRefused(view)) return judgeTogether(readings, ground);
  if (code === undefined) return { kind: 'challenge', behind: false };
  const closed = usable(ground).filter(({ key }) => !view.isTriedAlone(key));
  return closed.length > 0 ? judgeTogether(readings, ground) : judgeCode(code, ground, { behind: false });
}

/** @param behind a right password */
function judgeCode(
  code: string,
  ground: Ground,
  how: { behind: boolean; together?: boolean; concat?: number },
): Granted | Failed {
  const { behind, together = false, concat = 0 } = how;
  const tried = usable(ground).filter(({ key }) => behind || ground.view.isTriedAlone(key));
  const right = rightOf(code, tried, ground);
  const used = [...(behind ? ['password'] : []), ...(right ? [right.one.key] : [])];
  if (right) return { ...nothingUsed, together, used, concat, useUp: () => useUp(right.one, right.number) };
  return {
    ...failed,
    together,
    inRow: !together,
    allowance: true,
    codes: tried.map(({ key }) => key),
    behind,
  };
}

/** No refusal is in force, and the mode wants the password, or both. */
function judgePassword(readings: readonly Reading[], ground: Ground): Verdict {
  const { right, wrong: wrongBinds } = bind(readings, ground);
  const { mode } = ground.attempt;
  if (!right) {
    const isHalf = mode === 'LDAPOTP' && readings.some((reading) => isCodeRight(reading, ground));
    return { ...failed, inRow: true, allowance: isHalf, passwords: wrongBinds, wrongBinds };
  }
  if (mode === 'LDAP') return { ...nothingUsed, used: ['password'], wrongBinds };
  if (right.code !== undefined) return { ...judgeCode(right.code, ground, behindOf(right)), wrongBinds };
  return usable(ground).length > 0 ? { kind: 'challenge', behind: true } : { ...failed, inRow: true };
}

/** Combined proof: both, whatever the mode wants. Both are looked at, also where the first is wrong. */
function judgeTogether(all: readonly Reading[], ground: Ground): Verdict {
  const readings = all.filter(({ password, code }) => password !== undefined && code !== undefined);
  if (readings.length === 0 || !ground.view.judgesRefused) return unjudged;
  const { right, wrong, asked } = bind(readings, ground);
  if (right) {
    const verdict = judgeCode(right.code ?? '', ground, { ...behindOf(right), together: true });
    // What the directory may still see tells of no right password.
    return { ...verdict, wrongBinds: verdict.kind === 'granted' ? wrong : asked };
  }
  const isHalf = readings.some((reading) => isCodeRight(reading, ground));
  const passwords = isHalf ? wrong : 0;
  return { ...failed, together: true, inRow: false, allowance: isHalf, passwords, wrongBinds: asked };
}

/** How long the code at the end of a text is, is told where it is granted. */
const behindOf = ({ isText, code = '' }: Reading) => ({ behind: true, concat: isText ? code.length : 0 });

/** Tries the passwords, those with a code that is right now first, as many as the directory may see. */
function bind(readings: readonly Reading[], ground: Ground): Bound {
  const isLikely = (reading: Reading) => isCodeRight(reading, ground);
  const order = [...readings.filter(isLikely), ...readings.filter((reading) => !isLikely(reading))];
  const tried = order.filter(({ password }) => password !== undefined).slice(0, ground.view.binds);
  const isRight = ({ password }: Reading) =>
    !ground.view.isDoomed && password === ground.attempt.person.password;
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

const isCodeRight = ({ password, code }: Reading, ground: Ground): boolean =>
  password !== undefined && code !== undefined && rightOf(code, usable(ground), ground) !== undefined;

const usable = ({ attempt, view }: Ground): readonly Authenticator[] =>
  view.isDoomed ? [] : attempt.person.has.filter(({ key }) => view.isTried(key));

function rightOf(code: string, among: readonly Authenticator[], { view }: Ground) {
  for (const one of among) {
    const number = numberOf(code, one, view.now);
    if (number !== undefined) return { one, number };
  }
  return undefined;
}

const failed = {
  ...({ kind: 'failed', together: false, allowance: false } as const),
  ...{ passwords: 0, codes: [], behind: false, wrongBinds: 0 },
};
const nothingUsed = {
  kind: 'granted',
  together: false,
  used: [],
  concat: 0,
  wrongBinds: 0,
  useUp: () => {},
} as const;
