/** Where codes can be sent to, as the entry of a user says: its number, its address, its language. */
import { X509Certificate } from 'node:crypto';
import type { CodeChannels } from '../../authenticators/authenticator.ts';
import type { ServiceConfig } from '../../config/config.ts';
import { texts } from '../../directory/entry/entry.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import { bytesOf } from '../../foundation/text/value.ts';
import { addressOf, numberOf } from '../../messaging/recipient.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Directory, Entry } from '../../ports/directory/directory.ts';
import type { LinkSentBy } from '../login-request.ts';
import type { ReachView } from '../view.ts';

/** What is read of an entry for it: nothing where nothing can be sent. */
export function reachAttributes({ outbox, config: { schema } }: ReachView): readonly string[] {
  const [mail, sms] = [outbox.has('mail'), outbox.has('sms')];
  return [
    ...(mail ? schema.mail_attributes : []),
    ...(sms ? schema.mobile_attributes : []),
    ...(mail || sms ? schema.language_attributes : []),
  ];
}

/** The first value of each that can be sent to. */
export function reachOf(entry: Entry, { outbox, config }: ReachView): CodeChannels {
  const [mail, sms] = [outbox.has('mail'), outbox.has('sms')];
  if (!mail && !sms) return nowhere;
  const { schema, messages } = config;
  const MAIL = mail ? firstOf(entry, schema.mail_attributes, addressOf) : undefined;
  const SMS = sms
    ? firstOf(entry, schema.mobile_attributes, (text) => numberOf(text, messages.sms))
    : undefined;
  return { ...(MAIL !== undefined && { MAIL }), ...(SMS !== undefined && { SMS }) };
}

const nowhere: CodeChannels = {};

/** Removes the addresses that a link went to. */
export const besides = (way: LinkSentBy | undefined, reach: CodeChannels): CodeChannels =>
  way === undefined
    ? reach
    : {
        ...(reach.MAIL !== undefined && !way.startsWith('MAIL') && { MAIL: reach.MAIL }),
        ...(reach.SMS !== undefined && !way.endsWith('SMS') && { SMS: reach.SMS }),
      };

/** As {@link textFor} takes it. */
export const languageOf = (entry: Entry, { config }: Pick<ReachView, 'config'>): string | undefined =>
  firstOf(entry, config.schema.language_attributes, (text) => text);

/** What a mail is encrypted for: the first certificate of the user that is good now, and whose key can do so; undefined: none. */
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
