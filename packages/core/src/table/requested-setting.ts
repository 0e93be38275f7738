/** Settings as a request names them, and those of them that no request sets (webservices.md §4). */
import type { Names } from './dialect.ts';

/** Who may log in and until when, how often may be guessed, and how much of a token's time and counters is accepted. */
const reserved: ReadonlySet<string> = new Set([
  ...['EnableLogin', 'ValidFrom', 'ValidTo', 'ReplyData', 'MaxTries', 'BlockTime', 'BlockNotify'],
  ...['TOTPTimeStep', 'TOTPTimeOffsetWindow', 'HOTPLookAheadWindow', 'OTPLength', 'OTPPrefix'],
  ...['TokenExpire', 'LastOTPTime', 'PasswordReset', 'SelfRegister'],
]);

/** Whether a setting is one that no caller may say, whoever it is; in any application. @param name with its application */
export const isReserved = (name: string): boolean => reserved.has(name.split('.').at(-1) ?? '');

/** The name in our words, with its application: that of one-time passwords, where the text does not say. */
export const requestedSetting = (text: string, names: Names): string =>
  text.includes('.') ? names.oursDotted(text) : `Otp.${text}`;
