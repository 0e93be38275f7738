/** A row of the tables: who logs in with what, and the exact answer of the interface. */
import { expect } from 'vitest';
import type { Having, User } from '../cast.ts';
import type { Answer, Fields, Operation } from '../doors.ts';
import { key } from '../people.ts';

export interface Row {
  /** Of all rows another one: users are found by it. */
  readonly title: string;
  /** Left out: a TOTP token. */
  readonly has?: Having;
  /** Left out: `normalLogin`. */
  readonly operation?: Operation;
  /** The fields beside `username`; what is named here goes before it. */
  readonly ask: (user: User) => Fields | Promise<Fields>;
  readonly answer: Answer;
}

export const granted = {
  ...{ code: 1, error: '', message: 'Authentication success' },
  ...{ username: expect.any(String), domain: expect.any(String), data: '', concat: 0 },
};
export const refused = { code: 0, error: 'AuthFailed', message: 'Invalid username or password' };
export const badRequest = { code: 0, error: 'BadRequest', message: 'Invalid authentication request' };
export const noSession = { code: 0, error: 'NoSession', message: 'Session not started or timedout' };
export const serverError = { code: 0, error: 'ServerError', message: 'Server error' };

export const challenge = (type: string, otpChallenge = type, timeout = 90): Answer => ({
  ...{ code: 2, error: '', message: `Enter your ${type} password`, timeout, otpChallenge },
  session: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
});

export const both = (user: User): Fields => ({ ldapPassword: user.password, otpPassword: user.code() });
export const passwordOnly = (user: User): Fields => ({ ldapPassword: user.password });

export const totp = ['Otp.TOTP_Register', { key }] as const;
export const hotp = ['Otp.HOTP_Register', { key, counter: 0 }] as const;
export const list = ['Otp.List_Register', { size: 100 }] as const;
export const emergency = ['Otp.Emerg_Register', { otp: 'help me 48', expires: 86_400 }] as const;

/** Settings of the user's own, without the word in front. */
export const set = (settings: Readonly<Record<string, string>>) => {
  const named = Object.entries(settings).map(([name, value]) => [`Otp.${name}`, value]);
  return ['Set_User_Settings', { settings: Object.fromEntries(named) }] as const;
};

/** What stands on the entry though it cannot be set here: of an earlier version, or of another server. */
export const written = (settings: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(settings).map(([name, value]) => `Otp.${name}=${value}`);

/** What the user of a row has that says nothing. */
export const usual: Having = { done: [totp] };
