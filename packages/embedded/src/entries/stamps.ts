/** Sets the operational attributes of entries that the embedded directory adds and changes, RFC 4512 §3.4 and RFC 4530. */

import type { Attributes, AttributeValue } from '@watchword/core/foundation';
import type { Random } from '@watchword/core/ports';
import type { Transaction } from '../storage/transaction.ts';

/** The author and time of a change, and the randomness for identifiers. */
export interface ChangeContext {
  /** DN of the bound identity. */
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly random: Random;
}

type MutableAttributes = Map<string, readonly AttributeValue[]>;

/** Sets the operational attributes of a new entry; an import may bring its own. */
export function stampCreated(
  transaction: Transaction,
  attributes: MutableAttributes,
  context: ChangeContext,
): void {
  const time = [formatGeneralizedTime(context.now)];
  const stamps: Attributes = new Map([
    ['entryuuid', [formatUuid(context.random.bytes(16))]],
    ['creatorsname', [context.by]],
    ['createtimestamp', time],
    ['modifiersname', [context.by]],
    ['modifytimestamp', time],
    ['entrycsn', [entryCsn(transaction, context.now)]],
    ...(attributes.has('userpassword') ? [['pwdchangedtime', time] as const] : []),
  ]);
  for (const [key, values] of stamps) if (!attributes.has(key)) attributes.set(key, values);
}

/** Sets the operational attributes of a changed entry. The update sets `pwdChangedTime`, as it knows whether the password changed. */
export function stampModified(
  transaction: Transaction,
  attributes: MutableAttributes,
  context: ChangeContext,
): void {
  attributes.set('modifiersname', [context.by]);
  attributes.set('modifytimestamp', [formatGeneralizedTime(context.now)]);
  attributes.set('entrycsn', [entryCsn(transaction, context.now)]);
}

/** Formats a time as `YYYYMMDDHHMMSSZ`, RFC 4517 §3.3.13. @param milliseconds since 1970 */
export function formatGeneralizedTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19).replace(/\D/g, '')}Z`;
}

/** Returns an `entryCSN` as OpenLDAP writes it: a unique time in microseconds; server 0. */
function entryCsn(transaction: Transaction, now: number): string {
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
