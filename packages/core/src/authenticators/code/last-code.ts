/**
 * The last code of a token, which stays good for `LastOTPTime` seconds after its login (default: not at all): for the
 * same user, from the same place, as long as no other code was used. A connection that breaks comes back so without a
 * wait for the next code. What was seen elsewhere is no use there.
 */

import { hash } from 'node:crypto';
import { onceFor } from '../../directory/data/layers.ts';
import { compactCode } from '../../foundation/oath/hotp.ts';
import { isSameSecret } from '../../foundation/text/secret/same-secret.ts';
import type { TimedValue } from '../../ports/store/ledger.ts';
import type { Store } from '../../ports/store/store.ts';
import { read } from '../../table/setting.ts';
import { codeSettings } from '../settings.ts';
import { reach } from '../token/token-state.ts';
import type { JudgingView, TimedClaims } from '../view.ts';
import type { CodeHolder, RightCode, TokenAuthenticator } from './authenticator.ts';

/** What the store keeps, sealed. */
interface LastCode {
  readonly code: string;
  /** That of the authenticator, so a token that is replaced or disabled takes its last code along. */
  readonly of: string;
  readonly place: string;
  /** How far the token had come with it: further, another code has been used, if only at a node with another store. */
  readonly reached: number;
  /** The number that it claimed: beyond it, another code has been used, wherever that was. */
  readonly claim: number;
  /** Milliseconds since 1970. */
  readonly since: number;
}

interface ShownAgain {
  readonly code: string;
  readonly of: TokenAuthenticator;
  /** The highest number of the token that was claimed. */
  readonly accepted: number | undefined;
}

/** Whether the last code of a token is good again, for this user from this place. */
export function isAgain(
  { code, of: { key: of, token }, accepted = -1 }: ShownAgain,
  holder: CodeHolder,
  { known, keys, clock }: JudgingView,
): boolean {
  const terms = termsOf(holder);
  const key = lastCodeKey(holder);
  const sealed = terms && known.value(key);
  if (!sealed) return false;
  const last: LastCode = JSON.parse(Buffer.from(keys.open(sealed, key)).toString('utf8'));
  const isSame = isSameSecret(compactCode(code), last.code);
  const age = clock.now() - last.since;
  const isOfThis = of === last.of && terms.place === last.place;
  const isLast = reach(token.state) <= last.reached && accepted <= last.claim;
  return isSame && isOfThis && isLast && age >= 0 && age < terms.seconds * 1000;
}

/**
 * What the login that uses a code up keeps of it, where it is good again; the one before is not, after any other code.
 * Null: nothing is kept.
 */
export function keptLastCode(
  right: RightCode,
  holder: CodeHolder,
  { keys, clock }: Pick<TimedClaims, 'keys' | 'clock'>,
): ReadonlyMap<string, TimedValue | null> {
  if (right.kind === 'again' || lastSeconds(holder) === 0) return nothingKept;
  const key = lastCodeKey(holder);
  const terms = termsOf(holder);
  if (right.kind !== 'token' || !terms) return new Map([[key, null]]);
  const { of, code, judgement } = right;
  const { place, seconds } = terms;
  const come = { reached: reach(judgement.state), claim: judgement.claim };
  const record: LastCode = { of: of.key, place, code: compactCode(code), ...come, since: clock.now() };
  return new Map([[key, { value: keys.seal(Buffer.from(JSON.stringify(record)), key), seconds }]]);
}

const nothingKept: ReadonlyMap<string, null> = new Map();

const lastSeconds = ({ settings }: Pick<CodeHolder, 'settings'>): number => secondsIn(settings);

const secondsIn = onceFor((settings) => read(settings, codeSettings.LastOTPTime));

/** Undefined: no code is good twice. */
function termsOf(holder: CodeHolder): { seconds: number; place: string } | undefined {
  const { place } = holder;
  const seconds = lastSeconds(holder);
  return seconds === 0 || place === undefined ? undefined : { seconds, place };
}

/** Where the last code of this user stands; undefined: none is good again. */
export const lastCodeKeyOf = (holder: CodeHolder): string | undefined =>
  termsOf(holder) && lastCodeKey(holder);

/** Where a token comes or goes: the last code of a former one is not good again with the same secret. */
export const forgetLastCode = (holder: Pick<CodeHolder, 'id'>, store: Store): Promise<void> =>
  store.remove(lastCodeKey(holder));

/** What the store keeps last codes under. */
export const lastCodeFamily = 'last-code';

/** One for each user: another code, of whatever token, ends it. */
const lastCodeKey = ({ id }: Pick<CodeHolder, 'id'>): string => `${lastCodeFamily}:${hash('sha256', id)}`;
