/** The commit of a login: its claim, its counters and its event are durable as one before it is answered. */

import { claimAtHand, prepareClaim } from '../authenticators/code-claim.ts';
import { relyingPartyOf } from '../authenticators/device.ts';
import { isSent } from '../authenticators/sent-code.ts';
import { questionFor } from '../authenticators/user-authenticators.ts';
import { type AuditReport, logReports } from '../events/recorded.ts';
import { noSession } from '../foundation/errors/errors.ts';
import type { Admitted, CommitResult } from '../limits/limits-attempt.ts';
import { randomSession } from '../ports/random.ts';
import type { TimedValue } from '../ports/store/ledger.ts';
import { auditEventOf } from './audit.ts';
import { assertChallenge, challengeRateKey, countChallenge, newChallenge } from './challenge.ts';
import { type CodeMessage, codeMessage } from './code-message.ts';
import type { LoginContext } from './context.ts';
import type { LoginAttempt } from './credentials.ts';
import {
  claimRight,
  decided,
  graceText,
  type LoginAttemptOutcome,
  type LoginClaim,
  noCodeClaim,
  refused,
  unfinished,
} from './outcome.ts';
import type { DeviceChallenge } from './request.ts';
import { type ChallengeDue, type LoginEnding, unjudged, type Verdict } from './verdict.ts';
import type { LoginCall, LoginView } from './view.ts';

/** A login after its commit. */
export interface Committed extends CommitResult {
  readonly ending: LoginEnding;
}

/** @throws ServiceError `not_found` where the session of the challenge has ended; `unavailable` */
export async function commit(
  verdict: Verdict,
  { attempt, admitted }: { readonly attempt: LoginAttempt; readonly admitted: Admitted },
  call: LoginCall,
): Promise<Committed> {
  for (;;) {
    const claim = await prepare(verdict, attempt.loginContext, call);
    const { outcome, reports, ...counted } = await call.limits.commit<LoginAttemptOutcome, AuditReport>(
      admitted,
      {
        ...claim,
        report: ({ ending }, happened) =>
          typeof ending === 'string' ? [] : auditEventOf(attempt, ending, happened, call),
      },
    );
    logReports(reports, call.log);
    if (outcome.ending === 'ended') throw noSession();
    if (outcome.ending !== 'again') return { ...counted, ending: outcome.ending };
  }
}

/** The context of a message with a code. */
type ClaimingCall = LoginView & Pick<LoginCall, 'application' | 'transaction'>;

/**
 * Prepares the claim of a verdict. Waits where the entry keeps the state of a code, and it is written first; for a verification server; for the
 * session of a challenge, and the certificate of a mail.
 * @throws ServiceError `not_found` where the session of the challenge has ended; `unavailable`
 */
export async function prepare(
  verdict: Verdict,
  loginContext: LoginContext,
  view: ClaimingCall,
): Promise<LoginClaim> {
  switch (verdict.kind) {
    case 'failed':
      return decided(refused(verdict));
    case 'unfinished':
      return decided(unfinished(verdict));
    case 'challenge':
      return challenge(verdict, loginContext, view);
    case 'right': {
      const { session, code, account } = verdict;
      if (session !== undefined) await assertChallenge(session, view);
      if (!code) return claimRight(noCodeClaim, verdict, view);
      await view.storeBindings.assure(account.dn);
      const claim = claimAtHand(code, account, view) ?? (await prepareClaim(code, account, view));
      return claimRight(claim, verdict, view);
    }
  }
}

/** Makes a challenge, and the message with its code where one is sent. */
async function challenge(
  { of: whose, factor, devices, afterPassword, graceLogins, budgetSpent }: ChallengeDue,
  loginContext: LoginContext,
  view: ClaimingCall,
): Promise<LoginClaim> {
  const session = randomSession(view.random);
  const asking = { loginContext, factor, afterPassword };
  const sending =
    factor && isSent(factor) ? await codeMessage(whose, { ...asking, factor, session }, view) : undefined;
  const question =
    factor === 'TOKEN' && whose.tokens
      ? questionFor({ tokens: whose.tokens }, view.random, view.clock.now())
      : undefined;
  const begun = { session, sent: sending?.sent, devices: deviceChallenge(devices, view), question, view };
  const { outcome, values } = newChallenge(whose, asking, begun);
  const waitedFor = [factor, devices.length > 0 ? 'FIDO2' : undefined].filter((one) => one !== undefined);
  const text = `${afterPassword ? 'password right' : 'no code'}, waiting for ${waitedFor.join(' or ')}${graceText(graceLogins)}`;
  const ending: LoginEnding = { outcome, result: { end: 'neither', budgetSpent }, text };
  const asked = afterPassword ? ending : { ...ending, isNoEvent: true, isDelayed: true };
  const claim = sending ? sendingClaim(asked, values, sending) : decided(asked, values);
  return afterPassword ? claim : withinRate(claim, loginContext, view);
}

/** Applies the rate limit of challenges that a source begins without a password, per minute. */
function withinRate(claim: LoginClaim, loginContext: LoginContext, view: ClaimingCall): LoginClaim {
  const tooMany = refused(unjudged('too many challenges were begun from there'));
  return {
    keys: [...claim.keys, challengeRateKey(loginContext)],
    possible: [...claim.possible, tooMany.result],
    decide: (state) => {
      const counted = countChallenge(loginContext, state, view);
      if (!counted) return { ending: tooMany, result: tooMany.result };
      const outcome = claim.decide(state);
      return { ...outcome, values: new Map([...(outcome.values ?? []), counted]) };
    },
  };
}

/** 32 random bytes (WebAuthn §13.4.3 wants 16), to be signed by one of these devices. */
function deviceChallenge(devices: readonly string[], view: ClaimingCall): DeviceChallenge | undefined {
  if (devices.length === 0) return undefined;
  const challenge = Buffer.from(view.random.bytes(32)).toString('base64');
  const credentialIds = devices.map((id) => Buffer.from(id, 'base64url').toString('base64'));
  return { challenge, rpId: relyingPartyOf(view).id, credentialIds };
}

/**
 * Puts the message into the outbox in the step that begins the challenge. Where its budget is used up, no message is sent. Without a right
 * password the answer does not say so, as it never says whether there is such a user.
 */
function sendingClaim(
  asked: LoginEnding,
  challenge: ReadonlyMap<string, TimedValue>,
  { prepared, values }: CodeMessage,
): LoginClaim {
  const sent: LoginEnding = { ...asked, prepared };
  const begun = new Map([...challenge, ...values]);
  const { isNoEvent: isAlone = false } = asked;
  return {
    keys: [...begun.keys(), ...prepared.keys],
    possible: [sent.result],
    decide: (state) => {
      const written = prepared.write(state);
      if (!('usedUp' in written))
        return { ending: sent, result: sent.result, values: new Map([...begun, ...written]) };
      const text = `${asked.text}, but nothing was sent: the budget ${written.usedUp} is used up`;
      const ending: LoginEnding = isAlone ? { ...asked, text } : { ...refusedUnsent(asked), text };
      return { ending, result: ending.result, values: isAlone ? begun : new Map() };
    },
  };
}

const refusedUnsent = ({ result }: LoginEnding): Omit<LoginEnding, 'text'> => ({
  outcome: { kind: 'refused' },
  result,
});
