/**
 * What waits to be sent, as the store keeps it: sealed by the key ring, as a code may stand in it. It is in the store before
 * whoever asked for it is answered, and out of it once a gateway has taken it over, or nobody tries any more.
 */
import type { KeyRing } from '../ports/keys.ts';
import type { Mail, Push, Sms, Way } from '../ports/sending/sender.ts';
import type { TimedValue } from '../ports/store/ledger.ts';
import type { Transaction } from '../table/method.ts';

/** A message, and how it goes. */
export type Message =
  | { readonly way: 'mail'; readonly content: Mail }
  | { readonly way: 'sms'; readonly content: Sms }
  | { readonly way: 'push'; readonly content: Push };

/** On whose behalf, for the event log. */
export interface Sending {
  /** In the installation's words. */
  readonly application: string;
  /** The user that it is for, RFC 4514; left out: nobody of the directory. */
  readonly dn?: string | undefined;
  readonly transaction: Transaction;
}

export interface Parcel {
  /** 16 letters and digits. */
  readonly id: string;
  readonly message: Message;
  readonly sending: Sending;
  /** Milliseconds since 1970: nobody tries any more from then on. */
  readonly ends: number;
  /** Milliseconds since 1970: not before. */
  readonly due: number;
  /** Tries that have begun. */
  readonly tries: number;
  readonly held?: Hold | undefined;
}

/** Who tries it now. */
export interface Hold {
  /** The process, see `Ledger.holder`. */
  readonly by: string;
  /** The outbox of that process. */
  readonly outbox: string;
  /** Milliseconds since 1970: when another one may. */
  readonly until: number;
}

/** What the store keeps parcels under. */
export const outboxFamily = 'outbox';

export const parcelKey = (id: string): string => `${outboxFamily}:${id}`;

/** In seconds: a parcel that nobody looks after outlives its end by this, so that its fate is told. */
const grace = 86_400;

/** What the store is to keep. */
export function sealParcel(parcel: Parcel, now: number, keys: Pick<KeyRing, 'seal'>): TimedValue {
  const text = JSON.stringify(parcel, function (this: object, name, value) {
    // A `Buffer` has turned into something else by then.
    const bytes = Reflect.get(this, name);
    return bytes instanceof Uint8Array ? asText(bytes) : value;
  });
  const seconds = Math.max(1, Math.ceil((parcel.ends - now) / 1000)) + grace;
  return { value: keys.seal(Buffer.from(text), parcelKey(parcel.id)), seconds };
}

/** @throws ServiceError `internal` if the ring does not open it */
export function openParcel(id: string, sealed: Uint8Array, keys: Pick<KeyRing, 'open'>): Parcel {
  const text = Buffer.from(keys.open(sealed, parcelKey(id))).toString('utf8');
  return JSON.parse(text, (_, value) => asBytes(value) ?? value);
}

/** Bytes stand in JSON as an object of this one name. */
const bytesName = 'base64 bytes';

const asText = (bytes: Uint8Array) => ({ [bytesName]: Buffer.from(bytes).toString('base64') });

function asBytes(value: unknown): Uint8Array | undefined {
  if (typeof value !== 'object' || value === null || !(bytesName in value)) return undefined;
  const text = value[bytesName];
  return typeof text === 'string' ? Uint8Array.from(Buffer.from(text, 'base64')) : undefined;
}

/** Whom it goes to, as the event log names it. */
export const recipientOf = ({ way, content }: Message): string => `${wayWords[way]} to ${content.to}`;

export const wayWords: Readonly<Record<Way, string>> = { mail: 'Mail', sms: 'SMS', push: 'Push' };
