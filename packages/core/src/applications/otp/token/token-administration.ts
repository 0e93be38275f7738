/** The methods for registered tokens: enable, expire, resynchronise, remove. */

import {
  acceptedOf,
  claimKey,
  claimSeconds,
  timeFloorKey,
  tokenKey,
} from '../../../authenticators/claim-keys.ts';
import { forgetLastCode } from '../../../authenticators/last-code.ts';
import { type AnyState, type Token, type TokenRules, tokenRules } from '../../../authenticators/token.ts';
import {
  progressOf,
  readToken,
  type TokenFields,
  tokenChanges,
  tokenRemoval,
} from '../../../authenticators/token-data.ts';
import { readKnown } from '../../../authenticators/user-authenticators.ts';
import { type EntryRef, swapData } from '../../../directory/data/data.ts';
import { type EntryProfile, readProfile } from '../../../directory/data/profile.ts';
import { findEntryRef } from '../../../directory/data/user-data.ts';
import { onEntry } from '../../../directory/entry/entry.ts';
import { judgeForAdministrator } from '../../../directory/entry/judged.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import { matchSequence } from '../../../foundation/oath/hotp.ts';
import { matchTotp } from '../../../foundation/oath/totp.ts';
import { mostCandidates, timeStep } from '../../../foundation/oath/window.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import { isCapped, mostWrong } from '../../../limits/authenticator-cap.ts';
import type { AttemptResult } from '../../../limits/limits-attempt.ts';
import { read } from '../../../table/setting.ts';
import { otpSettings } from '../settings.ts';
import type { TokenView } from '../view.ts';
import { inDays } from './named-token.ts';

/** Enables a token, also one that too many wrong codes have disabled. */
export async function enableToken(dn: Dn, slot: number, call: TokenView): Promise<void> {
  const { token } = await findToken(dn, slot, call);
  await assertWritable(dn, call);
  await call.limits.forgetCodes(tokenKey(token, call.keys));
  await changeToken(dn, { slot, fields: { enabled: true } }, call);
}

/** @throws ServiceError `not_found` if there is no token in the slot */
export async function changeToken(
  dn: Dn,
  { slot, fields }: { slot: number; fields: TokenFields },
  call: TokenView,
): Promise<void> {
  await swapToken(await findEntryRef(dn, call), { slot, next: () => fields }, call);
}

/** Removes whatever is in a slot, and what was on its way there. False if there was nothing. */
export async function removeToken(dn: Dn, slot: number, call: TokenView): Promise<void | false> {
  const removal = tokenRemoval(slot);
  let isThere = false;
  const next = ({ keys }: { keys: readonly string[] }) => {
    isThere = keys.some((key) => removal.has(key));
    return isThere ? removal : new Map();
  };
  const entryRef = await findEntryRef(dn, call);
  await swapData(entryRef, next, call);
  if (isThere) await forgetLastCode(entryRef, call.store);
  return isThere ? undefined : false;
}

/** When a token expires, in milliseconds since 1970; undefined: never. */
export async function tokenExpiry(dn: Dn, slot: number, call: TokenView): Promise<number | undefined> {
  return (await findToken(dn, slot, call)).token.expires;
}

/** @param days optional; default: as the setting `TokenExpire` says, else a year */
export async function startExpiry(
  dn: Dn,
  { slot, days }: { slot: number; days: number | undefined },
  call: TokenView,
): Promise<void> {
  const { settings } = await readProfile(dn, call);
  const expires = inDays(days ?? (read(settings, otpSettings.TokenExpire) || 365), call.clock);
  await changeToken(dn, { slot, fields: { expires } }, call);
}

/** Puts the counter of a HOTP token forward; false if the token is there or beyond already. */
export async function setCounter(
  dn: Dn,
  { slot, counter }: { slot: number; counter: number },
  call: TokenView,
): Promise<void | false> {
  const entryRef = await findEntryRef(dn, call);
  return advance(entryRef, { slot, type: 'HOTP', state: { counter } }, call);
}

/**
 * Finds a HOTP token by two codes in a row (RFC 4226 §7.4), however far it is ahead; they are used up. False if they
 * are nowhere ahead.
 */
export async function resyncHotp(
  dn: Dn,
  { slot, codes }: { slot: number; codes: readonly [string, string] },
  call: TokenView,
): Promise<void | false> {
  const found = await findToken(dn, slot, call);
  const { token, accepted = -1 } = found;
  if (token.type !== 'HOTP') throw noToken('HOTP ', slot, dn);
  const from = Math.max(token.state.counter, accepted + 1);
  return advanceBy(found, call, () => {
    const first = matchSequence(codes, sourceOf(found), { from, window: mostCandidates });
    return first === undefined
      ? undefined
      : { claim: first + 1, type: 'HOTP', state: { counter: first + 2 } };
  });
}

/** The result of a resynchronisation. @param claim optional; default: the codes have no number */
export type Advance = AnyState & { readonly claim?: number | undefined };

/**
 * Codes that an administrator tries are counted with all others of the token (docs/concepts/limits.md#authenticator-cap), one at a time.
 * @throws ServiceError `too_many_attempts`
 */
export async function advanceBy(
  found: FoundToken,
  call: TokenView,
  match: () => Advance | undefined,
): Promise<void | false> {
  const { profile, token } = found;
  const key = tokenKey(token, call.keys);
  await assertWritable(profile.dn, call);
  const judge = async (): Promise<AttemptResult & { readonly answer: Advance | undefined }> => {
    if (isCapped(await call.limits.wrongCodes(key))) throw tooManyWrong(profile.dn);
    const judgement = match();
    if (judgement) return { answer: judgement, end: 'neither' };
    return { answer: undefined, end: 'failed', wrongCodes: [{ key, afterPassword: false }] };
  };
  const alone = { password: false, codes: [] };
  const judgement = await judgeForAdministrator(profile.dn, { withoutPassword: alone, judge }, call);
  return judgement ? claimAndAdvance(found, judgement, call) : false;
}

const tooManyWrong = (dn: Dn): ServiceError =>
  new ServiceError('too_many_attempts', {
    detail: `${mostWrong} wrong codes of a token of '${dn}'; enable it again, or reset the block`,
  });

/** Finds the drift of a TOTP token by one code, however far its clock is off; it is used up. */
export async function resyncTotp(
  dn: Dn,
  { slot, code }: { slot: number; code: string },
  call: TokenView,
): Promise<void | false> {
  const found = await findToken(dn, slot, call);
  const { token, accepted = -1 } = found;
  if (token.type !== 'TOTP') throw noToken('TOTP ', slot, dn);
  const now = call.clock.now();
  const { period } = found.rules;
  const { step: last, drift } = token.state;
  const window = { now, after: Math.max(last, accepted), drift, window: period * mostCandidates };
  return advanceBy(found, call, () => {
    const step = matchTotp(code, { ...sourceOf(found), period }, window);
    if (step === undefined) return undefined;
    return { claim: step, type: 'TOTP', state: { step, drift: step - timeStep(now, period) } };
  });
}

export interface FoundToken {
  readonly profile: EntryProfile;
  readonly token: Token;
  readonly rules: TokenRules;
  /** The highest number claimed so far. */
  readonly accepted?: number;
}

export async function findToken(dn: Dn, slot: number, call: TokenView): Promise<FoundToken> {
  const profile = await readProfile(dn, call);
  const token = readToken(profile.data, slot);
  if (!token) throw noToken('', slot, dn);
  const rules = { ...tokenRules(profile.settings), ...token.shape };
  const claims = claimKey(token, rules, call.keys);
  const known = await readKnown([claims, timeFloorKey], call.store);
  const accepted = acceptedOf(token, rules, { known, claims });
  const found = { profile, token, rules };
  return accepted === undefined ? found : { ...found, accepted };
}

const sourceOf = ({ token, rules }: FoundToken) => ({
  secret: token.secret,
  digits: rules.digits,
  algorithm: rules.algorithm,
});

/** False if a login or another resynchronisation was faster and is further on. */
async function claimAndAdvance(
  { profile, token, rules }: FoundToken,
  { claim, ...reached }: Advance,
  call: TokenView,
): Promise<void | false> {
  const { store, keys, limits } = call;
  const isOurs =
    claim === undefined || (await store.claim(claimKey(token, rules, keys), claim, claimSeconds));
  if (!isOurs) return false;
  await limits.forgetCodes(tokenKey(token, keys));
  return advance(profile, { slot: token.slot, ...reached }, call);
}

/** Checks that the caller may write the entry: else no code is used up, and no failures beside the entry are forgotten. */
export async function assertWritable(dn: Dn, call: TokenView): Promise<void> {
  await onEntry('update', dn, () => call.directory.assertWritable(dn, call.config.schema.data_attribute));
}

/** Moves the state on the entry, never back. */
export async function advance(
  entryRef: EntryRef,
  { slot, type, state }: AnyState & { slot: number },
  call: TokenView,
): Promise<void | false> {
  let isAhead = false;
  const next = (token: Token): TokenFields => {
    if (token.type !== type) throw noToken(`${type} `, slot, entryRef.dn);
    isAhead = progressOf(token.state) < progressOf(state);
    return isAhead ? { state } : {};
  };
  await swapToken(entryRef, { slot, next }, call);
  return isAhead ? undefined : false;
}

export async function swapToken(
  entryRef: EntryRef,
  { slot, next }: { slot: number; next: (token: Token) => TokenFields },
  call: TokenView,
): Promise<void> {
  await swapData(
    entryRef,
    (stored) => {
      const token = readToken(stored, slot);
      if (!token) throw noToken('', slot, entryRef.dn);
      return tokenChanges(slot, next(token));
    },
    call,
  );
}

export function noToken(kind: string, slot: number, dn: Dn): ServiceError {
  return new ServiceError('not_found', { detail: `No ${kind}token ${slot} of LDAP object '${dn}'` });
}
