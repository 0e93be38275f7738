/** Fields in the words of the specification, and in those of the interface in the field. */
import { badRequest, challenge, granted, list, passwordOnly, type Row, refused, set } from './row.ts';

export const wordRows: readonly Row[] = [
  {
    title: 'words: username, ldapPassword, otp',
    ask: (user) => ({ ...passwordOnly(user), otp: user.code() }),
    answer: granted,
  },
  { title: 'words: username and ldapPassword', ask: passwordOnly, answer: challenge('TOKEN') },
  {
    title: 'words: otp of otpLogin',
    operation: 'login',
    ask: (user) => ({ ...passwordOnly(user), otp: user.code() }),
    answer: granted,
  },
  {
    title: 'words: OTP in capitals',
    ask: (user) => ({ ...passwordOnly(user), OTP: user.code() }),
    answer: granted,
  },
  {
    title: 'words: otp, wrong',
    ask: (user) => ({ ...passwordOnly(user), otp: '000000' }),
    answer: refused,
  },
  {
    title: 'words: otp, of a list',
    has: { done: [list, set({ OTPType: 'LIST', LoginMode: 'OTP' })] },
    ask: async (user) => ({ otp: await user.listCode() }),
    answer: granted,
  },
  {
    title: 'words: an empty otp beside otpPassword',
    ask: (user) => ({ ...passwordOnly(user), otp: '', otpPassword: user.code() }),
    answer: granted,
  },
  {
    title: 'words: otp and otpPassword, the same',
    ask: (user) => {
      const otp = user.code();
      return { ...passwordOnly(user), otp, otpPassword: otp };
    },
    answer: granted,
  },
  {
    title: 'words: otp and otpPassword, not the same',
    ask: (user) => ({ ...passwordOnly(user), otp: '000000', otpPassword: user.code() }),
    answer: badRequest,
  },
];
