/** The methods that register and resynchronise OCRA tokens (RFC 6287). */
import { isAnswer, type OcraToken, series, suiteOf } from '../../../authenticators/ocra-token.ts';
import type { OcraState, Token } from '../../../authenticators/token.ts';
import { hotpStateIn } from '../../../authenticators/token-data.ts';
import { readProfile } from '../../../directory/data/profile.ts';
import { findEntryRef } from '../../../directory/data/user-data.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';

import { isQuestion, type OcraSuite, parseSuite } from '../../../foundation/oath/ocra.ts';
import { around, mostCandidates, timeStep } from '../../../foundation/oath/window.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import { read } from '../../../table/setting.ts';
import { otpSettings } from '../settings.ts';
import type { RegistrationView, TokenView } from '../view.ts';
import { expiryOf, writeToken } from './registration.ts';
import {
  advanceBy,
  changeToken,
  type FoundToken,
  findToken,
  noToken,
  swapToken,
} from './token-administration.ts';

export interface NewOcraToken {
  readonly slot: number;
  readonly key: Uint8Array;
  readonly pin: string | undefined;
  /** The next counter. Optional; default: 0. */
  readonly state: string | undefined;
}

const wrong = (detail: string): ServiceError => new ServiceError('invalid_params', { detail });

/**
 * Registers an OCRA token with the suite of the settings, which stays with the token.
 * @throws ServiceError `invalid_params`, `not_found`
 */
export async function registerOcra(
  dn: Dn,
  { slot, key, pin, state }: NewOcraToken,
  call: RegistrationView,
): Promise<void> {
  if (![20, 32, 64].includes(key.length)) throw wrong('Parameter key is not 20, 32 or 64 bytes');
  const profile = await readProfile(dn, call);
  const text = read(profile.settings, otpSettings.OCRASuite) ?? '';
  const suite = parseSuite(text);
  if (!suite || suite.session !== undefined)
    throw wrong(`Setting ${call.names.theirsDotted(otpSettings.OCRASuite.name)} has no suite that logs in`);
  if (pin === undefined && suite.pin) throw wrong(`Missing parameter pin: the suite ${text} wants one`);
  if (pin !== undefined) checkPin(pin, suite);
  if (state !== undefined && !suite.hasCounter)
    throw wrong(`Parameter state: the suite ${text} has no counter`);
  const begin: OcraState = { ...hotpStateIn(state), drift: 0 };
  const token = { type: 'OCRA', state: begin, secret: key, suite: text, pin } as const;
  await writeToken({ ...token, entryRef: profile, slot, expires: expiryOf(profile, call) }, call);
}

function checkPin(pin: string, { pin: hash, text }: OcraSuite): void {
  if (!hash) throw wrong(`Parameter pin: the suite ${text} has none`);
  if (!/^[A-Za-z0-9]{4,64}$/.test(pin)) throw wrong('Parameter pin is not 4 to 64 letters and digits');
}

type FoundOcra = FoundToken & { readonly token: Token & OcraToken; readonly suite: OcraSuite };

/** @throws ServiceError `not_found` */
async function findOcra(dn: Dn, slot: number, call: TokenView): Promise<FoundOcra> {
  const found = await findToken(dn, slot, call);
  const { token } = found;
  const suite = token.type === 'OCRA' ? suiteOf(token) : undefined;
  if (token.type !== 'OCRA' || !suite) throw noToken('OCRA ', slot, dn);
  return { ...found, token, suite };
}

/** @throws ServiceError `invalid_params` where the suite has no PIN; `not_found` */
export async function setOcraPin(
  dn: Dn,
  { slot, pin }: { readonly slot: number; readonly pin: string },
  call: TokenView,
): Promise<void> {
  const { suite } = await findOcra(dn, slot, call);
  checkPin(pin, suite);
  await changeToken(dn, { slot, fields: { pin } }, call);
}

/** Puts the counter forward. False if it is there or beyond already. */
export async function setOcraCounter(
  dn: Dn,
  { slot, counter }: { readonly slot: number; readonly counter: number },
  call: TokenView,
): Promise<void | false> {
  assertCounter(await findOcra(dn, slot, call));
  let isAhead = false;
  const next = (token: Token) => {
    if (token.type !== 'OCRA') throw noToken('OCRA ', slot, dn);
    isAhead = token.state.counter < counter;
    return isAhead ? { state: { ...token.state, counter } } : {};
  };
  await swapToken(await findEntryRef(dn, call), { slot, next }, call);
  if (!isAhead) return false;
}

function assertCounter({ suite }: FoundOcra): void {
  if (!suite.hasCounter) throw wrong(`The suite ${suite.text} of the token has no counter`);
}

interface Answered {
  readonly slot: number;
  readonly question: string;
}

function assertQuestion(question: string, { suite }: FoundOcra): void {
  if (!isQuestion(question, suite))
    throw wrong(`Parameter challenge is not a question of the suite ${suite.text}`);
}

/** Finds the counter by two answers in a row to one question, however far it is ahead; they are used up. False if they are nowhere. */
export async function resyncOcraCounter(
  dn: Dn,
  { slot, question, codes }: Answered & { readonly codes: readonly [string, string] },
  call: TokenView,
): Promise<void | false> {
  const found = await findOcra(dn, slot, call);
  assertCounter(found);
  assertQuestion(question, found);
  const { token, suite, accepted = -1 } = found;
  const { counter, drift } = token.state;
  const time = timeOf(suite, drift, call.clock.now());
  const isAt = (code: string, at: number) => isAnswer(code, token, suite, { counter: at, question, time });
  return advanceBy(found, call, () => {
    const first = series(Math.max(counter, accepted + 1), mostCandidates - 2).find(
      (at) => isAt(codes[0], at) && isAt(codes[1], at + 1),
    );
    if (first === undefined) return undefined;
    return { claim: first + 1, type: 'OCRA', state: { counter: first + 2, drift } };
  });
}

const timeOf = ({ period }: OcraSuite, drift: number, now: number): number =>
  period === undefined ? 0 : (timeStep(now, period) + drift) * period * 1000;

/** Finds how far the clock of a token is off, by one answer. False if it is nowhere. */
export async function resyncOcraTime(
  dn: Dn,
  { slot, question, code }: Answered & { readonly code: string },
  call: TokenView,
): Promise<void | false> {
  const found = await findOcra(dn, slot, call);
  assertQuestion(question, found);
  const { token, suite } = found;
  const { period } = suite;
  if (period === undefined) throw wrong(`The suite ${suite.text} of the token has no time`);
  const now = timeStep(call.clock.now(), period);
  const { counter } = token.state;
  const steps = around(now + token.state.drift, (mostCandidates - 1) / 2, 0);
  let drift: number | undefined;
  const isFound = await advanceBy(found, call, () => {
    const step = steps.find((at) =>
      isAnswer(code, token, suite, { counter, question, time: at * period * 1000 }),
    );
    if (step === undefined) return undefined;
    drift = step - now;
    return { type: 'OCRA', state: { counter, drift } };
  });
  if (drift === undefined) return isFound;
  await changeToken(dn, { slot, fields: { state: { counter, drift } } }, call);
}
