/**
 * Whether an attempt is judged, and how. Rule 5, both together: under a refusal (2), at a place without failures left
 * (4) and where an authenticator is closed (6), a password and a code in one request, or the answer to a challenge
 * begun before, are still judged as a whole. A single factor opens nothing.
 */

import type { Attempter, Refused } from './attempt.ts';
import { isClosed } from './authenticator-cap.ts';
import { refusalNow } from './lockout.ts';
import { type Allowance, allowanceSpan, budgetLeft, budgetSpan, isToldUsedUp, isUsedUp } from './quotas.ts';
import { strangers } from './source.ts';
import { type Span, timeLeft } from './span.ts';
import { groundAt, type StateTerms, type UserState } from './user-state.ts';

export type Standing =
  | ({ readonly kind: 'alone' } & Judgeable)
  | ({ readonly kind: 'together'; readonly refusal: Refused } & Judgeable)
  | Refused;

interface Judgeable {
  readonly ground: string;
  readonly passwordsLeft: number;
  /** What nobody is told of: it is answered as if all of it were wrong. */
  readonly untold?: Refused | undefined;
}

export interface Circumstances extends StateTerms {
  /** The place has no failures left (rule 4). */
  readonly isEmpty: boolean;
  /** All codes that would be tried alone stand at 100 wrong ones (rule 6). */
  readonly areCodesClosed: boolean;
  /** The setting `judge_refused`: off for those who must not be told of both factors together. */
  readonly judgesRefused: boolean;
}

/** What may allow a single factor no more. */
interface Tightness extends Pick<Circumstances, 'isEmpty' | 'areCodesClosed'> {
  readonly ground: string;
  readonly refusal: Span | undefined;
}

/** A known place of the user's, its own ground, or that of all strangers. */
export function groundOf(state: UserState, { place, as }: Pick<Attempter, 'place' | 'as'>): string {
  if (as) return place.id;
  for (const one of state.known) if (one.place === place.id) return place.id;
  return strangers;
}

/** In this order: rules 10, 3, 9, and then 2, 4 and 6, which rule 5 softens. */
export function stand(state: UserState, attempter: Attempter, around: Circumstances): Standing {
  const { now, directoryFailures, isEmpty } = around;
  const ground = groundOf(state, attempter);
  const at = groundAt(state, ground);
  const passwordsLeft = ground === strangers ? budgetLeft(state.budget, directoryFailures, now) : infinite;
  if (state.block) return refusedFor([state.block], 'an administrator has blocked the user', now);
  if (attempter.as === 'super') return { kind: 'alone', ground, passwordsLeft };
  const refusal = at?.row && refusalNow(at.row, now);
  const row = refusal ? [refusal] : noSpan;
  const usedUp = at?.allowance && usedUpAllowance(at.allowance, attempter, now);
  const halfRight = usedUp && refusedFor([...row, allowanceSpan(usedUp)], tooManyHalfRight, now);
  if (halfRight && isToldUsedUp(usedUp, attempter.rules.maxTries)) return halfRight;
  if (passwordsLeft === 0 && state.budget && directoryFailures)
    return refusedFor(
      [...row, budgetSpan(state.budget, directoryFailures)],
      'the directory would lock the user',
      now,
    );
  const { areCodesClosed } = around;
  const why = whyTogether(state, attempter, { isEmpty, areCodesClosed, ground, refusal });
  if (why === undefined) return { kind: 'alone', ground, passwordsLeft, untold: halfRight };
  const refused = refusedFor([...row, ...(isEmpty ? [oneBack(now)] : [])], why, now);
  const isJudged = around.judgesRefused && isWhole(attempter, refusal);
  if (!isJudged) return refused;
  return { kind: 'together', ground, passwordsLeft, untold: halfRight, refusal: refused };
}

const noSpan: readonly Span[] = [];

export const tooManyHalfRight = 'too many attempts were half right';

const usedUpAllowance = (
  allowance: Allowance,
  { rules: { maxTries } }: Pick<Attempter, 'rules'>,
  now: number,
): Allowance | undefined => (isUsedUp(allowance, maxTries, now) ? allowance : undefined);

const infinite = Number.POSITIVE_INFINITY;

function whyTogether(
  state: UserState,
  { alone }: Pick<Attempter, 'alone'>,
  { ground, refusal, isEmpty, areCodesClosed }: Tightness,
): string | undefined {
  if (refusal) return 'too many failures';
  const isStrange = ground === strangers || groundAt(state, ground)?.isLost === true;
  if (!isStrange) return undefined;
  if (isEmpty) return noneAtPlace;
  if (alone.password && isClosed({ wrong: state.wrongPasswords })) return 'too many wrong passwords';
  return areCodesClosed ? 'too many wrong codes' : undefined;
}

/** A challenge counts that began before the refusal did: a password that was right then was no guess at it. */
function isWhole({ together }: Pick<Attempter, 'together'>, refusal: Span | undefined): boolean {
  if (typeof together === 'string') return together === 'both';
  return refusal === undefined || together.answer.begun <= refusal.start;
}

/** A place has one failure back in 3 s (rule 4). */
const oneBack = (now: number): Span => ({ start: now, length: 3000 });
const noneAtPlace = 'too many failures at the place';

/** As whoever is not known there is refused at a place without failures left: it tells nobody who is known. */
export const placeRefusal = (now: number): Refused => refusedFor([oneBack(now)], noneAtPlace, now);

/** The longest counts; what has no end ends with an administrator. */
function refusedFor(spans: readonly Span[], why: string, now: number): Refused {
  const longest = Math.max(0, ...spans.map((span) => timeLeft(span, now)));
  const isEndless = longest === 0 || !Number.isFinite(longest);
  return { kind: 'refused', why, secondsLeft: isEndless ? undefined : Math.ceil(longest / 1000) };
}

/** Of several refusals that which lasts longest; one that ends with an administrator is the longest of all. */
export const longest = (refused: readonly Refused[]): Refused | undefined =>
  [...refused].sort((one, other) => lasting(other) - lasting(one))[0];

const lasting = ({ secondsLeft = mostSeconds }: Refused): number => secondsLeft;
const mostSeconds = Number.MAX_SAFE_INTEGER;
