/** The rows of the method table for what people do for themselves (catalogue.md §3). */
import { method } from '../table/method.ts';
import { choice, flag, integer, letter, optional, string, text } from '../table/schema/index.ts';
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
      comments: optional(letter()),
    },
    example: { username: 'alice', domain: 'Default', method: 'MAIL', expires: 24, mfa: true },
    result: string(),
    permission: 'write',
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
      comments: optional(letter()),
    },
    example: { username: 'alice', domain: 'Default', item: 'Token1', expires: 86_400 },
    result: string(),
    permission: 'write',
    run: (request, call: AskingView) => sendRegistrationLink(request, call),
  }),
} as const;
