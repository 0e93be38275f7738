/** Outcomes of a login, pure: what a login claims, and how it ends if the claim succeeds or fails. */

import type { CodeClaim, NoClaim } from '../authenticators/code-claim.ts';
import { ServiceError } from '../foundation/errors/errors.ts';
import type { AttemptOutcome, AttemptResult } from '../limits/limits-attempt.ts';
import { isFree, type NumberClaim, type StepState, type TimedValue } from '../ports/store/ledger.ts';
import { read } from '../table/setting.ts';
import { loginClaim } from './account.ts';
import { challengeKey } from './challenge.ts';
import { loginSettings } from './settings.ts';
import { type Failed, failed, type LoginEnding, type Right, type Unfinished } from './verdict.ts';
import type { LoginView } from './view.ts';

/** The claim of a login, and its ending by whether the claim is free. */
export interface LoginClaim {
  /** Durable keys that `decide` reads, changes or claims. */
  readonly keys: readonly string[];
  readonly possible: readonly AttemptResult[];
  decide(state: StepState): LoginAttemptOutcome;
}

export interface LoginAttemptOutcome extends AttemptOutcome {
  /**
   * `ended`: another answer to the challenge was faster. `again`: another login has claimed this use of the code, and there may be
   * another one: the next is prepared.
   */
  readonly ending: LoginEnding | 'ended' | 'again';
}

/** An ending that depends on no claim. */
export const decided = (
  ending: LoginEnding,
  values: ReadonlyMap<string, TimedValue | null> = new Map(),
): LoginClaim => ({
  keys: [...values.keys()],
  possible: [ending.result],
  decide: () => ({ ending, result: ending.result, values }),
});

export const refused = ({ why, result, isNoEvent }: Failed): LoginEnding => ({
  outcome: { kind: 'refused' },
  result,
  text: `refused: ${why}`,
  ...(isNoEvent && { isNoEvent }),
});

/** Only a line in the log: while a directory is down, every login would fill the event log. */
export const unfinished = ({ error, budgetSpent }: Unfinished): LoginEnding => ({
  outcome: error,
  result: { end: 'neither', budgetSpent },
  text: 'refused: it could not be judged to its end',
  isNoEvent: true,
});

/** The claim of a login that shows no code. */
export const noCodeClaim: CodeClaim = { values: new Map() };

/** The session and the code are claimed together: two codes do not make two logins of one challenge. */
export function claimRight(
  claimed: CodeClaim | NoClaim,
  proof: Right,
  view: Pick<LoginView, 'clock'>,
): LoginClaim {
  // The challenge waits on, as after any wrong code.
  if (claimed === 'wrong') return decided(unknownCode(proof));
  if (claimed === 'unverified') return decided(unverified(proof));
  const over = sessionOver(proof);
  if (claimed === 'taken') return unlessEnded(over, decided(lostClaim(proof), over));
  if (claimed === 'unkept') return unlessEnded(over, decided(unkept(proof), over));
  const { claim, isOneOfMany, raised, values } = claimed;
  const claims: NumberClaim[] = [];
  if (claim) claims.push(claim);
  if (raised) claims.push(raised);
  claims.push(loginClaim(proof.account, view));
  const ours = granted(proof);
  const gained = over.size === 0 ? values : new Map([...over, ...values]);
  return unlessEnded(over, {
    keys: keysOf(gained, claims),
    possible: claim ? [ours.result, lostClaimResult(proof)] : [ours.result],
    decide: (state) => {
      if (!claim || isFree(state, claim))
        return { ending: ours, result: ours.result, values: gained, claims };
      if (isOneOfMany) return { ending: 'again' };
      const late = lostClaim(proof);
      return { ending: late, result: late.result, values: over };
    },
  });
}

function keysOf(values: CodeClaim['values'], claims: readonly NumberClaim[]): readonly string[] {
  const keys: string[] = values.size === 0 ? [] : [...values.keys()];
  for (const { key } of claims) keys.push(key);
  return keys;
}

/** Claims nothing where another answer to the challenge was faster. */
function unlessEnded(over: ReadonlyMap<string, null>, claim: LoginClaim): LoginClaim {
  if (over.size === 0) return claim;
  const isThere = (state: StepState) => [...over.keys()].every((key) => state.value(key));
  return { ...claim, decide: (state) => (isThere(state) ? claim.decide(state) : { ending: 'ended' }) };
}

/** Removes the session of the challenge that was answered. */
const sessionOver = ({ session }: Right): ReadonlyMap<string, null> =>
  session === undefined ? noSessionOver : new Map([[challengeKey(session), null]]);

const noSessionOver: ReadonlyMap<string, null> = new Map();

function granted({ account, first, code, graceLogins, concat, budgetSpent }: Right): LoginEnding {
  const by = first && code ? `${first} and ${code.of.kind}` : (first ?? code?.of.kind ?? '');
  const used: string[] = first === 'password' ? [first] : [];
  if (code) used.push(code.of.key);
  return {
    outcome: {
      kind: 'granted',
      data: read(account.settings, loginSettings.ReplyData) ?? '',
      concat,
      by: { dn: account.dn, isByPassword: first === 'password', isByFactor: code !== undefined },
    },
    result: { end: 'granted', used, budgetSpent },
    text: `granted by ${by}${graceText(graceLogins)}`,
  };
}

export const graceText = (logins: number | undefined): string =>
  logins === undefined ? '' : `; the password is past its time, ${logins} grace logins remain`;

/** A right code was not guessed: the failure counts, but not towards the authenticator cap. */
const lostClaimResult = ({ ifClaimLost }: Right): AttemptResult => ({
  end: 'failed',
  isPartialSuccess: true,
  ...ifClaimLost,
});

const lostClaim = (proof: Right): LoginEnding => ({
  outcome: { kind: 'refused' },
  result: lostClaimResult(proof),
  text: 'refused: another login was faster with the same code',
});

/** The verification server knows no such code: it counts as a wrong code. */
function unknownCode({ first, code, ifClaimLost }: Right): LoginEnding {
  const wrongCodes = code ? [{ key: code.of.key, afterPassword: first !== undefined }] : [];
  const why = `${first ? `${first} right, ` : ''}the verification server knows no such code`;
  return refused(failed(why, { isPartialSuccess: true, wrongCodes, ...ifClaimLost }));
}

/** Counts for no user. Only a line in the log: while no server answers, every login would fill the event log. */
const unverified = ({ ifClaimLost }: Right): LoginEnding => ({
  outcome: new ServiceError('unavailable', { detail: 'the code cannot be verified' }),
  result: { end: 'neither', ...ifClaimLost },
  text: 'refused: no verification server has judged the code',
  isNoEvent: true,
});

/** Counts for no user, and claims nothing. The log says what is wrong with the entry. */
const unkept = ({ code, ifClaimLost }: Right): LoginEnding => ({
  outcome: new ServiceError('unavailable', { detail: 'the state of the code cannot be kept' }),
  result: { end: 'neither', ...ifClaimLost },
  text: `refused: right, but the state of the ${code?.of.kind} code could not be kept on the entry`,
});
