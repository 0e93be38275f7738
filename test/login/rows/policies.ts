/**
 * What decides over a login beside the user: settings and options of the request, and the policy of the client. Its
 * layers and its mode are in layers.ts.
 */
import type { FixtureOptions } from '@watchword/core/testing/bed';
import { doorAddresses } from '../people.ts';
import {
  badRequest,
  both,
  challenge,
  granted,
  passwordOnly,
  type Row,
  refused,
  set,
  totp,
  written,
} from './row.ts';

const base = 'dc=example,dc=org';
const group = (name: string): string => `cn=${name},ou=groups,${base}`;
const reply = (layer: string) => ({ settings: { 'Otp.ReplyData': layer } });

/** Each client has one layer more than the one before it. */
const layered = {
  'layer 4': reply('client'),
  'layer 5': { ...reply('client'), groups: [{ group: group('crew'), ...reply('client by group') }] },
  'layer 6': {
    ...reply('client'),
    groups: [{ group: group('crew'), ...reply('client by group') }],
    networks: [{ network: '10.0.0.0/8', ...reply('client by network') }],
  },
};

/** The caller's address is its name where it gives none; a test calls from each of these. */
const callers = Object.fromEntries(
  ['192.0.2.1', '127.0.0.1', 'in-process'].map((address) => [
    address,
    { allowed_options: ['-LDAP' as const] },
  ]),
);

/** Policies for a group and for a network, which a mode of the client holds in if it is told to. */
const exceptions = {
  groups: [{ group: group('crew'), settings: {} }],
  networks: [{ network: '10.0.0.0/8', settings: {} }],
};

export const config: NonNullable<FixtureOptions['config']> = {
  // The limits out of the way: they have tests of their own.
  ...{ trusted_callers: doorAddresses, request_settings: doorAddresses },
  limits: { login_failure_delay_ms: 0 },
  settings: { 'Otp.MaxTries': '1000000' },
  domains: { Default: { base }, Guests: { base, allowed_groups: [group('guests')] } },
  clients: {
    ...{ ...layered, ...callers },
    reception: { default_domain: 'Guests' },
    portal: { allowed_options: ['-LDAP', '-U2F'] },
    strict: { settings: { 'Otp.LoginMode': 'LDAPOTP' } },
    'crew only': { allowed_groups: [group('crew')] },
    'no guests': { excluded_groups: [group('guests')] },
    ...{ default: {}, down: {}, up: {}, closed: {} },
    ...{ 'closed but to the crew': exceptions, 'closed to the crew, too': exceptions },
    ...{ 'closed but to a network': exceptions, 'closed to a network, too': exceptions },
    'closed by configuration': { mode: 'no_access' },
    'opened again': { mode: 'no_access' },
  },
};

/** What `Set_Client_Mode` is called with before the table is played. */
export const modes = [
  { client: 'default', mode: 0 },
  { client: 'down', mode: 1 },
  { client: 'up', mode: 2 },
  { client: 'closed', mode: 3 },
  { client: 'closed but to the crew', mode: 3, network: true },
  { client: 'closed to the crew, too', mode: 3, group: true },
  { client: 'closed but to a network', mode: 3, group: true },
  { client: 'closed to a network, too', mode: 3, network: true },
  { client: 'opened again', mode: 0 },
];

/** Groups and their settings. */
export const groups = { staff: { 'Otp.ReplyData': 'group' }, crew: {}, guests: {} };

const settings: readonly Row[] = [
  {
    title: 'settings: LoginMode=LDAP',
    ask: (user) => ({ ...passwordOnly(user), settings: 'LoginMode=LDAP' }),
    answer: granted,
  },
  {
    title: 'settings: Otp.LoginMode=OTP',
    ask: (user) => ({ otpPassword: user.code(), settings: 'Otp.LoginMode=OTP' }),
    answer: granted,
  },
  {
    title: 'settings: two',
    ask: (user) => ({ ...passwordOnly(user), settings: 'ChallengeTimeout=60,Otp.LoginMode=LDAP' }),
    answer: granted,
  },
  { title: 'settings: empty', ask: (user) => ({ ...both(user), settings: '' }), answer: granted },
  {
    title: 'settings: they do not switch off',
    ask: (user) => ({ ...both(user), settings: 'EnableLogin=No' }),
    answer: granted,
  },
  {
    title: 'settings: they do not switch on',
    has: { done: [totp, set({ EnableLogin: 'No' })] },
    ask: (user) => ({ ...both(user), settings: 'EnableLogin=Yes' }),
    answer: refused,
  },
  {
    title: 'settings: they move no date',
    has: { done: [totp, set({ ValidTo: '2026-11-20 12:00:00' })] },
    ask: (user) => ({ ...both(user), settings: 'ValidTo=2099-01-01 00:00:00' }),
    answer: refused,
  },
  {
    title: 'settings: they forge no reply',
    has: { done: [totp, set({ ReplyData: 'staff' })] },
    ask: (user) => ({ ...both(user), settings: 'ReplyData=admins' }),
    answer: { ...granted, data: 'staff' },
  },
  {
    title: 'settings: they widen no window',
    ask: (user) => ({ otpPassword: user.code(), ldapPassword: 'x', settings: 'OTPLength=8,TOTPTimeStep=1' }),
    answer: refused,
  },
  {
    title: 'settings: ChallengeMode=No, no code',
    ask: (user) => ({ ...passwordOnly(user), settings: 'ChallengeMode=No' }),
    answer: refused,
  },
  {
    title: 'settings: ChallengeMode=No, both right',
    ask: (user) => ({ ...both(user), settings: 'ChallengeMode=No' }),
    answer: granted,
  },
  {
    title: 'settings: ChallengeMode=No, a code alone is wanted and missing',
    ask: () => ({ settings: 'LoginMode=OTP,ChallengeMode=No' }),
    answer: refused,
  },
  {
    title: 'settings: ChallengeMode=Yes, no code',
    ask: (user) => ({ ...passwordOnly(user), settings: 'Otp.ChallengeMode=Yes' }),
    answer: challenge('TOKEN'),
  },
  {
    title: 'settings: ChallengeTimeout',
    ask: (user) => ({ ...passwordOnly(user), settings: 'ChallengeTimeout=300' }),
    answer: challenge('TOKEN', 'TOKEN', 300),
  },
  {
    title: 'settings: no setting',
    ask: (user) => ({ ...both(user), settings: 'Sesame=Open,Otp.Sesame=Open,Sesame' }),
    answer: granted,
  },
  {
    title: 'settings: no value of the setting',
    ask: (user) => ({ ...both(user), settings: 'LoginMode=Open' }),
    answer: badRequest,
  },
];

const options: readonly Row[] = [
  {
    title: 'options: -LDAP, allowed',
    ask: (user) => ({ otpPassword: user.code(), options: '-LDAP', client: 'portal' }),
    answer: granted,
  },
  {
    title: 'options: -LDAP, allowed, wrong code',
    ask: () => ({ otpPassword: '000000', options: '-LDAP', client: 'portal' }),
    answer: refused,
  },
  {
    title: 'options: -LDAP, allowed, in mode LDAP',
    ask: (user) => ({
      otpPassword: user.code(),
      options: '-LDAP',
      client: 'portal',
      settings: 'LoginMode=LDAP',
    }),
    answer: refused,
  },
  {
    title: 'options: -LDAP, not allowed',
    ask: (user) => ({ otpPassword: user.code(), options: '-LDAP', client: 'strict' }),
    answer: refused,
  },
  {
    title: 'options: -LDAP, of a client that is not known',
    ask: (user) => ({ otpPassword: user.code(), options: '-LDAP', client: 'anybody' }),
    answer: refused,
  },
  {
    title: 'options: -U2F, allowed',
    has: { written: written({ LoginMode: 'LDAPU2F' }) },
    ask: (user) => ({ ...passwordOnly(user), options: '-U2F', client: 'portal' }),
    answer: granted,
  },
  {
    title: 'options: -U2F, not allowed',
    has: { written: written({ LoginMode: 'LDAPU2F' }) },
    ask: (user) => ({ ...passwordOnly(user), options: '-U2F', client: 'strict' }),
    answer: refused,
  },
  {
    title: 'options: -LDAP and -U2F, allowed, leave the password',
    has: { written: written({ LoginMode: 'LDAPU2F' }) },
    ask: () => ({ options: '-LDAP,-U2F', client: 'portal' }),
    answer: refused,
  },
  {
    title: 'options: -U2F leaves no other factor out',
    ask: (user) => ({ ...passwordOnly(user), options: '-U2F', client: 'portal' }),
    answer: challenge('TOKEN'),
  },
  {
    title: 'options: unknown ones',
    ask: (user) => ({ ...both(user), options: 'FASTER,-OTP' }),
    answer: granted,
  },
  {
    title: 'options: unknown ones leave nothing out',
    ask: (user) => ({ ...passwordOnly(user), options: '-OTP,-TOKEN' }),
    answer: challenge('TOKEN'),
  },
];

const clients: readonly Row[] = [
  {
    title: 'client: none, its address is its name',
    ask: (user) => ({ otpPassword: user.code(), options: '-LDAP' }),
    answer: granted,
  },
  { title: 'client: unknown', ask: (user) => ({ ...both(user), client: 'anybody' }), answer: granted },
  {
    title: 'client: in capitals',
    ask: (user) => ({ otpPassword: user.code(), options: '-LDAP', client: 'PORTAL' }),
    answer: granted,
  },
  {
    title: 'client: not of the allowed group',
    ask: (user) => ({ ...both(user), client: 'crew only' }),
    answer: refused,
  },
  {
    title: 'client: of the allowed group',
    has: { done: [totp], groups: ['crew'] },
    ask: (user) => ({ ...both(user), client: 'crew only' }),
    answer: granted,
  },
  {
    title: 'client: of the excluded group',
    has: { done: [totp], groups: ['guests'] },
    ask: (user) => ({ ...both(user), client: 'no guests' }),
    answer: refused,
  },
  {
    title: 'client: not of the excluded group',
    ask: (user) => ({ ...both(user), client: 'no guests' }),
    answer: granted,
  },
];

export const policyRows = [...settings, ...options, ...clients];
