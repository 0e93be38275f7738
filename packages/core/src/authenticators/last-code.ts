/**
 * The last code of a token, which stays good for `LastOTPTime` seconds (default: 0) for the same user and source, until another code
 * is used. A connection that breaks is restored without a wait for the next code. A code seen elsewhere is of no use there.
 */
import { hash } from 'node:crypto';
import { onceFor } from '../directory/data/layers.ts';
import { compactCode } from '../foundation/oath/hotp.ts';
import { isSameSecret } from '../foundation/text/secret/same-secret.ts';
import type { TimedValue } from '../ports/store/ledger.ts';
import type { Store } from '../ports/store/store.ts';
import { read } from '../table/setting.ts';
import type {
  AuthenticatorOwner,
  JudgingContext,
  RightCode,
  TimedClaims,
  TokenAuthenticator,
} from './authenticator.ts';
import { codeSettings } from './settings.ts';
import { progressOf } from './token-data.ts';

/** The record in the store, sealed. */
interface LastCode {
  readonly code: string;
  /** The key of the authenticator: the last code of a token that is replaced or disabled is not good again. */
  readonly of: string;
  /** The source. The name is that of records in the store. */
  readonly place: string;
  /** The state of the token after it. A higher state means that another code was used, also at a node with another store. */
  readonly reached: number;
  /** The number that it claimed. A higher claim means that another code was used. */
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

/** Returns whether the last code of a token is good again, for this user and source. */
export function isRepeatedCode(
  { code, of: { key: of, token }, accepted = -1 }: ShownAgain,
  owner: AuthenticatorOwner,
  { known, keys, clock }: JudgingContext,
): boolean {
  const terms = termsOf(owner);
  const key = lastCodeKey(owner);
  const sealed = terms && known.value(key);
  if (!sealed) return false;
  const last: LastCode = JSON.parse(Buffer.from(keys.open(sealed, key)).toString('utf8'));
  const isSame = isSameSecret(compactCode(code), last.code);
  const age = clock.now() - last.since;
  const isOfThis = of === last.of && terms.source === last.place;
  const isLast = progressOf(token.state) <= last.reached && accepted <= last.claim;
  return isSame && isOfThis && isLast && age >= 0 && age < terms.seconds * 1000;
}

/** Returns the record that makes a claimed code good again. Null removes the record of an earlier code. */
export function keptLastCode(
  right: RightCode,
  owner: AuthenticatorOwner,
  { keys, clock }: Pick<TimedClaims, 'keys' | 'clock'>,
): ReadonlyMap<string, TimedValue | null> {
  if (right.kind === 'again' || lastSeconds(owner) === 0) return nothingKept;
  const key = lastCodeKey(owner);
  const terms = termsOf(owner);
  if (right.kind !== 'token' || !terms) return new Map([[key, null]]);
  const { of, code, verdict } = right;
  const { source, seconds } = terms;
  const come = { reached: progressOf(verdict.state), claim: verdict.claim };
  const record: LastCode = {
    of: of.key,
    place: source,
    code: compactCode(code),
    ...come,
    since: clock.now(),
  };
  return new Map([[key, { value: keys.seal(Buffer.from(JSON.stringify(record)), key), seconds }]]);
}

const nothingKept: ReadonlyMap<string, null> = new Map();

const lastSeconds = ({ settings }: Pick<AuthenticatorOwner, 'settings'>): number => secondsIn(settings);

const secondsIn = onceFor((settings) => read(settings, codeSettings.LastOTPTime));

/** Returns the source, and the seconds for which codes are good again. @returns undefined if no code is good twice */
function termsOf(owner: AuthenticatorOwner): { seconds: number; source: string } | undefined {
  const { source } = owner;
  const seconds = lastSeconds(owner);
  return seconds === 0 || source === undefined ? undefined : { seconds, source };
}

/** Returns the key of the record of this user. @returns undefined if no code is good twice */
export const lastCodeKeyOf = (owner: AuthenticatorOwner): string | undefined =>
  termsOf(owner) && lastCodeKey(owner);

/** Forgets the last code when a token is registered or removed: it must not be good again with the same secret. */
export const forgetLastCode = (owner: Pick<AuthenticatorOwner, 'id'>, store: Store): Promise<void> =>
  store.remove(lastCodeKey(owner));

/** The family of the store for these records. */
export const lastCodeFamily = 'last-code';

/** Returns the key of a user, one for all tokens: a code of another token ends the record. */
const lastCodeKey = ({ id }: Pick<AuthenticatorOwner, 'id'>): string =>
  `${lastCodeFamily}:${hash('sha256', id)}`;
