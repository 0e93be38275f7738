/** Operational attributes for the author and time of changes, RFC 4512 §3.4 and RFC 4530. */

import type { Attributes, AttributeValue } from '@watchword/core/foundation';
import type { Random } from '@watchword/core/ports';
import type { Transaction } from '../storage/transaction.ts';

/** The author of a change, with its time and randomness. */
export interface Author {
  /** DN of the bound identity. */
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly random: Random;
}

type MutableAttributes = Map<string, readonly AttributeValue[]>;

/** Sets the attributes of a new entry; imported ones are kept. */
export function stampCreated(transaction: Transaction, attributes: MutableAttributes, author: Author): void {
  const time = [formatGeneralizedTime(author.now)];
  const stamps: Attributes = new Map([
    ['entryuuid', [formatUuid(author.random.bytes(16))]],
    ['creatorsname', [author.by]],
    ['createtimestamp', time],
    ['modifiersname', [author.by]],
    ['modifytimestamp', time],
    ['entrycsn', [changeNumber(transaction, author.now)]],
    ...(attributes.has('userpassword') ? [['pwdchangedtime', time] as const] : []),
  ]);
  for (const [key, values] of stamps) if (!attributes.has(key)) attributes.set(key, values);
}

/** Sets the attributes of a changed entry. */
export function stampModified(transaction: Transaction, attributes: MutableAttributes, author: Author): void {
  attributes.set('modifiersname', [author.by]);
  attributes.set('modifytimestamp', [formatGeneralizedTime(author.now)]);
  attributes.set('entrycsn', [changeNumber(transaction, author.now)]);
}

/** Formats a time as `YYYYMMDDHHMMSSZ`, RFC 4517 §3.3.13. @param milliseconds since 1970 */
export function formatGeneralizedTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19).replace(/\D/g, '')}Z`;
}

/** Returns an `entryCSN` as OpenLDAP writes it: a unique time in microseconds; server 0. */
function changeNumber(transaction: Transaction, now: number): string {
  const microseconds = transaction.nextStamp(now);
  const seconds = formatGeneralizedTime(Math.floor(microseconds / 1000)).slice(0, -1);
  return `${seconds}.${String(microseconds % 1_000_000).padStart(6, '0')}Z#000000#000#000000`;
}

/** Formats a random UUID, RFC 9562 §5.4. */
function formatUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes);
  hex.writeUInt8((hex.readUInt8(6) & 0x0f) | 0x40, 6);
  hex.writeUInt8((hex.readUInt8(8) & 0x3f) | 0x80, 8);
  return hex.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
