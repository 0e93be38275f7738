/**
 * Challenges: a login waits for its code (webservices.md §4), after a right password or where none is wanted. What is
 * known of it stays in the store, under the hash of the session's id: who reads the store cannot answer for anybody.
 */

import { hash } from 'node:crypto';
import type { Core } from '../core.ts';
import { Dn } from '../directory/dn.ts';
import { ServiceError } from '../errors.ts';
import { holderOf } from '../network.ts';
import type { ClientPolicy } from '../policy/client-policies.ts';
import { randomSession } from '../ports/random.ts';
import { read } from '../setting.ts';
import type { Account } from './account.ts';
import type { Factor, LoginOutcome, LoginRequest } from './login-request.ts';
import { otpSettings } from './settings.ts';
import { placeOf, type Visit } from './visit.ts';

export interface Challenge {
  readonly dn: Dn;
  /** As it came, without its secrets; the caller's address is what policy and throttle go by. */
  readonly request: LoginRequest;
  readonly address: string;
  /** The caller had shown who it is. */
  readonly trusted: boolean;
  /** The password was right. */
  readonly behind: boolean;
}

/** In seconds: anybody begins one alone, and must not fill the store. */
const longestAlone = 600;

/** False: too many were begun without a password, in this minute, from the place that it comes from. */
export async function admitsChallenge(visit: Visit, { store, config }: Core): Promise<boolean> {
  const limit = config.limits.challenges_per_minute;
  // A stranger could name another `source` each time, and fill the store.
  const place = (visit.trusted ? placeOf(visit) : undefined) ?? holderOf(visit.address);
  const key = `challenges:${hash('sha256', place)}`;
  return (await store.count(key, { by: 1, limit, seconds: 60 })) !== undefined;
}

/** Waits for a code of this factor. */
export async function beginChallenge(
  { dn, settings }: Pick<Account, 'dn' | 'settings'>,
  { visit, factor, behind, core }: { visit: Visit; factor: Factor; behind: boolean; core: Core },
): Promise<LoginOutcome> {
  const session = randomSession(core.random);
  const wanted = read(settings, otpSettings.ChallengeTimeout);
  const timeout = behind ? wanted : Math.min(wanted, longestAlone);
  const { request, address, trusted, policy } = visit;
  const known = { dn: dn.format(), request: kept(request, policy), address, trusted, behind };
  const record = JSON.stringify(known);
  await core.store.put(keyOf(session), Buffer.from(record), timeout);
  return { kind: 'challenge', session, timeout, factor };
}

/** Of a request, what says who asks for whom: no secret. The policy that it came under, also if by an API key. */
const kept = (
  { username, domain, source, settings, options }: LoginRequest,
  { name: client }: ClientPolicy,
): LoginRequest => ({ username, domain, client, source, settings, options });

/** @throws ServiceError `invalid_params` if it cannot be the id of a session; `not_found` if there is none */
export async function findChallenge(session: string | undefined, { store }: Core): Promise<Challenge> {
  if (!/^[A-Za-z0-9]{16}$/.test(session ?? ''))
    throw new ServiceError('invalid_params', { detail: 'Parameter session is no session id' });
  const record = await store.get(keyOf(session ?? ''));
  if (!record) throw gone();
  const { dn, ...rest } = JSON.parse(Buffer.from(record).toString('utf8'));
  return { ...rest, dn: Dn.parse(dn) };
}

/** Ends a challenge; of many who do, one goes on. @throws ServiceError `not_found` for the others */
export async function takeChallenge(session: string, { store }: Core): Promise<void> {
  if (!(await store.take(keyOf(session)))) throw gone();
}

const gone = (): ServiceError => new ServiceError('not_found', { detail: 'Session not started or timedout' });

const keyOf = (session: string): string => `challenge:${hash('sha256', session)}`;
