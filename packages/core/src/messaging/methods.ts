/** The rows of the method table that send messages. */
import { method } from '../table/method.ts';
import {
  attachments,
  integer,
  optional,
  pem,
  success,
  text,
  textsByName,
  unauditedText,
} from '../table/schema/index.ts';
import { type MessagingContext, sendMail, sendPush, sendSms } from './administrators-message.ts';

/** Seconds: a week. */
const longestPush = 604_800;

export const messageMethods = {
  Send_Mail: method({
    summary:
      'Sends a mail; with `certificate` (PEM) encrypted for its key (S/MIME). It is kept before it is answered, and tried until the mail server takes it over.',
    on: 'nothing',
    params: {
      to: text(),
      subject: unauditedText(),
      body: unauditedText(),
      from: optional(text()),
      certificate: optional(pem()),
      attachments: optional(attachments()),
    },
    example: { to: 'alice@example.org', subject: 'Welcome', body: 'Your account is ready.' },
    result: success(),
    permission: 'write',
    refusesTenants: 'Send email not allowed for tenants',
    run: (mail, call: MessagingContext) => sendMail(mail, call),
  }),
  Send_SMS: method({
    summary: 'Sends an SMS. It is kept before it is answered, and tried until the gateway takes it over.',
    on: 'nothing',
    params: { to: text(), message: unauditedText(), from: optional(text()) },
    example: { to: '+491512345678', message: 'Your account is ready.' },
    result: success(),
    permission: 'write',
    run: (sms, call: MessagingContext) => sendSms(sms, call),
  }),
  Send_Push: method({
    summary:
      'Sends a push message to a device, `<platform>:<push id>`, for an app by its word; `options` are `title`, `body`, `vibrate` and `category`, `data` is what the app gets beside. `timeout` is in seconds.',
    on: 'nothing',
    params: {
      application: text(),
      to: text(),
      options: optional(textsByName()),
      data: optional(textsByName()),
      timeout: optional(integer({ min: 1, max: longestPush })),
    },
    example: { application: 'token', to: 'ios:3f9a', options: { title: 'Login', body: 'Is it you?' } },
    result: success(),
    permission: 'write',
    run: (push, call: MessagingContext) => sendPush(push, call),
  }),
} as const;
