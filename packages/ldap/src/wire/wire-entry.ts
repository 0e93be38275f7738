/** Decoding of entries, RFC 4511 §4.5.2: names in lower case, values as text or bytes. */

import { type AttributeValue, canonicalDnText } from '@watchword/core/foundation';
import type { Entry } from '@watchword/core/ports';
import type { BerCursor } from './ber-cursor.ts';
import { described, plainName } from './wire-names.ts';

/** An entry whose long attributes may be partial. */
export interface WireEntry {
  readonly entry: Entry;
  /** Undefined: the entry is complete, as is usual. */
  readonly partial: readonly PartialAttribute[] | undefined;
}

/** An attribute with its first values. */
export interface PartialAttribute {
  readonly name: string;
  readonly values: readonly AttributeValue[];
  /** The index of the first missing value. */
  readonly next: number;
}

/** Range retrieval of Active Directory: `member;range=0-1499`, and `member;range=1500-*` for the last part ([MS-ADTS] §3.1.1.3.1.3.3). */
const ranged = /^(.+);range=\d+-(\d+|\*)$/;

const [sequence, octetString, set] = [0x30, 0x04, 0x31];

/** Decodes an entry. @param cursor within the operation @throws ServiceError `unavailable` if it is malformed */
export function readWireEntry(cursor: BerCursor): WireEntry {
  const dn = canonicalDnText(cursor.text(octetString));
  const attributes = new Map<string, readonly AttributeValue[]>();
  let partial: PartialAttribute[] | undefined;
  const list = cursor.enter(sequence);
  while (cursor.more) {
    const attribute = cursor.enter(sequence);
    const description = cursor.text(octetString);
    const range = description.includes(';') ? ranged.exec(plainName(description)) : null;
    const { name, isBinary } = described(range?.[1] ?? description);
    const values = readValues(cursor, isBinary);
    // Active Directory also lists the attribute without a range, and without values.
    if (values.length > 0) attributes.set(name, values);
    if (range && range[2] !== '*') {
      partial ??= [];
      partial.push({ name, values, next: Number(range[2]) + 1 });
    }
    cursor.leave(attribute);
  }
  cursor.leave(list);
  return { entry: { dn, attributes }, partial };
}

function readValues(cursor: BerCursor, isBinary: boolean): readonly AttributeValue[] {
  const values: AttributeValue[] = [];
  const list = cursor.enter(set);
  while (cursor.more) values.push(isBinary ? cursor.bytes(octetString) : cursor.value(octetString));
  cursor.leave(list);
  return values;
}
