/** The policy layers, weakest first, and the modes of clients (docs/concepts/policies-and-settings.md#layers). */
import type { Having } from '../cast.ts';
import { both, challenge, granted, passwordOnly, type Row, refused, set, totp } from './row.ts';

const [none, inGroups, withOwn]: readonly Having[] = [
  { done: [totp] },
  { done: [totp], groups: ['staff', 'crew'] },
  { done: [totp, set({ ReplyData: 'user' })], groups: ['staff', 'crew'] },
];

const layer = (title: string, has: Having | undefined, more: Readonly<Record<string, string>> = {}) => {
  const ask: Row['ask'] = (user) => ({ ...both(user), source: '10.1.2.3', ...more });
  return (data: string): Row => ({
    title: `layer: ${title}`,
    has: has ?? {},
    ask,
    answer: { ...granted, data },
  });
};

/** Each row has one layer more than the one before it, and that one wins. */
const layers: readonly Row[] = [
  layer('application default', none)(''),
  layer('group', inGroups)('group'),
  layer('user', withOwn)('user'),
  layer('client', withOwn, { client: 'layer 4' })('client'),
  layer('client by group', withOwn, { client: 'layer 5' })('client by group'),
  layer('client by network', withOwn, { client: 'layer 6' })('client by network'),
  layer('of another group', none, { client: 'layer 5' })('client'),
  layer('of another network', withOwn, { client: 'layer 6', source: '192.0.2.10' })('client by group'),
];

const modeRows: readonly Row[] = [
  {
    title: 'mode default',
    ask: (user) => ({ ...passwordOnly(user), client: 'default' }),
    answer: challenge('TOKEN'),
  },
  {
    title: 'mode step down, password',
    ask: (user) => ({ ...passwordOnly(user), client: 'down' }),
    answer: granted,
  },
  {
    title: 'mode step down, code',
    ask: (user) => ({ otpPassword: user.code(), client: 'down' }),
    answer: refused,
  },
  {
    title: 'mode step up, from LDAP',
    ask: (user) => ({ ...passwordOnly(user), client: 'up', settings: 'LoginMode=LDAP' }),
    answer: challenge('TOKEN'),
  },
  {
    title: 'mode step up, from OTP',
    ask: (user) => ({ otpPassword: user.code(), client: 'up', settings: 'LoginMode=OTP' }),
    answer: refused,
  },
  { title: 'mode step up, both', ask: (user) => ({ ...both(user), client: 'up' }), answer: granted },
  { title: 'mode no access', ask: (user) => ({ ...both(user), client: 'closed' }), answer: refused },
  {
    title: 'mode no access, whatever the request sets',
    ask: (user) => ({ ...both(user), client: 'closed', settings: 'LoginMode=LDAP,EnableLogin=Yes' }),
    answer: refused,
  },
  {
    title: 'mode in policies for groups, too',
    has: { done: [totp], groups: ['crew'] },
    ask: (user) => ({ ...both(user), client: 'closed to the crew, too' }),
    answer: refused,
  },
  {
    title: 'mode not in policies for groups',
    has: { done: [totp], groups: ['crew'] },
    ask: (user) => ({ ...both(user), client: 'closed but to the crew' }),
    answer: granted,
  },
  {
    title: 'mode not in policies for groups, for others',
    ask: (user) => ({ ...both(user), client: 'closed but to the crew' }),
    answer: refused,
  },
  {
    title: 'mode in policies for networks, too',
    ask: (user) => ({ ...both(user), client: 'closed to a network, too', source: '10.1.2.3' }),
    answer: refused,
  },
  {
    title: 'mode not in policies for networks',
    ask: (user) => ({ ...both(user), client: 'closed but to a network', source: '10.1.2.3' }),
    answer: granted,
  },
  {
    title: 'mode not in policies for networks, for others',
    ask: (user) => ({ ...both(user), client: 'closed but to a network', source: '192.0.2.10' }),
    answer: refused,
  },
  {
    title: 'mode of the configuration',
    ask: (user) => ({ ...both(user), client: 'closed by configuration' }),
    answer: refused,
  },
  {
    title: 'mode set over that of the configuration',
    ask: (user) => ({ ...both(user), client: 'opened again' }),
    answer: granted,
  },
];

const request: Row = {
  title: 'layer: request',
  ask: (user) => ({ ...passwordOnly(user), client: 'strict', settings: 'LoginMode=LDAP' }),
  answer: granted,
};

export const layerRows = [...layers, request, ...modeRows];
