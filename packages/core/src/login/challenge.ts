/**
 * Challenges: a login waits for its code, after a right password or if no password is required (docs/concepts/login.md#challenge). The
 * store keeps a challenge under the hash of the session id, so that a reader of the store cannot answer it.
 */

import { hash } from 'node:crypto';
import type { Caller } from '../administration/policy/caller.ts';
import type { AuthenticatorOwner, Factor, SentCode } from '../authenticators/authenticator.ts';
import { isSent, longestSent } from '../authenticators/sent-code.ts';
import { readSessionId } from '../events/recorded-step.ts';
import { noSession } from '../foundation/errors/errors.ts';
import { Dn } from '../foundation/text/dn.ts';
import { utf8Text } from '../foundation/text/value.ts';
import { isAhead } from '../ports/clock.ts';
import type { StepState, TimedValue } from '../ports/store/ledger.ts';
import { read } from '../table/setting.ts';
import type { Account } from './account.ts';
import type { LoginContext } from './context.ts';
import type { DeviceChallenge, LoginChallenge, LoginOutcome, LoginRequest } from './request.ts';
import { loginSettings } from './settings.ts';
import type { ChallengeView, ContextCall } from './view.ts';

export interface Challenge {
  readonly dn: Dn;
  /** The identifier of the user's entry: a new entry under the same name is another user. Left out: an absent user's. */
  readonly id?: string | undefined;
  /** The request without its secrets. */
  readonly request: LoginRequest;
  /** The caller who began it: a caller who passes the answer on is allowed what that one was, and no more. */
  readonly caller: Caller;
  /** The web service that began it: no other takes the answer. Left out: a record of the first release. */
  readonly service?: string | undefined;
  /** The password was right. */
  readonly afterPassword: boolean;
  /** The code that was sent for it. */
  readonly sent?: SentCode | undefined;
  /** The bytes that FIDO2 devices are asked to sign, base64url. */
  readonly devices?: string | undefined;
  /** The question to OCRA tokens. */
  readonly question?: string | undefined;
  /** Milliseconds since 1970. */
  readonly begun: number;
}

/** The user who is challenged; an absent user has no identifier of an entry. */
export type Challenged = Pick<AuthenticatorOwner, 'dn' | 'settings'> &
  Partial<Pick<Account, 'id' | 'channels' | 'entry' | 'tokens'>>;

/** Seconds; short, because a stranger may begin challenges without a password and must not fill the store. */
const longestAlone = 600;

/** Milliseconds in which challenges without a password are counted, from the first on. */
const rateSpan = 60_000;

/** The key of the challenges that a source has begun without a password. */
export const challengeRateKey = ({ source }: LoginContext): string => `challenge-rate:${source.id}`;

/** Counts a challenge without a password. @returns undefined: the source may begin no more of them in this minute */
export function countChallenge(
  context: LoginContext,
  state: StepState,
  { config }: Pick<ChallengeView, 'config'>,
): readonly [key: string, value: TimedValue] | undefined {
  const key = challengeRateKey(context);
  const [before = 0, begun = 0] = utf8Text(state.value(key) ?? emptyRate)
    .split(' ')
    .map(Number);
  const passed = state.now - begun;
  const isNew = !(passed >= 0 && passed < rateSpan);
  const [count, start] = isNew ? [1, state.now] : [before + 1, begun];
  if (count > config.limits.challenges_per_minute) return undefined;
  return [key, { value: Buffer.from(`${count} ${start}`, 'latin1'), seconds: rateSpan / 1000 }];
}

const emptyRate = Buffer.from('0 0');

/** A challenge to be made: the factor, and the login that waits. */
export interface Asking {
  readonly loginContext: LoginContext;
  readonly factor?: Factor | undefined;
  readonly afterPassword: boolean;
}

/** Returns how long an answer is waited for, in seconds. */
export function challengeSeconds(
  { settings }: Pick<Challenged, 'settings'>,
  { factor, afterPassword }: Omit<Asking, 'loginContext'>,
): number {
  const wanted = read(settings, loginSettings.ChallengeTimeout);
  return Math.min(
    wanted,
    afterPassword ? wanted : longestAlone,
    factor && isSent(factor) ? longestSent : wanted,
  );
}

/** Makes a challenge: its outcome, and the values that begin it once they are in the store. */
export function newChallenge(
  whose: Challenged,
  { loginContext, factor, afterPassword }: Asking,
  { session, sent, devices, question, view }: BegunChallenge,
): { readonly outcome: LoginOutcome; readonly values: ReadonlyMap<string, TimedValue> } {
  const { dn, id } = whose;
  const timeout = challengeSeconds(whose, { factor, afterPassword });
  const who = { dn: dn.format(), id, request: kept(loginContext.request), caller: loginContext.caller };
  const asked = devices && Buffer.from(devices.challenge, 'base64').toString('base64url');
  const known = {
    ...who,
    service: loginContext.service,
    behind: afterPassword,
    sent,
    devices: asked,
    question,
    begun: view.clock.now(),
  };
  const value = Buffer.from(JSON.stringify(known));
  return {
    outcome: { kind: 'challenge', session, timeout, factor, devices, question },
    values: new Map([[challengeKey(session), { value, seconds: timeout }]]),
  };
}

interface BegunChallenge {
  readonly session: string;
  readonly sent?: SentCode | undefined;
  readonly devices?: DeviceChallenge | undefined;
  readonly question?: string | undefined;
  readonly view: Pick<ChallengeView, 'clock'>;
}

/** Returns the fields of a request that name caller and user, without its secrets. */
const kept = ({
  username,
  domain,
  client,
  source,
  settings,
  options,
  demand,
}: LoginRequest): LoginRequest => ({
  ...{ username, domain, client, source, settings, options, demand },
});

/** @throws ServiceError `invalid_params` if it cannot be the id of a session; `not_found` if there is none */
export async function findChallenge(
  session: string | undefined,
  { store, clock, application }: Pick<ChallengeView, 'store' | 'clock'> & Pick<ContextCall, 'application'>,
): Promise<Challenge> {
  const record = await store.get(challengeKey(readSessionId(session)));
  if (!record) throw noSession();
  const { dn, behind: afterPassword, ...rest } = JSON.parse(Buffer.from(record).toString('utf8'));
  const isAnothers = rest.service !== undefined && rest.service !== application.service;
  if (isAnothers || isAhead(rest.begun, clock.now())) throw noSession();
  return { ...rest, afterPassword, dn: Dn.parse(dn) };
}

/** @throws ServiceError `not_found` if it has ended */
export async function assertChallenge(
  session: string,
  { store }: Pick<ChallengeView, 'store'>,
): Promise<void> {
  if (!(await store.get(challengeKey(session)))) throw noSession();
}

/** The family of challenges in the store. */
export const challengeFamily = 'challenge';

/** The key of a challenge in the store; removing its value ends it. */
export const challengeKey = (session: string): string => `${challengeFamily}:${hash('sha256', session)}`;

export type ChallengeOutcome = Extract<LoginOutcome, { readonly kind: 'challenge' }>;
type ChallengeFields = Omit<LoginChallenge, 'code' | 'error'>;

/** Writes a challenge in the fields that doors answer it in . */
export function challengeFields({
  session,
  timeout,
  factor,
  devices,
  question,
}: ChallengeOutcome): ChallengeFields {
  const code = factor && `Enter your ${factor} password${question === undefined ? '' : ` for ${question}`}`;
  const key = devices && (code ? 'use your security key' : 'Use your security key');
  return {
    ...{ message: [code, key].filter(Boolean).join(' or '), session, timeout },
    ...(factor && { otpChallenge: factor === 'EMERGENCY' ? 'EMERG' : factor }),
    ...(devices && { u2fChallenge: JSON.stringify(devices) }),
  };
}

/** A challenge as a page gets it: the page asks in its own language, so it needs the parts of the sentence. */
export type PageChallenge = ChallengeFields & {
  /** The question to an OCRA token. */
  readonly question?: string;
};

export const pageChallenge = (outcome: ChallengeOutcome): PageChallenge => ({
  ...challengeFields(outcome),
  ...(outcome.question !== undefined && { question: outcome.question }),
});
