/**
 * What was proved, used up: of all who show the same code, or answer the same challenge, one is let in. What goes to the
 * entry first is done here; the rest is told, to be claimed in the step that writes the login down.
 */
import { questionFor } from '../authenticators/code/codes.ts';
import { isSent } from '../authenticators/code/sent-code.ts';
import { type CodeUse, type NoUse, noteUse, prepareUse } from '../authenticators/code/used-code.ts';
import { relyingPartyOf } from '../authenticators/device/relying-party.ts';
import { ServiceError } from '../foundation/errors/errors.ts';
import { type Soon, soonWith } from '../foundation/runtime/soon.ts';
import type { Judged, Upshot } from '../limits/attempter.ts';
import { randomSession } from '../ports/random.ts';
import {
  isFree,
  type LedgerChanges,
  type NumberClaim,
  type StateBefore,
  type TimedValue,
} from '../ports/store/ledger.ts';
import { read } from '../table/setting.ts';
import { loginClaim } from './account.ts';
import { admitsChallenge, assertChallenge, challengeKey, newChallenge } from './challenge.ts';
import { type CodeMessage, codeMessage } from './code-message.ts';
import type { LoginContext } from './context.ts';
import type { DeviceChallenge } from './request.ts';
import { loginSettings } from './settings.ts';
import {
  type ChallengeDue,
  type Failed,
  failed,
  type LoginEnding,
  type Right,
  type Unfinished,
  unjudged,
  type Verdict,
} from './verdict.ts';
import type { LoginCall, LoginView } from './view.ts';

/** What an attempt claims, and what it comes to by whether it gets that. */
export interface LoginClaim {
  /** What it goes by. */
  readonly keys: readonly string[];
  readonly possible: readonly Judged[];
  decide(found: StateBefore): LoginUpshot;
}

export interface LoginUpshot extends Upshot {
  /**
   * `gone`: another answer to the challenge was faster. `again`: somebody has the use that was meant for this attempt, and
   * there may be another one: what it claims is asked for anew.
   */
  readonly verdict: LoginEnding | 'gone' | 'again';
}

/** What a code is sent for, beside. */
type ClaimingCall = LoginView & Pick<LoginCall, 'application' | 'transaction'>;

/** @throws ServiceError `not_found` where the session of the challenge has ended; `unavailable` */
export function claimOf(proof: Verdict, loginContext: LoginContext, view: ClaimingCall): Soon<LoginClaim> {
  switch (proof.kind) {
    case 'failed':
      return decided(refused(proof));
    case 'challenge':
      return ask(proof, loginContext, view);
    case 'right':
      return use(proof, view);
    case 'unfinished':
      return decided(unfinished(proof));
  }
}

/** It hangs on nothing. */
const decided = (
  verdict: LoginEnding,
  values: NonNullable<LedgerChanges['values']> = new Map(),
): LoginClaim => ({
  keys: [...values.keys()],
  possible: [verdict.counts],
  decide: () => ({ verdict, counts: verdict.counts, values }),
});

const refused = ({ why, counts, isNoEvent }: Failed): LoginEnding => ({
  outcome: { kind: 'refused' },
  counts,
  text: `refused: ${why}`,
  ...(isNoEvent && { isNoEvent }),
});

/** Only a line in the log: while a directory is down, all who ask would fill the event log. */
const unfinished = ({ error, passedOn }: Unfinished): LoginEnding => ({
  outcome: error,
  counts: { end: 'neither', passedOn },
  text: 'refused: it could not be judged to its end',
  isNoEvent: true,
});

/** A challenge of its own for each who is asked; without a password, as many as a place may begin. */
async function ask(
  { of: whose, factor, devices, afterPassword: behind, graceLogins, passedOn }: ChallengeDue,
  loginContext: LoginContext,
  view: ClaimingCall,
): Promise<LoginClaim> {
  if (!behind && !(await admitsChallenge(loginContext, view)))
    return decided(refused(unjudged('too many challenges were begun from there')));
  const session = randomSession(view.random);
  const asking = { loginContext, factor, behind };
  const sending =
    factor && isSent(factor) ? await codeMessage(whose, { ...asking, factor, session }, view) : undefined;
  const question =
    factor === 'TOKEN' && whose.tokens
      ? questionFor({ tokens: whose.tokens }, view.random, view.clock.now())
      : undefined;
  const begun = { session, sent: sending?.sent, devices: deviceChallenge(devices, view), question, view };
  const { outcome, values } = newChallenge(whose, asking, begun);
  const waitedFor = [factor, devices.length > 0 ? 'FIDO2' : undefined].filter((one) => one !== undefined);
  const text = `${behind ? 'password right' : 'no code'}, waiting for ${waitedFor.join(' or ')}${graceText(graceLogins)}`;
  const verdict: LoginEnding = { outcome, counts: { end: 'neither', passedOn }, text };
  const asked = behind ? verdict : { ...verdict, isNoEvent: true, isHeldBack: true };
  return sending ? askBySending(asked, values, sending) : decided(asked, values);
}

/** 32 random bytes (WebAuthn §13.4.3 wants 16), to be signed by one of these devices. */
function deviceChallenge(devices: readonly string[], view: ClaimingCall): DeviceChallenge | undefined {
  if (devices.length === 0) return undefined;
  const challenge = Buffer.from(view.random.bytes(32)).toString('base64');
  const credentialIds = devices.map((id) => Buffer.from(id, 'base64url').toString('base64'));
  return { challenge, rpId: relyingPartyOf(view).id, credentialIds };
}

/**
 * The message goes into the outbox in the step that begins the challenge. Where too much was sent already, nothing is; who has
 * shown no password is not told, as nobody is told whether there is such a user.
 */
function askBySending(
  asked: LoginEnding,
  challenge: ReadonlyMap<string, TimedValue>,
  { posted, values }: CodeMessage,
): LoginClaim {
  const sent: LoginEnding = { ...asked, posted };
  const begun = new Map([...challenge, ...values]);
  const { isNoEvent: isAlone = false } = asked;
  return {
    keys: [...begun.keys(), ...posted.keys],
    possible: [sent.counts],
    decide: (found) => {
      const written = posted.write(found);
      if (!('usedUp' in written))
        return { verdict: sent, counts: sent.counts, values: new Map([...begun, ...written]) };
      const text = `${asked.text}, but nothing was sent: the budget ${written.usedUp} is used up`;
      const verdict: LoginEnding = isAlone ? { ...asked, text } : { ...refusedUnsent(asked), text };
      return { verdict, counts: verdict.counts, values: isAlone ? begun : new Map() };
    },
  };
}

const refusedUnsent = ({ counts }: LoginEnding): Omit<LoginEnding, 'text'> => ({
  outcome: { kind: 'refused' },
  counts,
});

/** The session and the code go together: two codes do not make two logins of one challenge. */
function use(proof: Right, view: LoginView): Soon<LoginClaim> {
  const { session } = proof;
  const about = { proof, view };
  return session === undefined ? useCode(about) : assertChallenge(session, view).then(() => useCode(about));
}

interface Using {
  readonly proof: Right;
  readonly view: LoginView;
}

function useCode(about: Using): Soon<LoginClaim> {
  const { code, account } = about.proof;
  if (!code) return claimFor(nothingLeft, about);
  const { view } = about;
  const assured = view.mark.assure(account.dn);
  return assured instanceof Promise
    ? assured.then(() => soonWith(prepareUse(code, account, view), claimFor, about))
    : soonWith(prepareUse(code, account, view), claimFor, about);
}

function claimFor(left: CodeUse | NoUse, { proof, view }: Using): LoginClaim {
  const { account } = proof;
  // The challenge waits on, as behind any wrong code.
  if (left === 'wrong') return decided(unknownCode(proof));
  if (left === 'unverified') return decided(unverified(proof));
  const over = sessionOver(proof);
  if (left === 'taken') return unlessGone(over, decided(tooLate(proof), over));
  if (left === 'unkept') return unlessGone(over, decided(unkept(proof), over));
  const { claim, isOneOfMany, raised, values } = left;
  const claims: NumberClaim[] = [];
  if (claim) claims.push(claim);
  if (raised) claims.push(raised);
  claims.push(loginClaim(account, view));
  const ours = granted(proof);
  const gained = over.size === 0 ? values : new Map([...over, ...values]);
  return unlessGone(over, {
    keys: keysOf(gained, claims),
    possible: claim ? [ours.counts, lateCounts(proof)] : [ours.counts],
    decide: (found) => {
      if (!claim || isFree(found, claim))
        return { verdict: ours, counts: ours.counts, values: gained, claims };
      if (isOneOfMany) return { verdict: 'again' };
      const theirs = tooLate(proof);
      return { verdict: theirs, counts: theirs.counts, values: over };
    },
  });
}

function keysOf(values: CodeUse['values'], claims: readonly NumberClaim[]): readonly string[] {
  const keys: string[] = values.size === 0 ? [] : [...values.keys()];
  for (const { key } of claims) keys.push(key);
  return keys;
}

/** Whatever it would come to, it is nothing where another answer to the challenge was faster. */
function unlessGone(over: ReadonlyMap<string, null>, claim: LoginClaim): LoginClaim {
  if (over.size === 0) return claim;
  const isThere = (found: StateBefore) => [...over.keys()].every((key) => found.value(key));
  return { ...claim, decide: (found) => (isThere(found) ? claim.decide(found) : { verdict: 'gone' }) };
}

/** A login that shows no code. */
const nothingLeft: CodeUse = { values: new Map() };

/** That of the challenge that was answered. */
const sessionOver = ({ session }: Right): ReadonlyMap<string, null> =>
  session === undefined ? noSessionOver : new Map([[challengeKey(session), null]]);

const noSessionOver: ReadonlyMap<string, null> = new Map();

/** What is only better written down, after the login; undefined: nothing. */
export const noteClaimed = (proof: Verdict, view: LoginView): Promise<unknown> | undefined =>
  proof.kind === 'right' && proof.code ? noteUse(proof.code, proof.account, view) : undefined;

function granted({ account, first, code, graceLogins, concat, passedOn }: Right): LoginEnding {
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
    counts: { end: 'granted', used, passedOn },
    text: `granted by ${by}${graceText(graceLogins)}`,
  };
}

const graceText = (logins: number | undefined): string =>
  logins === undefined ? '' : `; the password is past its time, ${logins} grace logins remain`;

/** Whoever knows a right code does not guess: it counts, but not towards the end of the token. */
const lateCounts = ({ ifLate }: Right): Judged => ({ end: 'failed', isHalfRight: true, ...ifLate });

const tooLate = (proof: Right): LoginEnding => ({
  outcome: { kind: 'refused' },
  counts: lateCounts(proof),
  text: 'refused: another login was faster with the same code',
});

/** What was taken for a code of the token is none: it counts as wrong ones do that are seen here. */
function unknownCode({ first, code, ifLate }: Right): LoginEnding {
  const wrongCodes = code ? [{ key: code.of.key, behind: first !== undefined }] : [];
  const why = `${first ? `${first} right, ` : ''}the verification server knows no such code`;
  return refused(failed(why, { isHalfRight: true, wrongCodes, ...ifLate }));
}

/** Nobody's failure. Only a line in the log: while no server answers, all who log in would fill the event log. */
const unverified = ({ ifLate }: Right): LoginEnding => ({
  outcome: new ServiceError('unavailable', { detail: 'the code cannot be verified' }),
  counts: { end: 'neither', ...ifLate },
  text: 'refused: no verification server has judged the code',
  isNoEvent: true,
});

/** Nobody's failure, and the code was not used up. What is wrong with the entry, the log tells. */
const unkept = ({ code, ifLate }: Right): LoginEnding => ({
  outcome: new ServiceError('unavailable', { detail: 'the state of the code cannot be kept' }),
  counts: { end: 'neither', ...ifLate },
  text: `refused: right, but the state of the ${code?.of.kind} code could not be kept on the entry`,
});
