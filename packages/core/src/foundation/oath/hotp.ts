/** HOTP (RFC 4226): codes of a secret and a counter. */
import { type KeyObject, timingSafeEqual } from 'node:crypto';
import { type HmacHash, type HmacKey, hmacHex, hmacKey } from '../runtime/hmac.ts';
import { truncated } from './truncation.ts';
import { mostCandidates } from './window.ts';

/** The hashes of HOTP and TOTP (RFC 6238 §1.2), as `otpauth://` URIs spell them. */
export const algorithms = ['SHA1', 'SHA256', 'SHA512'] as const;
export type Algorithm = (typeof algorithms)[number];

/** A secret, and the shape of its codes. */
export interface HotpParameters {
  readonly secret: KeyObject | Uint8Array;
  /** Decimal digits of a code, 6 to 10. */
  readonly digits: number;
  /** {@link algorithmOf} the secret if left out. */
  readonly algorithm?: Algorithm | undefined;
}

/**
 * Computes the code of a counter: exactly `digits` decimal digits.
 * @param source the secret, and the shape of its codes
 * @param counter a non-negative safe integer
 * @returns the code, with leading zeros
 * @see RFC 4226 §5.3
 * @example
 * ```ts
 * import { hotp } from '@watchword/core/otp';
 *
 * const secret = Buffer.from('12345678901234567890');
 * console.log(hotp({ secret, digits: 6 }, 0)); // 755224
 * ```
 */
export const hotp = (source: HotpParameters, counter: number): string =>
  codeAt(keyOf(source), source.digits, counter).toString('latin1');

const hashes: Readonly<Record<Algorithm, HmacHash>> = { SHA1: 'sha1', SHA256: 'sha256', SHA512: 'sha512' };

/** Prepares the key for many codes. */
function keyOf({ secret, algorithm }: HotpParameters): HmacKey {
  const bytes = secret instanceof Uint8Array ? secret : secret.export();
  return hmacKey(hashes[algorithm ?? algorithmOf(bytes)], bytes);
}

/** Returns the digits of a code in ASCII. */
function codeAt(key: HmacKey, digits: number, counter: number): Buffer {
  const message = Buffer.allocUnsafe(8);
  message.writeUInt32BE(Math.floor(counter / 2 ** 32));
  message.writeUInt32BE(counter % 2 ** 32, 4);
  return truncated(hmacHex(key, message), digits);
}

/** Returns the default hash of a secret by its length: SHA256 for 32 bytes, SHA512 for 64, else SHA1. */
export function algorithmOf(secret: Uint8Array): Algorithm {
  if (secret.length === 32) return 'SHA256';
  return secret.length === 64 ? 'SHA512' : 'SHA1';
}

export interface HotpWindow {
  /** The lowest counter that is acceptable. */
  readonly from: number;
  /** Counters that the token may be ahead of `from`. */
  readonly window: number;
}

/**
 * Finds the counter of a code. The caller keeps the counter after it as `from`, so that a code is accepted once.
 * @param code the code that a user presented
 * @param source the secret, and the shape of its codes
 * @param window the lowest acceptable counter, and how many counters the token may be ahead
 * @returns the lowest counter of the window with this code; undefined if none has it
 * @see RFC 4226 §7.4
 * @example
 * ```ts
 * import { matchHotp } from '@watchword/core/otp';
 *
 * const source = { secret: Buffer.from('12345678901234567890'), digits: 6 };
 * console.log(matchHotp('359152', source, { from: 0, window: 10 })); // 2
 * ```
 */
export function matchHotp(
  code: string,
  source: HotpParameters,
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
 * Resynchronizes a token (RFC 4226 §7.4): returns the lowest counter of the window that has the first code while the next counter has the
 * second; undefined if none has.
 */
export function matchSequence(
  [first, second]: readonly [string, string],
  source: HotpParameters,
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
 * Returns the first of the counters that has this code; undefined if none has. A right code takes less time than a wrong one, which the
 * uniform answer hides (docs/concepts/login.md#uniform-answer).
 * @param counters the most likely first
 */
export function firstMatch(
  code: string,
  source: HotpParameters,
  counters: readonly number[],
): number | undefined {
  const { digits } = source;
  const given = readCode(code, digits);
  if (given === undefined) return undefined;
  const key = keyOf(source);
  for (const counter of counters) if (timingSafeEqual(given, codeAt(key, digits, counter))) return counter;
  return undefined;
}

/** Removes white space from a typed code, such as `123 456`. @returns an empty text where `code` is too long for a code */
export const compactCode = (code: string): string => (code.length > 64 ? '' : code.replace(/\s+/g, ''));

/** Reads a code into ASCII digits; undefined if it is not `digits` decimal digits. */
function readCode(code: string, digits: number): Buffer | undefined {
  // A text of the right length needs no compaction: with spaces it has too few digits.
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
