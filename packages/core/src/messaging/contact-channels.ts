/** Contact channels of a user, read from the entry: phone number, mail address, language. */
import { X509Certificate } from 'node:crypto';
import type { ServiceConfig } from '../config/config.ts';
import { texts } from '../directory/entry/entry.ts';
import type { Dn } from '../foundation/text/dn.ts';
import { bytesOf } from '../foundation/text/value.ts';
import type { Clock } from '../ports/clock.ts';
import type { Directory, Entry } from '../ports/directory/directory.ts';
import type { Outbox } from './outbox.ts';
import { addressOf, numberOf } from './recipient.ts';

export interface ChannelView {
  readonly outbox: Pick<Outbox, 'has'>;
  readonly config: Pick<ServiceConfig, 'schema' | 'messages'>;
}

/** A phone number and a mail address that messages can be sent to. */
export type ContactChannels = Readonly<Partial<Record<'SMS' | 'MAIL', string>>>;

/** Returns the attributes of the channels; none without a gateway. */
export function channelAttributes({ outbox, config: { schema } }: ChannelView): readonly string[] {
  const [mail, sms] = [outbox.has('mail'), outbox.has('sms')];
  return [
    ...(mail ? schema.mail_attributes : []),
    ...(sms ? schema.mobile_attributes : []),
    ...(mail || sms ? schema.language_attributes : []),
  ];
}

/** Reads the first valid value of each channel. */
export function channelsOf(entry: Entry, { outbox, config }: ChannelView): ContactChannels {
  const [mail, sms] = [outbox.has('mail'), outbox.has('sms')];
  if (!mail && !sms) return nowhere;
  const { schema, messages } = config;
  const MAIL = mail ? firstOf(entry, schema.mail_attributes, addressOf) : undefined;
  const SMS = sms
    ? firstOf(entry, schema.mobile_attributes, (text) => numberOf(text, messages.sms))
    : undefined;
  return { ...(MAIL !== undefined && { MAIL }), ...(SMS !== undefined && { SMS }) };
}

const nowhere: ContactChannels = {};

/** Removes the channels that a link was sent by. @param channel `MAILSMS`: both */
export const withoutLink = (
  channel: 'MAIL' | 'SMS' | 'MAILSMS' | undefined,
  channels: ContactChannels,
): ContactChannels =>
  channel === undefined
    ? channels
    : {
        ...(channels.MAIL !== undefined && !channel.startsWith('MAIL') && { MAIL: channels.MAIL }),
        ...(channels.SMS !== undefined && !channel.endsWith('SMS') && { SMS: channels.SMS }),
      };

/** Reads the language of an entry, for `textFor`. */
export const languageOf = (entry: Entry, { config }: Pick<ChannelView, 'config'>): string | undefined =>
  firstOf(entry, config.schema.language_attributes, (text) => text);

/** Reads the first certificate of the user that is valid now and can encrypt mail; undefined if none is. */
export async function mailCertificate(
  dn: Dn,
  { directory, clock, config: { schema } }: CertificateView,
): Promise<Uint8Array | undefined> {
  const entry = await directory.read(dn, schema.certificate_attributes);
  const now = clock.now();
  const all = schema.certificate_attributes.flatMap(
    (attribute) => entry?.attributes.get(attribute.toLowerCase()) ?? [],
  );
  return all.map((value) => bytesOf(value)).find((der) => canEncrypt(der, now));
}

interface CertificateView {
  readonly directory: Pick<Directory, 'read'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly config: Pick<ServiceConfig, 'schema'>;
}

function canEncrypt(der: Uint8Array, now: number): boolean {
  try {
    const { publicKey, validFrom, validTo } = new X509Certificate(der);
    const isGood = Date.parse(validFrom) <= now && now < Date.parse(validTo);
    return isGood && ['rsa', 'ec'].includes(publicKey.asymmetricKeyType ?? '');
  } catch {
    return false;
  }
}

function firstOf(
  entry: Entry,
  attributes: readonly string[],
  read: (text: string) => string | undefined,
): string | undefined {
  for (const attribute of attributes) {
    for (const text of texts(entry, attribute)) {
      const value = read(text);
      if (value !== undefined) return value;
    }
  }
  return undefined;
}
