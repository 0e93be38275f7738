/** Entries from the wire, RFC 4511 §4.5.2, read in one pass: names in lower case, values as text or bytes. */

import { type AttributeValue, spelled } from '@watchword/core/foundation';
import type { Entry } from '@watchword/core/ports';
import type { BerCursor } from './ber-cursor.ts';
import { described, plainName } from './wire-names.ts';

/** An entry as it came, whose longest attributes may be there in part only. */
export interface WireEntry {
  readonly entry: Entry;
  /** Nearly always none. */
  readonly unfinished: readonly Unfinished[] | undefined;
}

/** An attribute of which the first values came. */
export interface Unfinished {
  readonly name: string;
  readonly values: readonly AttributeValue[];
  /** Index of the first value that is still to be fetched. */
  readonly next: number;
}

/** Active Directory's `member;range=0-1499`, and `member;range=1500-*` for the last part ([MS-ADTS] §3.1.1.3.1.3.3). */
const ranged = /^(.+);range=\d+-(\d+|\*)$/;

const [sequence, octetString, set] = [0x30, 0x04, 0x31];

/** @param cursor inside of the operation @throws ServiceError `unavailable` if it is no entry */
export function readWireEntry(cursor: BerCursor): WireEntry {
  const dn = spelled(cursor.text(octetString));
  const attributes = new Map<string, readonly AttributeValue[]>();
  let unfinished: Unfinished[] | undefined;
  const list = cursor.enter(sequence);
  while (cursor.more) {
    const attribute = cursor.enter(sequence);
    const description = cursor.text(octetString);
    const range = description.includes(';') ? ranged.exec(plainName(description)) : null;
    const { name, isBinary } = described(range?.[1] ?? description);
    const values = readValues(cursor, isBinary);
    // Where a range is given, Active Directory lists the attribute itself too, without values.
    if (values.length > 0) attributes.set(name, values);
    if (range && range[2] !== '*') {
      unfinished ??= [];
      unfinished.push({ name, values, next: Number(range[2]) + 1 });
    }
    cursor.leave(attribute);
  }
  cursor.leave(list);
  return { entry: { dn, attributes }, unfinished };
}

function readValues(cursor: BerCursor, isBinary: boolean): readonly AttributeValue[] {
  const values: AttributeValue[] = [];
  const list = cursor.enter(set);
  while (cursor.more) values.push(isBinary ? cursor.bytes(octetString) : cursor.value(octetString));
  cursor.leave(list);
  return values;
}
