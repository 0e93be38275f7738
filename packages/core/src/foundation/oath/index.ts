/**
 * `@watchword/core/otp`: one-time passwords and nothing else. HOTP (RFC 4226), TOTP (RFC 6238), base32 (RFC 4648 §6),
 * `otpauth://` URIs. Accepting a code once is for the program that keeps the counters.
 */
export { fromBase32, toBase32 } from './base32.ts';
export {
  type Algorithm,
  algorithmOf,
  type CodeSource,
  type HotpWindow,
  hotp,
  matchHotp,
  matchSequence,
} from './hotp.ts';
export { driftAfter, matchTotp, type TimeSource, type TotpWindow, totp } from './totp.ts';
export { formatUri, type TokenUri } from './uri.ts';
export { timeStep } from './window.ts';
