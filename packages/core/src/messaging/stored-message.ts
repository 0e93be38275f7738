/**
 * Messages of the outbox as stored: sealed by the key ring, because they may contain codes.
 */
import type { KeyRing } from '../ports/keys.ts';
import type { Channel, Mail, Push, Sms } from '../ports/sending/sender.ts';
import type { TimedValue } from '../ports/store/ledger.ts';
import type { Transaction } from '../table/method.ts';

/** A message and its channel, under the name by which the outbox stores it. */
export type Message =
  | { readonly way: 'mail'; readonly content: Mail }
  | { readonly way: 'sms'; readonly content: Sms }
  | { readonly way: 'push'; readonly content: Push };

/** The origin of a message, for the event log. */
export interface Sending {
  /** Name of the application in the installation's words. */
  readonly application: string;
  /** The DN of the recipient; left out where the recipient is no user of the directory. */
  readonly dn?: string | undefined;
  readonly transaction: Transaction;
}

/** A stored message, and the state of its delivery. */
export interface StoredMessage {
  /** 16 letters and digits. */
  readonly id: string;
  readonly message: Message;
  readonly sending: Sending;
  /** The last moment to try, in milliseconds since 1970. */
  readonly ends: number;
  /** The earliest moment of the next try, in milliseconds since 1970. */
  readonly due: number;
  /** Tries that have begun. */
  readonly tries: number;
  readonly held?: Hold | undefined;
}

/** The right of one outbox to try a message. */
export interface Hold {
  /** The process, see `Ledger.holder`. */
  readonly by: string;
  /** The outbox of that process. */
  readonly outbox: string;
  /** The end of the hold, in milliseconds since 1970. */
  readonly until: number;
}

/** The prefix of the keys in the store. */
export const outboxFamily = 'outbox';

export const storedMessageKey = (id: string): string => `${outboxFamily}:${id}`;

/** Seconds that a message outlives its end while no node runs, so that its end is recorded. */
const grace = 86_400;

/** Seals a message for the store. */
export function sealMessage(stored: StoredMessage, now: number, keys: Pick<KeyRing, 'seal'>): TimedValue {
  const text = JSON.stringify(stored, function (this: object, name, value) {
    // `value` of a `Buffer` is the result of its `toJSON`.
    const bytes = Reflect.get(this, name);
    return bytes instanceof Uint8Array ? asText(bytes) : value;
  });
  const seconds = Math.max(1, Math.ceil((stored.ends - now) / 1000)) + grace;
  return { value: keys.seal(Buffer.from(text), storedMessageKey(stored.id)), seconds };
}

/** Opens a stored message. @throws ServiceError `internal` if the key ring cannot open it */
export function unsealMessage(id: string, sealed: Uint8Array, keys: Pick<KeyRing, 'open'>): StoredMessage {
  const text = Buffer.from(keys.open(sealed, storedMessageKey(id))).toString('utf8');
  return JSON.parse(text, (_, value) => asBytes(value) ?? value);
}

/** The only name of an object that represents bytes in JSON. */
const bytesName = 'base64 bytes';

const asText = (bytes: Uint8Array) => ({ [bytesName]: Buffer.from(bytes).toString('base64') });

function asBytes(value: unknown): Uint8Array | undefined {
  if (typeof value !== 'object' || value === null || !(bytesName in value)) return undefined;
  const text = value[bytesName];
  return typeof text === 'string' ? Uint8Array.from(Buffer.from(text, 'base64')) : undefined;
}

/** Describes the recipient for the event log. */
export const recipientOf = ({ way: channel, content }: Message): string =>
  `${channelLabels[channel]} to ${content.to}`;

export const channelLabels: Readonly<Record<Channel, string>> = { mail: 'Mail', sms: 'SMS', push: 'Push' };
