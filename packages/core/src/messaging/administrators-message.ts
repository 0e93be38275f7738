/** Messages that administrators send by Manager methods. */
import { X509Certificate } from 'node:crypto';
import { ServiceError } from '../foundation/errors/errors.ts';
import type { Dn } from '../foundation/text/dn.ts';
import { isMailAddress } from '../foundation/text/messages/mail-address.ts';
import type { Attachment } from '../ports/sending/sender.ts';
import type { Names } from '../table/dialect.ts';
import type { Transaction } from '../table/method.ts';
import type { Budgets } from './budget.ts';
import type { Outbox } from './outbox.ts';
import { isSenderName, numberOf } from './recipient.ts';
import type { Message } from './stored-message.ts';

/** The context of sending for an administrator. */
export interface MessagingContext {
  readonly outbox: Pick<Outbox, 'send'>;
  readonly administrator: Dn;
  readonly transaction: Transaction;
  readonly names: Names;
  readonly config: { readonly messages: Budgets };
}

export interface MailRequest {
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  readonly from?: string | undefined;
  /** PEM. */
  readonly certificate?: string | undefined;
  readonly attachments?: readonly Attachment[] | undefined;
}

/** Characters (RFC 5322 §2.1.1 permits 998). */
const longestLine = 900;
/** Characters, about ten parts. */
const longestSms = 1600;
/** Seconds. */
const usualPush = 3600;

const wrong = (detail: string): ServiceError => new ServiceError('invalid_params', { detail });

/** Posts a mail: `Send_Mail`. @throws ServiceError `invalid_params` naming the parameter; `unavailable`, `too_large` */
export async function sendMail(
  { to, subject, body, from, certificate, attachments = [] }: MailRequest,
  view: MessagingContext,
): Promise<void> {
  if (!isMailAddress(to)) throw wrong('Parameter to is not a mail address');
  if (from !== undefined && !isMailAddress(from)) throw wrong('Parameter from is not a mail address');
  if (!isOneLine(subject))
    throw wrong(`Parameter subject is not one line of at most ${longestLine} characters`);
  const content = { to, subject, text: body, from, certificate: derOf(certificate), attachments };
  await send({ way: 'mail', content }, view);
}

/** Posts an SMS: `Send_SMS`. @throws ServiceError `invalid_params` naming the parameter; `unavailable`, `too_large` */
export async function sendSms(
  { to, message, from }: { to: string; message: string; from?: string | undefined },
  view: MessagingContext,
): Promise<void> {
  const number = numberOf(to, view.config.messages.sms);
  if (number === undefined) throw wrong('Parameter to is not a phone number that SMS are sent to');
  if (message === '' || message.length > longestSms)
    throw wrong(`Parameter message is not a text of 1 to ${longestSms} characters`);
  if (from !== undefined && !isSenderName(from))
    throw wrong('Parameter from is neither a phone number nor 1 to 11 letters and digits');
  await send({ way: 'sms', content: { to: number, text: message, sender: from, isFlash: false } }, view);
}

export interface PushRequest {
  readonly application: string;
  readonly to: string;
  readonly options?: ReadonlyMap<string, string> | undefined;
  readonly data?: ReadonlyMap<string, string> | undefined;
  readonly timeout?: number | undefined;
}

const refusedPush = (detail: string): ServiceError => new ServiceError('push_refused', { detail });

/** Makes the error of servers in the field for a push message that failed. @param words what is wrong */
const failedPush = (words: string): ServiceError =>
  refusedPush(`Push message request failed (from service: ${words})`);

/** Options that apps understand. */
const pushOptions = ['title', 'body', 'vibrate', 'category'];

/** Posts a push message: `Send_Push`. @throws ServiceError `invalid_params` naming the parameter; `push_refused`; `unavailable`, `too_large` */
export async function sendPush(
  { application, to, options = new Map(), data = new Map(), timeout = usualPush }: PushRequest,
  view: MessagingContext,
): Promise<void> {
  if (!/^[A-Za-z0-9]{1,32}:[\x21-\x7e]{1,4096}$/.test(to))
    throw refusedPush(`Invalid device for push notification (bad format '${to.slice(0, 25)}...')`);
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(application)) throw failedPush('unknown application');
  if (options.size + data.size === 0) throw failedPush('neither options nor data');
  const unknown = [...options.keys()].find((name) => !pushOptions.includes(name));
  if (unknown !== undefined)
    throw wrong(`Parameter options has ${unknown.slice(0, 32)}, and knows ${pushOptions.join(', ')}`);
  const { title = '', body = '', ...more } = Object.fromEntries(options);
  const content = { application, to, title, body, data: { ...more, ...Object.fromEntries(data) }, timeout };
  await send({ way: 'push', content }, view);
}

const send = (
  message: Message,
  { outbox, administrator, transaction, names }: MessagingContext,
): Promise<void> =>
  outbox.send([
    {
      message,
      sending: { application: names.theirs('Manager'), transaction },
      spender: { client: administrator.key },
    },
  ]);

const isOneLine = (text: string): boolean => text.length <= longestLine && !/\p{Cc}/u.test(text);

function derOf(certificate: string | undefined): Uint8Array | undefined {
  if (certificate === undefined) return undefined;
  try {
    return new X509Certificate(certificate).raw;
  } catch {
    throw wrong('Parameter certificate is not a certificate in PEM');
  }
}
