/** The attempt to log in before it is judged: the context, the user that was found, and the credentials. */

import { X509Certificate } from 'node:crypto';
import { callerKey } from '../administration/policy/callers.ts';
import { lockoutRules } from '../administration/policy/lockout-rules.ts';
import { modeSettings } from '../administration/policy/login-mode.ts';
import {
  codeLengths,
  presetLengths,
  withQuestion,
  withSentCode,
} from '../authenticators/user-authenticators.ts';
import { certificateOf } from '../directory/entry/certificate.ts';
import { decoyUser } from '../directory/entry/user.ts';
import { isReason, ServiceError } from '../foundation/errors/errors.ts';
import type { Limits } from '../limits/limits.ts';
import { userKey } from '../limits/source.ts';
import type { Clock } from '../ports/clock.ts';
import type { Account, Found } from './account.ts';
import { findAccount, findAccountAgain } from './account-lookup.ts';
import { type Challenge, findChallenge } from './challenge.ts';
import { type LoginContext, logIgnored, readContext } from './context.ts';
import { type LoginAttempt, noCertificate } from './credentials.ts';
import type { CertificateLogin, ChallengeAnswer, LoginRequest, LoginSecrets } from './request.ts';
import { loginSettings } from './settings.ts';
import type { LoginCall } from './view.ts';

/** Finds the user whom a request names. @throws ServiceError `invalid_params`, `unavailable` */
export async function findBySecrets(
  request: LoginRequest & LoginSecrets,
  call: LoginCall,
): Promise<LoginAttempt> {
  const begun = call.clock.now();
  const loginContext = readContext(request, call);
  const found = await findAccount(loginContext, call);
  logIgnored(loginContext, found, call);
  return withSecrets({ loginContext, found, begun }, request, call);
}

/** Adds secrets to an attempt whose user was found before. */
export function withSecrets(
  { loginContext, found, begun }: Omit<LoginAttempt, 'credentials'>,
  secrets: LoginSecrets,
  call: Pick<LoginCall, 'clock'>,
): LoginAttempt {
  const credentials = { kind: 'secrets', secrets, lengths: lengthsOf(secrets, found, call) } as const;
  return { loginContext, found, begun, credentials };
}

/** Returns how long a code at the end of the text may be: for an absent user as the presets say. */
function lengthsOf(secrets: LoginSecrets, found: Found, view: Pick<LoginCall, 'clock'>): readonly number[] {
  const text = 'anyPassword' in secrets ? secrets.anyPassword : undefined;
  if (text === undefined) return [];
  if (found.account) return codeLengths(text, found.account, view);
  return found.defaults ? presetLengths(found.defaults.settings) : [];
}

/**
 * Finds the user whom a certificate names. Text that is no certificate is answered as an unknown certificate.
 * @throws ServiceError `invalid_params` if there is no certificate; `unavailable`
 */
export async function findByCertificate(
  { certificate, ...request }: CertificateLogin,
  call: LoginCall,
): Promise<LoginAttempt> {
  const begun = call.clock.now();
  if (certificate === undefined)
    throw new ServiceError('invalid_params', { detail: 'Missing parameter certificate' });
  const der = readCertificate(certificate);
  const subject = der ? subjectOf(new X509Certificate(der)) : { username: 'nobody' };
  const loginContext = readContext({ ...request, ...subject }, call);
  const found = der ? await findAccount(loginContext, call) : unreadable(loginContext, call);
  logIgnored(loginContext, found, call);
  return { loginContext, found, begun, credentials: { kind: 'certificate', der } };
}

function readCertificate(text: string): Uint8Array | undefined {
  try {
    return certificateOf(text, 'certificate');
  } catch (error) {
    if (isReason(error, 'invalid_params')) return undefined;
    throw error;
  }
}

const unreadable = ({ named, preset }: LoginContext, { presets }: Pick<LoginCall, 'presets'>): Found => ({
  dn: decoyUser(preset.base, named.short ?? named.name),
  isUnknownUser: true,
  reason: noCertificate,
  rules: lockoutRules(presets),
});

/**
 * Reads the subject: CN is `<domain>\<username>`, UID and DC say the same. A subject that names two users, or
 * lacks a part, is no user's; an administrator's certificate names a DN, which is no login name.
 */
function subjectOf(certificate: X509Certificate): { username: string; domain?: string } {
  const { CN, UID, DC } = certificate.toLegacyObject().subject as Readonly<Record<string, unknown>>;
  if (typeof UID === 'string' && typeof DC === 'string' && CN === `${DC}\\${UID}`)
    return { username: UID, domain: DC };
  return { username: typeof CN === 'string' && CN !== '' ? `no certificate of a user: ${CN}` : 'nobody' };
}

/**
 * Finds the user whose challenge is answered. The context is that of the beginning, not of the caller who passes the answer on.
 * @throws ServiceError `invalid_params`, `not_found`, `unavailable`
 */
export async function findByAnswer(
  { otp, assertion, session = '', ...named }: ChallengeAnswer,
  call: LoginCall,
): Promise<LoginAttempt> {
  const begun = call.clock.now();
  const challenge = await findChallenge(session, call);
  const { caller } = challenge;
  const loginContext = readContext(challenge.request, { ...call, caller });
  const isMeant = await namesUser(challenge, named, call);
  const found = await findAccountAgain(challenge.dn, loginContext, call);
  const isByBeginner = callerKey(call.caller) === callerKey(caller);
  const credentials = { kind: 'answer', otp, assertion, session, challenge, isByBeginner } as const;
  return {
    loginContext,
    found: challenged(found, { challenge, isMeant, session }, call),
    begun,
    credentials,
  };
}

/** Returns whether the name of an answer is that of the user who was challenged, in this spelling or another. */
async function namesUser(
  { request, dn, caller }: Challenge,
  named: Pick<LoginRequest, 'username' | 'domain'>,
  call: LoginCall,
): Promise<boolean> {
  const domain = named.domain ?? request.domain;
  if (named.username === request.username && domain === request.domain) return true;
  const loginContext = readContext({ ...request, ...named, domain }, { ...call, caller });
  const found = await findAccount(loginContext, call);
  return found.dn.equals(dn);
}

interface Answering {
  readonly challenge: Challenge;
  readonly isMeant: boolean;
  readonly session: string;
}

/** Adds what the challenge has sent and asked. A new entry under the same name is another user, who has shown no password. */
function challenged(
  found: Found,
  { challenge: { id, dn, sent, question }, isMeant, session }: Answering,
  { keys }: LoginCall,
): Found {
  const { account } = found;
  const isAnother = account !== undefined && id !== undefined && account.id !== id;
  if (!isMeant || isAnother) {
    const isNobody = !account && found.isUnknownUser === true;
    return {
      dn,
      reason: 'the challenge is another user’s',
      isUnknownUser: isNobody,
      rules: (account ?? found).rules,
    };
  }
  if (!account) return found;
  const user = sent ? withSentCode(account, sent, { session, keys }) : account;
  return { dn: found.dn, account: question === undefined ? user : withQuestion(user, question) };
}

/** A user for whom a calling system acts without a password: the system may say who the user is. */
export interface ActingUser {
  readonly account: Account;
  readonly loginContext: LoginContext;
}

export interface ActingCall extends LoginCall {
  readonly limits: LoginCall['limits'] & Pick<Limits, 'look'>;
}

/**
 * Finds a user for whom a system acts.
 * @param what is logged where there is no such user, or it may not log in: `no single sign-on for a user`
 * @throws ServiceError `invalid_params`; `invalid_source` where `source` is no address; `unavailable`
 */
export async function findActing(
  request: LoginRequest,
  what: string,
  call: ActingCall,
): Promise<ActingUser | undefined> {
  const loginContext = readContext(request, call);
  const found = await findAccount(loginContext, call);
  logIgnored(loginContext, found, call);
  const { account } = found;
  const why = account ? await whyBlocked(account, call) : found.reason;
  if (account && why === undefined) return { account, loginContext };
  const { id: transaction, client } = call.transaction;
  call.log.info(what, { transaction, client, why });
  return undefined;
}

/** Only a block by an administrator counts: the calling system vouches for the login of a user in a lockout. */
async function whyBlocked({ dn }: Account, { limits }: ActingCall): Promise<string | undefined> {
  const { block } = await limits.look(userKey(dn), 'web');
  return block && 'an administrator has blocked the user';
}

/** Secrets of the user of a session, to be judged as a login with its limits. */
export interface AttemptInSession extends Omit<LoginAttempt, 'credentials'> {
  readonly secrets: LoginSecrets;
}

/** Makes an attempt in a session: the application chooses the mode, over all settings, and no challenge is begun. */
export function attemptFor(
  { loginContext, account }: ActingUser,
  { password, mode }: { readonly password: string | undefined; readonly mode: 'LDAP' | 'LDAPOTP' },
  { clock }: { readonly clock: Pick<Clock, 'now'> },
): AttemptInSession {
  const forced = [
    [modeSettings.LoginMode.name, mode],
    [loginSettings.ChallengeMode.name, 'No'],
  ] as const;
  const settings = new Map([...account.settings, ...forced]);
  const found = { dn: account.dn, account: { ...account, settings, isRaised: true } };
  return { loginContext, found, begun: clock.now(), secrets: { anyPassword: password ?? '' } };
}
