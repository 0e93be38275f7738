/** The account of a login with its effective settings, or the reason why there is none. */

import { hash } from 'node:crypto';
import { loginModeOf, type OpenMode, stricterLoginMode } from '../administration/policy/client-mode.ts';
import type { InForce } from '../administration/policy/client-policy.ts';
import { type Settled, settle } from '../administration/policy/strictness.ts';
import type { CodeUser, TimedClaims } from '../authenticators/authenticator.ts';
import { claimSeconds } from '../authenticators/claim-keys.ts';
import { overlay } from '../directory/data/layers.ts';
import type { Domain } from '../directory/domain.ts';
import { texts } from '../directory/entry/entry.ts';
import type { Dn } from '../foundation/text/dn.ts';
import { formatTimestamp } from '../foundation/text/timestamp.ts';
import type { LockoutRules } from '../limits/lockout.ts';
import type { Clock } from '../ports/clock.ts';
import type { Entry } from '../ports/directory/directory.ts';
import type { NumberClaim } from '../ports/store/ledger.ts';
import { read } from '../table/setting.ts';
import type { LoginContext } from './context.ts';
import type { AccountName, Demand, LoginOutcome } from './request.ts';
import { loginSettings } from './settings.ts';
import type { FindingView, Gate } from './view.ts';

export interface Account extends CodeUser {
  /** The key in the store of the moment when the user logged in last. */
  readonly lastLoginKey: string;
  /** The entry as it was read for this login. */
  readonly entry: Entry;
  readonly domain: Domain;
  /** A caller who may only ask for more has done so: no option leaves that out again. */
  readonly isRaised: boolean;
  /** Settings of the request that had no effect, for the log. */
  readonly ignored: readonly string[];
  /** The login mode under the client's policy. */
  readonly clientMode: OpenMode;
  /** Rules of administrators: of neither the client's policy nor the request. */
  readonly rules: LockoutRules;
}

/** An account, or why there is none that may log in: for the log, never for the caller. */
export type Found =
  | { readonly account: Account; readonly dn: Dn }
  | (Absent & { readonly account?: undefined });

export interface Absent {
  /** The user, or a decoy: its password is tried and its failures are counted. */
  readonly dn: Dn;
  /** There is no such user, and `dn` is a decoy. */
  readonly isUnknownUser?: boolean;
  readonly reason: string;
  readonly rules: LockoutRules;
  /** The settings in force for a user without settings of their own. Optional; undefined: the client is closed. */
  readonly defaults?: EffectiveSettings | undefined;
}

export type EffectiveSettings = Pick<Account, 'settings' | 'clientMode' | 'isRaised' | 'ignored'>;

/**
 * Lays the settings of the request and the demand of the door over what is in force by the client's policy.
 * @returns undefined: the client is closed
 */
export function effectiveSettings(
  under: InForce,
  { settings: requested, request }: Pick<LoginContext, 'settings' | 'request'>,
  core: Pick<FindingView, 'applications'>,
): EffectiveSettings | undefined {
  const settled = demanding(request.demand, settle(requested, under, core));
  const { mode: clientMode, settings, isRaised, ignored } = settled;
  return clientMode === 'no_access' ? undefined : { settings, isRaised, ignored, clientMode };
}

/** Lays the demand of a door over the policy in force: the stricter of both holds. */
function demanding(demand: Demand | undefined, inForce: Settled): Settled {
  if (!demand) return inForce;
  const { asks, mode } = demand;
  const asked =
    asks === undefined
      ? inForce
      : withSetting(inForce, loginSettings.ChallengeMode, asks === 'always' ? 'Yes' : 'No');
  return mode === undefined ? asked : raised(mode, asked);
}

/** The result is compared with what the mode of a client makes of the policy, so that stepping down lowers no demand. */
function raised(demanded: NonNullable<Demand['mode']>, inForce: Settled): Settled {
  const now = loginModeOf(inForce);
  const wanted = stricterLoginMode(now, demanded);
  if (wanted === now) return { ...inForce, isRaised: true };
  const mode = inForce.mode === 'no_access' ? inForce.mode : 'default';
  return { ...withSetting(inForce, loginSettings.LoginMode, wanted), mode, isRaised: true };
}

const withSetting = (inForce: Settled, { name }: { readonly name: string }, value: string): Settled => ({
  ...inForce,
  settings: overlay([inForce.settings, new Map([[name, value]])]),
});

type Values = Pick<ReadonlyMap<string, string>, 'get'>;

/** Returns why users with these settings may not log in now; undefined: they may. */
export function whyClosed(settings: Values, gate: Gate, clock: Pick<Clock, 'now'>): string | undefined {
  const from = read(settings, gate.from);
  const isEarly = from !== undefined && !(clock.now() >= from);
  return whyOff(settings, gate, clock) ?? (isEarly ? 'the user may not log in yet' : undefined);
}

/** Returns why users with these settings are off: the login is switched off, or has ended; undefined: they may log in, now or later. */
export function whyOff(
  settings: Values,
  { isOpen, to }: Omit<Gate, 'from'>,
  clock: Pick<Clock, 'now'>,
): string | undefined {
  if (!read(settings, isOpen)) return 'the login is switched off for the user';
  const end = read(settings, to);
  return end !== undefined && !(clock.now() < end) ? 'the user may not log in any more' : undefined;
}

/**
 * Returns the canonical name of an account, whatever spelling and attribute it logged in by: callers identify accounts by it. Of several
 * login names it is the one in the DN, else the first in the alphabet: directories keep values in no order.
 */
export function nameOf({ dn, entry, domain }: Pick<Account, 'dn' | 'entry' | 'domain'>): AccountName {
  const all = domain.loginAttributes.map((attribute) => texts(entry, attribute));
  const names = all.find(({ length }) => length > 0) ?? [];
  const [only = dn.format()] = names;
  if (names.length <= 1) return { username: only, domain: domain.name };
  const inDn = dn.rdn.map(({ value }) => String(value).toLowerCase());
  const sorted = names.toSorted();
  const username = sorted.find((name) => inDn.includes(name.toLowerCase())) ?? sorted[0];
  return { username: username ?? only, domain: domain.name };
}

/** Adds the name of the account to a login that was granted. */
export function naming(outcome: LoginOutcome, account: Account | undefined): LoginOutcome {
  if (outcome.kind !== 'granted' || !account) return outcome;
  // Fields one by one: V8 makes a new shape for each object that is spread before another field.
  const { kind, data, concat, by } = outcome;
  return { kind, data, concat, by, account: nameOf(account) };
}

/*
 * The last login (`Otp.LastLogin`) is in the store, which a login writes to anyway: writing the entry at every
 * login would cost more than the login.
 */

/** The claim that a login leaves: of two nodes the later login counts. */
export const loginClaim = (
  { lastLoginKey: key }: Pick<Account, 'lastLoginKey'>,
  { clock }: Pick<TimedClaims, 'clock'>,
): NumberClaim => ({ key, value: Math.floor(clock.now() / 1000), seconds: claimSeconds });

/** Reads `YYYY-MM-DD HH:MM:SS`: the later of the store's and that on the entry, of another server or of before. */
export async function lastLogin(
  stored: Uint8Array | undefined,
  id: string,
  { store }: Pick<TimedClaims, 'store'>,
): Promise<Uint8Array | undefined> {
  const seconds = await store.claimed(lastLoginKey(id));
  if (seconds === undefined) return stored;
  const known = formatTimestamp(seconds * 1000);
  return stored && Buffer.from(stored).toString() > known ? stored : Buffer.from(known);
}

export const lastLoginFamily = 'login';

/** @param id the identifier of the entry */
export const lastLoginKey = (id: string): string => `${lastLoginFamily}:${hash('sha256', id)}`;
