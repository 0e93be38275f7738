/**
 * What a request may say: of the settings that none sets a row each, and of callers that have shown
 * nothing what they say in vain in `settings`, `client`, `options` and `source`.
 */
import type { FixtureOptions } from '@watchword/core/testing/bed';
import { groupDn, type Having, type User } from '../cast.ts';
import type { Fields } from '../doors.ts';
import { codeAt } from '../people.ts';
import { both, challenge, granted, hotp, list, passwordOnly, type Row, refused, set, totp } from './row.ts';

const base = 'dc=example,dc=org';
const mode = (LoginMode: string) => ({ 'Otp.LoginMode': LoginMode });

export const clients: NonNullable<NonNullable<FixtureOptions['config']>['clients']> = {
  lax: { settings: mode('LDAP') },
  'lax by group': { groups: [{ group: groupDn({ base }, 'crew'), settings: mode('LDAP') }] },
  'lax by network': {
    networks: ['198.51.100.0/24', '192.0.2.0/24', '127.0.0.0/8'].map((network) => ({
      ...{ network, settings: mode('LDAP') },
    })),
  },
  down: { mode: 'step_down' },
  portal: { allowed_options: ['-LDAP'] },
  'long challenge': { settings: { 'Otp.ChallengeTimeout': 300 } },
  'wide window': { settings: { 'Otp.TOTPTimeOffsetWindow': 3600 } },
  'switched on': { settings: { 'Otp.EnableLogin': true } },
  'by list': { settings: { 'Otp.OTPType': 'LIST' } },
  'short challenge': { settings: { 'Otp.ChallengeTimeout': 30 } },
  strict: { settings: mode('LDAPOTP') },
  up: { mode: 'step_up' },
  closed: { mode: 'no_access' },
  'switched off': { settings: { 'Otp.EnableLogin': false } },
  'crew only': { allowed_groups: [groupDn({ base }, 'crew')] },
  replying: { settings: { 'Otp.ReplyData': 'of the client' } },
};

/** What happens before the login that counts. */
export interface Before {
  /** Logs the user in, with the setting of the row. */
  readonly login: (fields: Fields) => Promise<unknown>;
  /** Lets time pass, in seconds. */
  readonly wait: (seconds: number) => void;
}

/** A setting that no request sets, and a login that would end otherwise if one did. */
export interface ReservedRow extends Omit<Row, 'ask'> {
  readonly setting: string;
  readonly ask: (user: User, before: Before) => Fields | Promise<Fields>;
}

const reserved = (
  setting: string,
  row: Partial<Omit<ReservedRow, 'setting' | 'title'>> = {},
): ReservedRow => ({ title: `no request sets ${setting}`, setting, ask: both, answer: granted, ...row });

const withPassword: Having = { done: [set({ LoginMode: 'LDAP' })] };

/** Five wrong passwords. */
async function fail({ login }: Before): Promise<void> {
  for (let n = 0; n < 5; n += 1) await login({ ldapPassword: 'wrong' });
}

export const reservedRows: readonly ReservedRow[] = [
  reserved('EnableLogin=Yes', { has: { done: [totp, set({ EnableLogin: 'No' })] }, answer: refused }),
  reserved('ValidFrom=2000-01-01 00:00:00', {
    has: { done: [totp, set({ ValidFrom: '2090-01-01 00:00:00' })] },
    answer: refused,
  }),
  reserved('ValidTo=2099-01-01 00:00:00', {
    has: { done: [totp, set({ ValidTo: '2001-01-01 00:00:00' })] },
    answer: refused,
  }),
  reserved('ReplyData=admins', {
    has: { done: [totp, set({ ReplyData: 'staff' })] },
    answer: { ...granted, data: 'staff' },
  }),
  reserved('MaxTries=1000000', {
    has: withPassword,
    ask: async (user, before) => {
      await fail(before);
      return passwordOnly(user);
    },
    answer: refused,
  }),
  reserved('BlockTime=1', {
    has: withPassword,
    ask: async (user, before) => {
      await fail(before);
      before.wait(2);
      return passwordOnly(user);
    },
    answer: refused,
  }),
  reserved('TOTPTimeOffsetWindow=3600', {
    ask: (user, { wait }) => {
      const fields = both(user);
      wait(600);
      return fields;
    },
    answer: refused,
  }),
  reserved('HOTPLookAheadWindow=1000', {
    has: { done: [hotp] },
    ask: ({ password }) => ({ ldapPassword: password, otpPassword: codeAt(100) }),
    answer: refused,
  }),
  reserved('TokenExpire=0', {
    has: { done: [set({ TokenExpire: '1' }), totp] },
    ask: (user, { wait }) => {
      wait(2 * 86_400);
      return both(user);
    },
    answer: refused,
  }),
  reserved('LastOTPTime=3600', {
    ask: async (user, { login }) => {
      const fields = both(user);
      await login(fields);
      return fields;
    },
    answer: refused,
  }),
  ...['TOTPTimeStep=60', 'OTPLength=8', 'OTPPrefix=Yes', 'BlockNotify=Yes'].map((setting) =>
    reserved(setting),
  ),
  ...['PasswordReset=Yes', 'SelfRegister=Yes'].map((setting) => reserved(setting)),
];

const crew: Having = { done: [totp], groups: ['crew'] };
const mine = (settings: Readonly<Record<string, string>>): Having => ({ done: [totp, set(settings)] });
const says = (fields: Fields, row: Partial<Row> = {}): Row => ({
  title: Object.entries(fields)
    .map(([name, value]) => `${name} ${value}`)
    .join(', '),
  ask: (user) => ({ ...passwordOnly(user), ...fields }),
  answer: challenge('TOKEN'),
  ...row,
});
const codeOnly =
  (fields: Fields): Row['ask'] =>
  (user) => ({ otpPassword: user.code(), ...fields });

/** In vain: each answer is what it is without the words. */
export const vainRows: readonly Row[] = [
  says({ settings: 'LoginMode=LDAP' }),
  says({ settings: 'Otp.LoginMode=LDAP' }),
  says({ settings: 'LoginMode=OTP' }, { ask: codeOnly({ settings: 'LoginMode=OTP' }), answer: refused }),
  says({ settings: 'OTPType=LIST' }),
  says({ settings: 'OTPFallback=LIST' }, { has: { done: [list] }, answer: refused }),
  says({ settings: 'ChallengeTimeout=300' }),
  says({ settings: 'ChallengeMode=Yes' }, { has: mine({ ChallengeMode: 'No' }), answer: refused }),
  says({ client: 'lax' }),
  says({ client: 'lax by group' }, { has: crew }),
  says({ client: 'lax by network', source: '198.51.100.7' }),
  says({ client: 'down' }),
  says({ client: 'long challenge' }),
  says({ client: 'by list' }),
  says({ client: 'switched on' }, { has: mine({ EnableLogin: 'No' }), answer: refused }),
  says({ client: 'wide window' }, { ask: (user) => late(user), answer: refused }),
  says(
    { client: 'portal', options: '-LDAP' },
    { ask: codeOnly({ client: 'portal', options: '-LDAP' }), answer: refused },
  ),
];

/** A right code of ten minutes ago. */
function late(user: User): Fields {
  const fields = both(user);
  for (let half = 0; half < 20; half += 1) user.code();
  return { ...fields, client: 'wide window' };
}

/** What asks for more, everybody may say. */
export const stricterRows: readonly Row[] = [
  says({ settings: 'LoginMode=LDAPOTP' }, { title: 'LDAP to LDAPOTP', has: mine({ LoginMode: 'LDAP' }) }),
  says(
    { settings: 'LoginMode=LDAPOTP' },
    {
      ...{ title: 'OTP to LDAPOTP', has: mine({ LoginMode: 'OTP' }) },
      ...{ ask: codeOnly({ settings: 'LoginMode=LDAPOTP' }), answer: refused },
    },
  ),
  says({ settings: 'ChallengeTimeout=30' }, { answer: challenge('TOKEN', 'TOKEN', 30) }),
  says({ settings: 'ChallengeMode=No' }, { answer: refused }),
  says({ client: 'short challenge' }, { answer: challenge('TOKEN', 'TOKEN', 30) }),
  says({ client: 'strict' }, { has: mine({ LoginMode: 'LDAP' }) }),
  says({ client: 'up' }, { has: mine({ LoginMode: 'LDAP' }) }),
  ...['closed', 'switched off', 'crew only'].map((client) =>
    says({ client }, { ask: (user) => ({ ...both(user), client }), answer: refused }),
  ),
  says(
    { client: 'replying' },
    { ask: (user) => ({ ...both(user), client: 'replying' }), answer: { ...granted, data: 'of the client' } },
  ),
];
