/** Who it is, by which name, and whether this user may log in. */
import {
  badRequest,
  both,
  granted,
  passwordOnly,
  type Row,
  refused,
  serverError,
  set,
  totp,
  written,
} from './row.ts';

const names: readonly Row[] = [
  {
    title: 'a name in capitals',
    ask: (user) => ({ ...both(user), username: user.username.toUpperCase() }),
    answer: granted,
  },
  { title: 'an unknown user', ask: (user) => ({ ...both(user), username: 'nobody' }), answer: refused },
  { title: 'no name', ask: (user) => ({ ...both(user), username: '' }), answer: badRequest },
  { title: 'a name that is a filter', ask: (user) => ({ ...both(user), username: '*' }), answer: refused },
  {
    title: 'a name of a thousand characters',
    ask: (user) => ({ ...both(user), username: 'x'.repeat(1025) }),
    answer: badRequest,
  },
  { title: 'a domain', ask: (user) => ({ ...both(user), domain: 'Default' }), answer: granted },
  { title: 'a domain in capitals', ask: (user) => ({ ...both(user), domain: 'DEFAULT' }), answer: granted },
  { title: 'an empty domain is none', ask: (user) => ({ ...both(user), domain: '' }), answer: granted },
  { title: 'an unknown domain', ask: (user) => ({ ...both(user), domain: 'Nowhere' }), answer: refused },
  {
    title: 'DOMAIN\\user',
    ask: (user) => ({ ...both(user), username: `DEFAULT\\${user.username}` }),
    answer: granted,
  },
  {
    title: 'DOMAIN\\user, unknown',
    ask: (user) => ({ ...both(user), username: `Nowhere\\${user.username}` }),
    answer: refused,
  },
  {
    title: 'DOMAIN\\user, the same in the field',
    ask: (user) => ({ ...both(user), username: `Default\\${user.username}`, domain: 'default' }),
    answer: granted,
  },
  {
    title: 'DOMAIN\\user, another one in the field',
    ask: (user) => ({ ...both(user), username: `Default\\${user.username}`, domain: 'Guests' }),
    answer: refused,
  },
  {
    title: 'a domain that does not admit the user',
    ask: (user) => ({ ...both(user), domain: 'Guests' }),
    answer: refused,
  },
  {
    title: 'a domain of the user’s group',
    has: { done: [totp], groups: ['guests'] },
    ask: (user) => ({ ...both(user), domain: 'Guests' }),
    answer: granted,
  },
  {
    title: 'the client’s domain admits its guests',
    has: { done: [totp], groups: ['guests'] },
    ask: (user) => ({ ...both(user), client: 'reception' }),
    answer: granted,
  },
  {
    title: 'the client’s domain admits nobody else',
    ask: (user) => ({ ...both(user), client: 'reception' }),
    answer: refused,
  },
  {
    title: 'a domain goes before the client’s',
    ask: (user) => ({ ...both(user), client: 'reception', domain: 'Default' }),
    answer: granted,
  },
  {
    title: 'DOMAIN\\user goes before the client’s',
    ask: (user) => ({ ...both(user), client: 'reception', username: `Default\\${user.username}` }),
    answer: granted,
  },
  {
    title: 'a DN',
    ask: (user) => ({ ...both(user), username: user.dn, options: 'LDAPDN' }),
    answer: granted,
  },
  {
    title: 'a DN in other words',
    ask: (user) => ({
      ...both(user),
      username: user.dn.toUpperCase().replaceAll(',', ' , '),
      options: 'LDAPDN',
    }),
    answer: granted,
  },
  {
    title: 'a DN without the option',
    ask: (user) => ({ ...both(user), username: user.dn }),
    answer: refused,
  },
  {
    title: 'the option without a DN',
    ask: (user) => ({ ...both(user), options: 'LDAPDN' }),
    answer: refused,
  },
  {
    title: 'a DN of nobody',
    ask: (user) => ({ ...both(user), username: `uid=nobody,${user.dn}`, options: 'LDAPDN' }),
    answer: refused,
  },
  {
    title: 'a DN outside the domain',
    ask: (user) => ({ ...both(user), username: 'dc=com', options: 'LDAPDN' }),
    answer: refused,
  },
];

const from = (text: string) => set({ ValidFrom: text });
const to = (text: string) => set({ ValidTo: text });

const standing: readonly Row[] = [
  {
    title: 'a user who is not activated',
    has: { done: [['Deactivate_LDAP_Object', {}]] },
    ask: (user) => ({ ...passwordOnly(user), settings: 'LoginMode=LDAP' }),
    answer: refused,
  },
  {
    title: 'a user who is blocked',
    has: { done: [totp, ['Otp.Block_Start', {}]] },
    ask: both,
    answer: refused,
  },
  {
    title: 'a user who is let in again',
    has: { done: [totp, ['Otp.Block_Start', {}], ['Otp.Block_Reset', {}]] },
    ask: both,
    answer: granted,
  },
  { title: 'EnableLogin=No', has: { done: [totp, set({ EnableLogin: 'No' })] }, ask: both, answer: refused },
  {
    title: 'EnableLogin=Yes',
    has: { done: [totp, set({ EnableLogin: 'Yes' })] },
    ask: both,
    answer: granted,
  },
  {
    title: 'ValidFrom has come',
    has: { done: [totp, from('2026-11-20 12:00:00')] },
    ask: both,
    answer: granted,
  },
  {
    title: 'ValidFrom is to come',
    has: { done: [totp, from('2030-01-01 00:00:00')] },
    ask: both,
    answer: refused,
  },
  {
    title: 'ValidTo is to come',
    has: { done: [totp, to('2030-01-01 00:00:00')] },
    ask: both,
    answer: granted,
  },
  { title: 'ValidTo is over', has: { done: [totp, to('2026-11-20 12:00:00')] }, ask: both, answer: refused },
  {
    title: 'ValidTo is no moment',
    has: { done: [totp], written: written({ ValidTo: 'soon' }) },
    ask: both,
    answer: refused,
  },
  {
    title: 'ValidFrom is no moment',
    has: { done: [totp], written: written({ ValidFrom: 'soon' }) },
    ask: both,
    answer: refused,
  },
  {
    title: 'between ValidFrom and ValidTo',
    has: { done: [totp, set({ ValidFrom: '2026-11-20 00:00:00', ValidTo: '2030-01-01 00:00:00' })] },
    ask: both,
    answer: granted,
  },
  {
    title: 'ReplyData',
    has: { done: [totp, set({ ReplyData: 'Class="staff", <b>&äöü' })] },
    ask: both,
    answer: { ...granted, data: 'Class="staff", <b>&äöü' },
  },
];

const source: readonly Row[] = [
  { title: 'a source', ask: (user) => ({ ...both(user), source: '198.51.100.7' }), answer: granted },
  { title: 'a source of IPv6', ask: (user) => ({ ...both(user), source: '2001:db8::7' }), answer: granted },
  {
    title: 'a source that is no address',
    ask: (user) => ({ ...both(user), source: 'laptop' }),
    answer: serverError,
  },
  {
    title: 'a source of nobody that is no address',
    ask: (user) => ({ ...both(user), username: 'nobody', source: '10.0.0.256' }),
    answer: serverError,
  },
];

export const userRows = [...names, ...standing, ...source];
