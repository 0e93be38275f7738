/** HOTP (RFC 4226): codes made from a secret and a counter. The hash follows from the length of the secret. */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

/** What codes are made with. */
export interface CodeSource {
  /** 32 bytes stand for SHA-256, 64 for SHA-512, any other length for SHA-1 (manager.md §4). */
  readonly secret: KeyObject;
  /** Decimal digits of a code, 6 to 10. */
  readonly digits: number;
}

/** Most codes that one attempt is compared with, whatever window is set: each costs a few microseconds. */
export const mostCandidates = 2001;

/** The code of a counter: exactly `digits` decimal digits, RFC 4226 §5.3. */
export function hotp({ secret, digits }: CodeSource, counter: number): string {
  const message = Buffer.allocUnsafe(8);
  message.writeUInt32BE(Math.floor(counter / 2 ** 32));
  message.writeUInt32BE(counter % 2 ** 32, 4);
  const digest = createHmac(hashOf(secret), secret).update(message).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

export function hashOf({ symmetricKeySize }: KeyObject): 'sha1' | 'sha256' | 'sha512' {
  if (symmetricKeySize === 32) return 'sha256';
  return symmetricKeySize === 64 ? 'sha512' : 'sha1';
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

/** The first of the counters that has this code. All are tried, so that the time tells nothing of which it was. */
export function firstMatch(
  code: string,
  source: CodeSource,
  counters: readonly number[],
): number | undefined {
  const given = readCode(code, source.digits);
  if (given === undefined) return undefined;
  const matches = counters.filter((counter) => timingSafeEqual(given, Buffer.from(hotp(source, counter))));
  return matches[0];
}

/** A code as typed, `123 456`, without the spaces; a text that is too long for one is none. */
export const compactCode = (code: string): string => (code.length > 64 ? '' : code.replace(/\s+/g, ''));

/** Undefined if it is not `digits` decimal digits. */
function readCode(code: string, digits: number): Buffer | undefined {
  const compact = compactCode(code);
  return compact.length === digits && /^[0-9]+$/.test(compact) ? Buffer.from(compact) : undefined;
}
