/** The settings of mail, SMS and push messages. */

import { isMailAddress } from '../../foundation/text/messages/mail-address.ts';
import { eachText, type TextName, textVariables, unknownVariables } from '../../table/message-texts.ts';
import { weaklyCached, zod } from '../../table/schema/zod.ts';
import { mailGateway, pushGateway, smsGateway } from '../gateways/settings.ts';
import { inGroup, whole } from './types.ts';

const messaging = inGroup('Mail, SMS and push');

/** The most messages of a way in a day (UTC). */
const budget = ({ user, client, all }: { user: number; client: number; all: number }) => ({
  user_a_day: whole(1, 1_000_000, user).describe('To one user.'),
  client_a_day: whole(1, 100_000_000, client).describe('For one calling system, or one administrator.'),
  a_day: whole(1, 100_000_000, all).describe('In all.'),
});

const languageTag = weaklyCached((z) =>
  z.string().regex(/^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/, 'is not a language tag, as in "de" or "fr-CA"'),
);

const ownText = (name: TextName) =>
  zod()
    .string()
    .min(1)
    .max(4096)
    .refine((text) => unknownVariables(name, text).length === 0, {
      error: `has a variable that it cannot have: there are ${variablesOf(name)}`,
      params: { cure: `write ${variablesOf(name)}, or no braces` },
    })
    .optional()
    .describe(`Variables: ${variablesOf(name)}.`);

const variablesOf = (name: TextName): string =>
  textVariables[name].map((variable) => `{${variable}}`).join(', ');

const ownTexts = weaklyCached((z) => z.strictObject(eachText(ownText)));

/** The first digits of a phone number. */
const numberPrefix = weaklyCached((z) =>
  z
    .string()
    .regex(
      /^\+[1-9][0-9]{0,9}$/,
      'is not the beginning of a number with its country code, as in "+49" or "+1202"',
    ),
);

/** Retries of messages, and the most in a day. */
const messages = weaklyCached((z) =>
  z.strictObject({
    give_up_after_s: whole(60, 30 * 86_400, 86_400).describe(
      'Maximum time for the delivery of a message, in seconds. A code is not sent after it has expired.',
    ),
    operator: zod()
      .string()
      .refine(isMailAddress, {
        error: 'is not a mail address',
        params: { cure: 'write one address without a name, as in "admin@example.com"' },
      })
      .optional()
      .describe(
        'The mail address for notices to the operators, 30, 7 and 1 days before a certificate of a listener ends. Optional; default: none is sent.',
      ),
    deadline_s: whole(1, 300, 10).describe('Maximum time for one delivery attempt, in seconds.'),
    mail: z
      .strictObject(budget({ user: 50, client: 50_000, all: 100_000 }))
      .prefault({})
      .describe('Maximum mails in a day.'),
    sms: z
      .strictObject({
        ...budget({ user: 20, client: 10_000, all: 20_000 }),
        prefix_a_day: whole(1, 100_000_000, 10_000).describe('To numbers that begin alike.'),
        prefix_digits: whole(1, 15, 6).describe(
          'The number of leading digits that such numbers share, including the country code.',
        ),
        prefixes: z
          .array(numberPrefix())
          .default([])
          .describe('Permitted beginnings of phone numbers, as in "+49"; empty: all.'),
        country: z
          .string()
          .regex(/^[1-9][0-9]{0,3}$/, 'is not a country code of 1 to 4 digits, as in "49"')
          .optional()
          .describe(
            'The country code of numbers without one. Optional; default: such numbers are used unchanged.',
          ),
      })
      .prefault({})
      .describe('Maximum SMS in a day, and the permitted destinations.'),
    push: z
      .strictObject(budget({ user: 200, client: 100_000, all: 200_000 }))
      .prefault({})
      .describe('Maximum push messages in a day.'),
  }),
);

export const messagingSettings = weaklyCached((z) => ({
  messages: messages()
    .prefault({})
    .meta(
      messaging(
        'How long mails, SMS and push messages are tried, and how many go out in a day: what is asked for without a password stops at half of each number.',
      ),
    ),
  texts: z
    .record(languageTag(), ownTexts())
    .default({})
    .meta({
      ...messaging(
        'Texts of mails and SMS other than the usual ones, by language. What stands in braces is a variable. There are texts for en, fr, de and es.',
      ),
      examples: [{ en: { code_sms: 'Code for {client}: {code}' } }],
    }),
  default_language: languageTag()
    .default('en')
    .meta(messaging('The language of users whose entry names none that there are texts for.')),
}));

/** Settings of the bundled servers only. */
export const messagingServerSettings = weaklyCached(() => ({
  mail: mailGateway()
    .optional()
    .meta({
      ...messaging('The mail server for codes and messages. Optional; default: no mail is sent.'),
      examples: [
        {
          type: 'smtp',
          host: 'mail.example.com',
          user: 'watchword',
          password_file: '/etc/watchword/mail-password',
          from: 'login@example.com',
        },
      ],
    }),
  sms: smsGateway()
    .optional()
    .meta({
      ...messaging('The gateway for SMS. Optional; default: no SMS is sent.'),
      examples: [
        {
          type: 'http',
          url: 'https://gateway.example.com/messages',
          headers: { Authorization: 'Bearer {secret}' },
          json: { to: '{to}', text: '{text}' },
          secret_file: '/etc/watchword/sms-secret',
          id_header: 'Idempotency-Key',
        },
      ],
    }),
  push: pushGateway()
    .optional()
    .meta({
      ...messaging('The gateway for push messages. Optional; default: none is sent.'),
      examples: [
        {
          type: 'http',
          url: 'https://push.example.com/{platform}',
          json: { device: '{device}', title: '{title}', body: '{body}', data: '{data}' },
        },
      ],
    }),
}));
