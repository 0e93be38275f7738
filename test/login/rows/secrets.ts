/** Passwords and codes: what each login mode wants, and how one text with both is read. */
import {
  both,
  challenge,
  emergency,
  granted,
  list,
  passwordOnly,
  type Row,
  refused,
  set,
  totp,
  written,
} from './row.ts';

const wrongCode = '000000';

const modes: readonly Row[] = [
  { title: 'LDAPOTP, both right', ask: both, answer: granted },
  { title: 'LDAPOTP, password right, no code', ask: passwordOnly, answer: challenge('TOKEN') },
  {
    title: 'LDAPOTP, an empty code is none',
    ask: (user) => ({ ...passwordOnly(user), otpPassword: '' }),
    answer: challenge('TOKEN'),
  },
  { title: 'LDAPOTP, wrong password', ask: () => ({ ldapPassword: 'wrong' }), answer: refused },
  {
    title: 'LDAPOTP, wrong password, right code',
    ask: (user) => ({ ...both(user), ldapPassword: 'wrong' }),
    answer: refused,
  },
  {
    title: 'LDAPOTP, right password, wrong code',
    ask: (user) => ({ ...both(user), otpPassword: wrongCode }),
    answer: refused,
  },
  {
    title: 'LDAPOTP, no password, right code',
    ask: (user) => ({ otpPassword: user.code() }),
    answer: refused,
  },
  { title: 'LDAPOTP, neither', ask: () => ({}), answer: refused },
  {
    title: 'LDAPOTP, the password in capitals',
    ask: (user) => ({ ...both(user), ldapPassword: user.password.toUpperCase() }),
    answer: refused,
  },
  { title: 'LDAPOTP, no second factor', has: {}, ask: passwordOnly, answer: refused },
  { title: 'LDAPOTP, no second factor, but a code', has: {}, ask: both, answer: refused },
  { title: 'otpLogin is otpNormalLogin', operation: 'login', ask: both, answer: granted },
  { title: 'otpLogin asks for the code', operation: 'login', ask: passwordOnly, answer: challenge('TOKEN') },
  {
    title: 'LDAP, password right',
    has: { done: [set({ LoginMode: 'LDAP' })] },
    ask: passwordOnly,
    answer: granted,
  },
  {
    title: 'LDAP, the code is ignored',
    has: { done: [totp, set({ LoginMode: 'LDAP' })] },
    ask: (user) => ({ ...passwordOnly(user), otpPassword: wrongCode }),
    answer: granted,
  },
  {
    title: 'LDAP, wrong password, right code',
    has: { done: [totp, set({ LoginMode: 'LDAP' })] },
    ask: (user) => ({ ldapPassword: 'wrong', otpPassword: user.code() }),
    answer: refused,
  },
  {
    title: 'OTP, code right',
    has: { done: [totp, set({ LoginMode: 'OTP' })] },
    ask: (user) => ({ otpPassword: user.code() }),
    answer: granted,
  },
  {
    title: 'OTP, the password is ignored',
    has: { done: [totp, set({ LoginMode: 'OTP' })] },
    ask: (user) => ({ ldapPassword: 'wrong', otpPassword: user.code() }),
    answer: granted,
  },
  {
    title: 'OTP, wrong code, right password',
    has: { done: [totp, set({ LoginMode: 'OTP' })] },
    ask: (user) => ({ ...passwordOnly(user), otpPassword: wrongCode }),
    answer: refused,
  },
  {
    title: 'OTP, no code',
    has: { done: [totp, set({ LoginMode: 'OTP' })] },
    ask: passwordOnly,
    answer: challenge('TOKEN'),
  },
  {
    title: 'OTP, nothing at all',
    has: { done: [totp, set({ LoginMode: 'OTP' })] },
    ask: () => ({}),
    answer: challenge('TOKEN'),
  },
  {
    title: 'OTP, no code, of a list',
    has: { done: [list, set({ OTPType: 'LIST', LoginMode: 'OTP' })] },
    ask: () => ({}),
    answer: challenge('LIST'),
  },
  {
    title: 'OTP, no code and nothing that one could be of',
    has: { done: [set({ LoginMode: 'OTP' })] },
    ask: () => ({}),
    answer: challenge('TOKEN'),
  },
  {
    title: 'OTP, no code, nobody',
    ask: () => ({ username: 'nobody', settings: 'LoginMode=OTP' }),
    answer: challenge('TOKEN'),
  },
  {
    title: 'OTP, no code, nowhere',
    ask: () => ({ domain: 'Nowhere', settings: 'LoginMode=OTP,ChallengeTimeout=60' }),
    answer: challenge('TOKEN', 'TOKEN', 60),
  },
  {
    title: 'OTP, no code, a login that is switched off',
    has: { done: [totp, set({ EnableLogin: 'No' })] },
    ask: () => ({ settings: 'LoginMode=OTP' }),
    answer: challenge('TOKEN'),
  },
  {
    title: '-LDAP, no code',
    ask: () => ({ options: '-LDAP', client: 'portal' }),
    answer: challenge('TOKEN'),
  },
  {
    title: '-LDAP, no code, nobody',
    ask: () => ({ username: 'nobody', options: '-LDAP', client: 'portal' }),
    answer: challenge('TOKEN'),
  },
  {
    title: '-LDAP, no code, not allowed',
    ask: () => ({ options: '-LDAP', client: 'strict' }),
    answer: refused,
  },
  {
    title: 'ChallengeMode=No, nobody',
    ask: () => ({ username: 'nobody', settings: 'LoginMode=OTP,ChallengeMode=No' }),
    answer: refused,
  },
  {
    title: 'LDAPMFA, both right',
    has: { done: [totp, set({ LoginMode: 'LDAPMFA' })] },
    ask: both,
    answer: granted,
  },
  {
    title: 'LDAPMFA asks for the code',
    has: { done: [totp, set({ LoginMode: 'LDAPMFA' })] },
    ask: passwordOnly,
    answer: challenge('TOKEN'),
  },
  {
    title: 'LDAPU2F is not met by a code',
    has: { done: [totp], written: written({ LoginMode: 'LDAPU2F' }) },
    ask: both,
    answer: refused,
  },
];

const simple = (row: Omit<Row, 'operation'>): Row => ({ ...row, operation: 'simpleLogin' });

const concatenated: readonly Row[] = [
  simple({
    title: 'one text, both',
    ask: (user) => ({ anyPassword: user.password + user.code() }),
    answer: { ...granted, concat: 6 },
  }),
  simple({
    title: 'one text, password only',
    ask: (user) => ({ anyPassword: user.password }),
    answer: challenge('TOKEN'),
  }),
  simple({ title: 'one text, code only', ask: (user) => ({ anyPassword: user.code() }), answer: refused }),
  simple({
    title: 'one text, wrong code',
    ask: (user) => ({ anyPassword: user.password + wrongCode }),
    answer: refused,
  }),
  simple({
    title: 'one text, wrong password',
    ask: (user) => ({ anyPassword: `wrong${user.code()}` }),
    answer: refused,
  }),
  simple({
    title: 'one text, the code first',
    ask: (user) => ({ anyPassword: user.code() + user.password }),
    answer: refused,
  }),
  simple({
    title: 'one text, empty, -LDAP',
    ask: () => ({ anyPassword: '', options: '-LDAP', client: 'portal' }),
    answer: challenge('TOKEN'),
  }),
  simple({
    title: 'one text, none, -LDAP',
    ask: () => ({ options: '-LDAP', client: 'portal' }),
    answer: challenge('TOKEN'),
  }),
  simple({ title: 'one text, empty', ask: () => ({ anyPassword: '' }), answer: refused }),
  simple({ title: 'one text, none', ask: () => ({}), answer: refused }),
  simple({
    title: 'one text, LDAP',
    has: { done: [totp, set({ LoginMode: 'LDAP' })] },
    ask: (user) => ({ anyPassword: user.password }),
    answer: granted,
  }),
  simple({
    title: 'one text, OTP',
    has: { done: [totp, set({ LoginMode: 'OTP' })] },
    ask: (user) => ({ anyPassword: user.code() }),
    answer: granted,
  }),
  simple({
    title: 'one text, an emergency password of ten',
    has: { done: [totp, emergency] },
    ask: (user) => ({ anyPassword: `${user.password}help me 48` }),
    answer: { ...granted, concat: 10 },
  }),
  simple({
    title: 'one text, a token beside an emergency password',
    has: { done: [totp, emergency] },
    ask: (user) => ({ anyPassword: user.password + user.code() }),
    answer: { ...granted, concat: 6 },
  }),
  simple({
    title: 'one text, a code of a list',
    has: { done: [list, set({ OTPType: 'LIST' })] },
    ask: async (user) => ({ anyPassword: user.password + (await user.listCode()) }),
    answer: { ...granted, concat: 6 },
  }),
];

export const secretRows = [...modes, ...concatenated];
