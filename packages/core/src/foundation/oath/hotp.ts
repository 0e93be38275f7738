/** HOTP (RFC 4226): codes made from a secret and a counter, by the hash that is said or the length of the secret stands for. */
import { type KeyObject, timingSafeEqual } from 'node:crypto';
import { type HmacHash, type HmacKey, hmacHex, hmacKey } from '../runtime/hmac.ts';
import { truncated } from './truncation.ts';
import { mostCandidates } from './window.ts';

/** The hashes of HOTP and TOTP (RFC 6238 §1.2), as `otpauth://` URIs spell them. */
export const algorithms = ['SHA1', 'SHA256', 'SHA512'] as const;
export type Algorithm = (typeof algorithms)[number];

/** What codes are made with. */
export interface CodeSource {
  readonly secret: KeyObject | Uint8Array;
  /** Decimal digits of a code, 6 to 10. */
  readonly digits: number;
  /** The hash; left out: {@link algorithmOf} the secret. */
  readonly algorithm?: Algorithm | undefined;
}

/** The code of a counter: exactly `digits` decimal digits, RFC 4226 §5.3. */
export const hotp = (source: CodeSource, counter: number): string =>
  codeAt(keyOf(source), source.digits, counter).toString('latin1');

const hashes: Readonly<Record<Algorithm, HmacHash>> = { SHA1: 'sha1', SHA256: 'sha256', SHA512: 'sha512' };

/** For many codes of one secret. */
function keyOf({ secret, algorithm }: CodeSource): HmacKey {
  const bytes = secret instanceof Uint8Array ? secret : secret.export();
  return hmacKey(hashes[algorithm ?? algorithmOf(bytes)], bytes);
}

/** Its digits, in ASCII. */
function codeAt(key: HmacKey, digits: number, counter: number): Buffer {
  const message = Buffer.allocUnsafe(8);
  message.writeUInt32BE(Math.floor(counter / 2 ** 32));
  message.writeUInt32BE(counter % 2 ** 32, 4);
  return truncated(hmacHex(key, message), digits);
}

/** The hash of a secret of which nobody has said one: 32 bytes stand for SHA256, 64 for SHA512, all others for SHA1. */
export function algorithmOf(secret: Uint8Array): Algorithm {
  if (secret.length === 32) return 'SHA256';
  return secret.length === 64 ? 'SHA512' : 'SHA1';
}

export interface HotpWindow {
  /** The lowest counter that is acceptable. */
  readonly from: number;
  /** How many counters the token may be ahead of it. */
  readonly window: number;
}

/** The lowest counter of the window that has this code; undefined: none has. */
export function matchHotp(
  code: string,
  source: CodeSource,
  { from, window }: HotpWindow,
): number | undefined {
  const ahead = Math.min(window, mostCandidates - 1, Number.MAX_SAFE_INTEGER - 1 - from);
  return firstMatch(
    code,
    source,
    Array.from({ length: ahead + 1 }, (_, step) => from + step),
  );
}

/**
 * The lowest counter of the window that has the first code while the next counter has the second (RFC 4226 §7.4):
 * two codes in a row are no coincidence, however wide the window.
 */
export function matchSequence(
  [first, second]: readonly [string, string],
  source: CodeSource,
  { from, window }: HotpWindow,
): number | undefined {
  const end = from + Math.min(window, mostCandidates - 2);
  let at = matchHotp(first, source, { from, window: end - from });
  while (at !== undefined && matchHotp(second, source, { from: at + 1, window: 0 }) === undefined) {
    at = at < end ? matchHotp(first, source, { from: at + 1, window: end - at - 1 }) : undefined;
  }
  return at;
}

/**
 * The first of the counters that has this code. A wrong code is compared with all of them, a right one as far as it takes: what
 * that tells of a refused login, beside a wrong password, is hidden by when refusals are answered (docs/concepts/login.md#uniform-answer).
 * @param counters the likeliest first
 */
export function firstMatch(
  code: string,
  source: CodeSource,
  counters: readonly number[],
): number | undefined {
  const { digits } = source;
  const given = readCode(code, digits);
  if (given === undefined) return undefined;
  const key = keyOf(source);
  for (const counter of counters) if (timingSafeEqual(given, codeAt(key, digits, counter))) return counter;
  return undefined;
}

/** A code as typed, `123 456`, without the spaces; a text that is too long for one is none. */
export const compactCode = (code: string): string => (code.length > 64 ? '' : code.replace(/\s+/g, ''));

/** Undefined if it is not `digits` decimal digits. */
function readCode(code: string, digits: number): Buffer | undefined {
  // Nearly always there is nothing between them: what is as long, and has spaces, has too few digits.
  const typed = code.length === digits ? code : compactCode(code);
  if (typed.length !== digits) return undefined;
  const given = Buffer.allocUnsafe(digits);
  for (let at = 0; at < digits; at += 1) {
    const digit = typed.charCodeAt(at);
    if (digit < 0x30 || digit > 0x39) return undefined;
    given[at] = digit;
  }
  return given;
}
