/** The state of a token: how far it has come, and as text, on the entry and in the parameter `state`: `17`, or `58000000:-2`. */
import { ServiceError } from '../../foundation/errors/errors.ts';
import type { HotpState, OcraState, TotpState } from './token.ts';

export function formatState(state: HotpState | TotpState | OcraState): string {
  if ('step' in state) return `${state.step}:${state.drift}`;
  const isOff = 'drift' in state && state.drift !== 0;
  return isOff ? `${state.counter}:${state.drift}` : String(state.counter);
}

export function parseHotpState(text: string): HotpState | undefined {
  const counter = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(counter) ? { counter } : undefined;
}

/** As that of TOTP is written, with the counter in the place of the step. */
export function parseOcraState(text: string): OcraState | undefined {
  const read = parseTotpState(text);
  return read && { counter: read.step, drift: read.drift };
}

/** A step alone stands for no drift. */
export function parseTotpState(text: string): TotpState | undefined {
  const [, step, drift = '0'] = /^([0-9]{1,15})(?::(-?[0-9]{1,9}))?$/.exec(text) ?? [];
  return step === undefined ? undefined : { step: Number(step), drift: Number(drift) };
}

/** The parameter `state` of a HOTP token; left out: the beginning. @throws ServiceError `invalid_params` */
export function hotpStateIn(state: string | undefined): HotpState {
  const read = parseHotpState(state?.trim() || '0');
  if (!read) throw notState('a counter');
  return read;
}

/** The parameter `state` of a TOTP token; left out: the beginning. @throws ServiceError `invalid_params` */
export function totpStateIn(state: string | undefined): TotpState {
  const read = parseTotpState(state?.trim() || '0');
  if (!read) throw notState('a time step, or a time step and a drift');
  return read;
}

const notState = (what: string): ServiceError =>
  new ServiceError('invalid_params', { detail: `Parameter state is not ${what}` });

/** How far a state has come, to be compared with another of the same type. States only go forward. */
export const reach = (state: HotpState | TotpState | OcraState): number =>
  'counter' in state ? state.counter : state.step;
