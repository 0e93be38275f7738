/** Encoding of responses to clients, RFC 4511 §4.1.9, §4.4.1, §4.5.2 and §4.12. */

import { bytesOf } from '@watchword/core/foundation';
import { type Entry, type LdapResult, resultCodes } from '@watchword/core/ports';
import { BerWriter } from 'ldapts';
import { type ResponseKind, responseTags } from './requests.ts';

const octetString = 0x04;

export const oids = {
  startTls: '1.3.6.1.4.1.1466.20037',
  whoAmI: '1.3.6.1.4.1.4203.1.11.3',
  disconnection: '1.3.6.1.4.1.1466.20036',
} as const;

/** The additional fields of an extended response. */
interface Extension {
  readonly oid?: string;
  readonly value?: string;
}

/** Encodes the result of an operation. */
export function resultMessage(
  id: number,
  to: ResponseKind,
  { code, message = '' }: LdapResult,
  { oid, value }: Extension = {},
): Buffer {
  return encoded(id, responseTags[to], (writer) => {
    writer.writeEnumeration(resultCodes[code]);
    writer.writeString('');
    writer.writeString(message);
    if (oid !== undefined) writer.writeString(oid, 0x8a);
    if (value !== undefined) writer.writeString(value, 0x8b);
  });
}

/** Encodes a notice of disconnection, RFC 4511 §4.4.1. */
export const disconnection = (result: LdapResult): Buffer =>
  resultMessage(0, 'extended', result, { oid: oids.disconnection });

/** The attributes of a search request, as the client spells them. */
export interface Selection {
  readonly typesOnly: boolean;
  readonly attributes: readonly string[];
}

export function entryMessage(
  id: number,
  { dn, attributes }: Entry,
  { typesOnly, attributes: requested }: Selection,
): Buffer {
  const spellings = new Map(requested.map((name) => [name.toLowerCase(), name]));
  return encoded(id, 0x64, (writer) => {
    writer.writeString(dn);
    writer.startSequence();
    for (const [name, values] of attributes) {
      writer.startSequence();
      writer.writeString(spellings.get(name) ?? name);
      writer.startSequence(0x31);
      for (const value of typesOnly ? [] : values)
        writer.writeBuffer(Buffer.from(bytesOf(value)), octetString);
      writer.endSequence();
      writer.endSequence();
    }
    writer.endSequence();
  });
}

function encoded(id: number, tag: number, write: (writer: BerWriter) => void): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeInt(id);
  writer.startSequence(tag);
  write(writer);
  writer.endSequence();
  writer.endSequence();
  return writer.buffer;
}
