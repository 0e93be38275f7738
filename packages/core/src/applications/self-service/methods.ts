/** The rows of the method table for self-service. */

import { lastingFactors } from '../../administration/factor-name.ts';
import type { ProfileContext } from '../../directory/view.ts';
import { meaningOf, meaningSchema } from '../../events/meaning.ts';
import { formatTimestamp } from '../../foundation/text/timestamp.ts';
import type { AuditEvent } from '../../ports/event-log/event-log.ts';
import { method } from '../../table/method.ts';
import {
  choice,
  dn,
  flag,
  integer,
  optional,
  password,
  string,
  success,
  text,
  unauditedText,
  written,
} from '../../table/schema/index.ts';
import {
  changeOwnPassword,
  type LoginsView,
  type OverviewView,
  type OwnPasswordView,
  overview,
  recentLogins,
  removeFactor,
} from './desk/own.ts';
import {
  endAll,
  endPage,
  type OwnEndingView,
  type OwnSessionsView,
  pageList,
  pagesOf,
} from './desk/own-sessions.ts';
import { type PasswordRulesView, passwordRules, rulesReport } from './desk/password-rules.ts';
import { type AskingView, sendRegistrationLink, sendResetLink } from './request.ts';

const ways = () => optional(choice('MAIL', 'SMS', 'MAILSMS', 'NONE'));

export const pwresetMethods = {
  Send_Request: method({
    summary:
      'Has a link sent to a user, by which a new password is set once; answers the link. `expires` is in hours; with `mfa` a code is asked for first; `comments` stand in the mail. What is left out is as the settings of the user say.',
    on: 'nothing',
    params: {
      username: text(),
      domain: optional(text()),
      method: ways(),
      expires: optional(integer({ min: 1, max: 720 })),
      mfa: optional(flag()),
      comments: optional(unauditedText()),
    },
    example: { username: 'alice', domain: 'Default', method: 'MAIL', expires: 24, mfa: true },
    result: string(),
    permission: 'write',
    needs: ['readsLogins', 'readsFactors'],
    run: (request, call: AskingView) => sendResetLink(request, call),
  }),
} as const;

export const selfregMethods = {
  Send_Request: method({
    summary:
      'Has a link sent to a user, by which a token, a security key, a printed list, application passwords or an SSH key is registered once; answers the link. `expires` is in seconds, `comments` stand in the mail. What is left out is as the settings of the user say.',
    on: 'nothing',
    params: {
      username: text(),
      domain: optional(text()),
      method: ways(),
      application: optional(choice('Otp', 'SshKey', 'PKI')),
      item: optional(choice('Token1', 'Token2', 'Token3', 'FIDO', 'OTPList', 'AppKeys', 'Voice')),
      expires: optional(integer({ min: 300, max: 604_800 })),
      comments: optional(unauditedText()),
    },
    example: { username: 'alice', domain: 'Default', item: 'Token1', expires: 86_400 },
    result: string(),
    permission: 'write',
    needs: ['readsLogins', 'readsFactors'],
    run: (request, call: AskingView) => sendRegistrationLink(request, call),
  }),
} as const;

const alice = 'uid=alice,ou=people,dc=example,dc=org';
const plain = { type: 'string' };

export const selfdeskMethods = {
  Overview: method({
    summary:
      'Tells users what the page of their own has for them and, where the settings let them see that, what the directory says of them.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: written({ type: 'object' }, (about: Awaited<ReturnType<typeof overview>>) => about),
    permission: 'read',
    needs: ['readsFactors'],
    own: { does: 'looks' },
    run: ({ dn }, call: OverviewView) => overview(dn, call),
  }),
  Recent_Logins: method({
    summary:
      'Lists the recent logins of a user, granted and refused, with the addresses that they came from.',
    on: 'dn',
    params: { dn: dn(), max: optional(integer({ min: 1, max: 100 })) },
    example: { dn: alice, max: 20 },
    result: written(
      {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            ...{ time: plain, text: plain, source: plain, client: plain, application: plain },
            meaning: meaningSchema,
          },
        },
      },
      (found: readonly AuditEvent[]) =>
        found.map(({ time, text, source = '', client, application }) => ({
          ...{ time: formatTimestamp(time), text, source, client, application },
          meaning: meaningOf(text),
        })),
    ),
    permission: 'read',
    own: { does: 'looks' },
    run: ({ dn, max = 20 }, call: LoginsView) => recentLogins(dn, max, call),
  }),
  User_Sessions: method({
    summary:
      'Lists the sessions of a user at the page of their own, the oldest first: since when, when used last to the minute, from which address, with which program. `Sso.User_Sessions` lists those of single sign-on.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: pageList(),
    permission: 'read',
    own: { does: 'looks' },
    run: ({ dn }, call: OwnSessionsView) => pagesOf(dn, call),
  }),
  End_Session: method({
    summary:
      'Ends a session of a user at the page of their own, on every node; false if there is none of that `id`.',
    on: 'dn',
    params: { dn: dn(), id: text() },
    example: { dn: alice, id: '0f3c5a7e9b1d2c4f' },
    result: success(),
    permission: 'write',
    own: { does: 'looks' },
    run: ({ dn, id }, call: OwnEndingView) => endPage(dn, id, call),
  }),
  End_Sessions: method({
    summary:
      'Ends all sessions of a user, at the page of their own and of single sign-on, and all links; with `others` all but the session that the call comes with.',
    on: 'dn',
    params: { dn: dn(), others: optional(flag()) },
    example: { dn: alice },
    result: success(),
    permission: 'write',
    own: { does: 'looks' },
    run: ({ dn, others = false }, call: OwnEndingView) => endAll(dn, { isOwnKept: others }, call),
  }),
  Password_Rules: method({
    summary:
      'Tells what the directory asks of a new password of a user, as far as the service may read it: `minLength` characters, none of the last `history`, `isComplex` for three kinds of characters and no name of the user, `refusesCommon` for none of a list of common ones. What is left out is not known.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: rulesReport(),
    permission: 'read',
    own: { does: 'looks' },
    run: ({ dn }, call: PasswordRulesView) => passwordRules(dn, call),
  }),
  Change_Password: method({
    summary:
      'Changes the password of a user as the user does, by the old one, and ends all sessions; false if the old one is wrong.',
    on: 'dn',
    params: { dn: dn(), old: password(), password: password() },
    example: { dn: alice, old: 'old password', password: 'new password' },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'setsPasswords'],
    own: { does: 'repairs' },
    run: ({ dn, old, password: wanted }, call: OwnPasswordView & ProfileContext) =>
      changeOwnPassword(dn, { old, wanted }, call),
  }),
  Remove_Factor: method({
    summary:
      'Removes a token, a security key or the printed list of a user, while another second factor stays; false if there was none.',
    on: 'dn',
    params: {
      dn: dn(),
      factor: choice(...lastingFactors),
      id: optional(integer({ min: 1, max: 10 })),
    },
    example: { dn: alice, factor: 'TOKEN', id: 2 },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    own: { does: 'removes' },
    run: ({ dn, factor, id = 1 }, call: ProfileContext) => removeFactor(dn, { factor, slot: id }, call),
  }),
} as const;
