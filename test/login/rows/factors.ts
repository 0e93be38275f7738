/** Where codes come from: tokens in their slots, printed lists, emergency passwords, and what falls back to what. */
import { key } from '../people.ts';
import {
  both,
  challenge,
  emergency,
  granted,
  hotp,
  list,
  passwordOnly,
  type Row,
  refused,
  set,
  totp,
  written,
} from './row.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const expires = (moment: string) =>
  ['Set_User_Data', { data: { 'Otp.TokenExpires': base64(moment) } }] as const;
const disabled = ['Otp.Token_Disable', {}] as const;
const otherKey = base64('another of 20 bytes.');

const tokens: readonly Row[] = [
  {
    title: 'HOTP',
    has: { done: [hotp] },
    ask: (user) => ({ ...passwordOnly(user), otpPassword: user.nextCode() }),
    answer: granted,
  },
  {
    title: 'HOTP, a counter that was passed',
    has: { done: [['Otp.HOTP_Register', { key, counter: 100 }]] },
    ask: (user) => ({ ...passwordOnly(user), otpPassword: user.nextCode() }),
    answer: refused,
  },
  {
    title: 'TOTP with a space, as apps show it',
    ask: (user) => ({ ...passwordOnly(user), otpPassword: user.code().replace(/^.../, '$& ') }),
    answer: granted,
  },
  {
    title: 'a token in slot 10',
    has: { done: [['Otp.TOTP_Register', { key, id: 10 }]] },
    ask: both,
    answer: granted,
  },
  {
    title: 'the second of two tokens',
    has: {
      done: [
        ['Otp.HOTP_Register', { key: otherKey, counter: 0 }],
        ['Otp.TOTP_Register', { key, id: 2 }],
      ],
    },
    ask: both,
    answer: granted,
  },
  { title: 'a disabled token', has: { done: [totp, disabled] }, ask: both, answer: refused },
  {
    title: 'a disabled token is not asked for',
    has: { done: [totp, disabled] },
    ask: passwordOnly,
    answer: refused,
  },
  {
    title: 'a token that is enabled again',
    has: { done: [totp, disabled, ['Otp.Token_Enable', {}]] },
    ask: both,
    answer: granted,
  },
  {
    title: 'a disabled token beside a good one',
    has: { done: [totp, disabled, ['Otp.TOTP_Register', { key, id: 2 }]] },
    ask: both,
    answer: granted,
  },
  {
    title: 'an expired token',
    has: { done: [totp, expires('2026-11-20 11:59:59')] },
    ask: both,
    answer: refused,
  },
  {
    title: 'an expired token is not asked for',
    has: { done: [totp, expires('2026-11-20 11:59:59')] },
    ask: passwordOnly,
    answer: refused,
  },
  {
    title: 'a token that expires later',
    has: { done: [totp, ['Otp.Expire_Start', { expires: 365 }]] },
    ask: both,
    answer: granted,
  },
  {
    title: 'a token that expires at no moment',
    has: { done: [totp, expires('soon')] },
    ask: both,
    answer: refused,
  },
  {
    title: 'a token that is taken away',
    has: { done: [totp, ['Otp.Token_Unregister', {}]] },
    ask: both,
    answer: refused,
  },
];

const lists: readonly Row[] = [
  {
    title: 'a list is asked for',
    has: { done: [list, set({ OTPType: 'LIST' })] },
    ask: passwordOnly,
    answer: challenge('LIST'),
  },
  {
    title: 'a code of a list',
    has: { done: [list, set({ OTPType: 'LIST' })] },
    ask: async (user) => ({ ...passwordOnly(user), otpPassword: await user.listCode() }),
    answer: granted,
  },
  {
    title: 'a list alone, in mode OTP',
    has: { done: [list, set({ OTPType: 'LIST', LoginMode: 'OTP' })] },
    ask: async (user) => ({ otpPassword: await user.listCode() }),
    answer: granted,
  },
  {
    title: 'a code of a list where a token is wanted',
    has: { done: [totp, list] },
    ask: async (user) => ({ ...passwordOnly(user), otpPassword: await user.listCode() }),
    answer: refused,
  },
  {
    title: 'a code of a token where a list is wanted',
    has: { done: [totp, list, set({ OTPType: 'LIST' })] },
    ask: both,
    answer: refused,
  },
  {
    title: 'a list that is taken away',
    has: { done: [list, ['Otp.List_Unregister', {}], set({ OTPType: 'LIST' })] },
    ask: passwordOnly,
    answer: refused,
  },
];

const fallback = set({ OTPFallback: 'LIST' });

const fallbacks: readonly Row[] = [
  { title: 'no fallback from no token', has: { done: [list] }, ask: passwordOnly, answer: refused },
  {
    title: 'a fallback from no token',
    has: { done: [list, fallback] },
    ask: passwordOnly,
    answer: challenge('LIST'),
  },
  {
    title: 'a fallback from an expired token',
    has: { done: [totp, expires('2026-01-01 00:00:00'), list, fallback] },
    ask: passwordOnly,
    answer: challenge('LIST'),
  },
  {
    title: 'a code by fallback',
    has: { done: [list, fallback] },
    ask: async (user) => ({ ...passwordOnly(user), otpPassword: await user.listCode() }),
    answer: granted,
  },
  {
    title: 'no fallback where there is a token',
    has: { done: [totp, list, fallback] },
    ask: passwordOnly,
    answer: challenge('TOKEN'),
  },
  { title: 'a fallback to nothing', has: { done: [fallback] }, ask: passwordOnly, answer: refused },
  {
    title: 'a fallback from a list to a token',
    has: { done: [totp, set({ OTPType: 'LIST', OTPFallback: 'TOKEN' })] },
    ask: both,
    answer: granted,
  },
  {
    title: 'a type that is not served, with a fallback',
    has: { done: [totp], written: written({ OTPType: 'SMS', OTPFallback: 'TOKEN' }) },
    ask: both,
    answer: granted,
  },
];

const help = 'help me 48';
const emergencies: readonly Row[] = [
  {
    title: 'an emergency password is asked for',
    has: { done: [totp, emergency] },
    ask: passwordOnly,
    answer: challenge('EMERGENCY', 'EMERG'),
  },
  {
    title: 'an emergency password without a token',
    has: { done: [emergency] },
    ask: (user) => ({ ...passwordOnly(user), otpPassword: help }),
    answer: granted,
  },
  {
    title: 'an emergency password beside a token',
    has: { done: [totp, emergency] },
    ask: (user) => ({ ...passwordOnly(user), otpPassword: help }),
    answer: granted,
  },
  {
    title: 'an emergency password beside a list',
    has: { done: [list, emergency, set({ OTPType: 'LIST' })] },
    ask: (user) => ({ ...passwordOnly(user), otpPassword: help }),
    answer: granted,
  },
  {
    title: 'an emergency password in mode OTP',
    has: { done: [emergency, set({ LoginMode: 'OTP' })] },
    ask: () => ({ otpPassword: help }),
    answer: granted,
  },
  {
    title: 'an emergency password is no password',
    has: { done: [emergency] },
    ask: () => ({ ldapPassword: help, otpPassword: help }),
    answer: refused,
  },
  {
    title: 'a token beside an emergency password',
    has: { done: [totp, emergency] },
    ask: both,
    answer: granted,
  },
  {
    title: 'a wrong emergency password',
    has: { done: [totp, emergency] },
    ask: (user) => ({ ...passwordOnly(user), otpPassword: 'help me 49' }),
    answer: refused,
  },
  {
    title: 'an emergency password that is taken away',
    has: { done: [totp, emergency, ['Otp.Emerg_Unregister', {}]] },
    ask: (user) => ({ ...passwordOnly(user), otpPassword: help }),
    answer: refused,
  },
];

export const factorRows = [...tokens, ...lists, ...fallbacks, ...emergencies];
