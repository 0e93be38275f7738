/**
 * `@watchword/core/otp`: HOTP (RFC 4226), TOTP (RFC 6238), base32 (RFC 4648 §6) and `otpauth://` URIs. The caller keeps the counters, so that
 * a code is accepted once.
 */
export { fromBase32, toBase32 } from './base32.ts';
export {
  type Algorithm,
  algorithmOf,
  type HotpParameters,
  type HotpWindow,
  hotp,
  matchHotp,
  matchSequence,
} from './hotp.ts';
export { driftAfter, matchTotp, type TotpParameters, type TotpWindow, totp } from './totp.ts';
export { formatUri, type TokenUri } from './uri.ts';
export { timeStep } from './window.ts';
