/** Reading of LDIF content records, RFC 2849. */

import { type Attributes, type AttributeValue, Dn, ServiceError, valueOf } from '@watchword/core/foundation';

export interface LdifRecord {
  readonly dn: Dn;
  readonly attributes: Attributes;
  /** Number of the line with the DN, from 1. */
  readonly line: number;
}

/** Text, or pieces of text or UTF-8 bytes, cut anywhere. */
export type LdifSource = string | AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/** The limit of an unfolded line in characters: room for a photo, and an early end for other files. */
const longestLine = 16 * 1024 * 1024;

/**
 * Reads records. `changetype: add` is accepted.
 * @throws ServiceError `invalid_params` with the number of the wrong line; `too_large`
 */
export async function* readLdif(source: LdifSource): AsyncGenerator<LdifRecord> {
  const reader = new LdifReader();
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  for await (const piece of typeof source === 'string' ? [source] : source) {
    yield* reader.push(typeof piece === 'string' ? piece : decode(decoder, piece));
  }
  yield* reader.push('\n\n');
}

/** Assembles lines from pieces, and records from lines. */
class LdifReader {
  #rest = '';
  #number = 0;
  /** The line that may continue, and the number of its first physical line. */
  #line: { text: string; number: number } | undefined;
  #record: { dn: Dn; attributes: Map<string, AttributeValue[]>; line: number } | undefined;

  *push(piece: string): Generator<LdifRecord> {
    this.#rest += piece;
    // Splitting the rest with every piece of a long line would take quadratic time.
    const lines = piece.includes('\n') ? this.#rest.split('\n') : [this.#rest];
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > longestLine) throw tooLong(this.#number + 1);
    for (const line of lines) {
      this.#number += 1;
      const record = this.#physicalLine(line.endsWith('\r') ? line.slice(0, -1) : line);
      if (record) yield record;
    }
  }

  #physicalLine(line: string): LdifRecord | undefined {
    if (line.startsWith(' ') && this.#line) {
      this.#line.text += line.slice(1);
      if (this.#line.text.length > longestLine) throw tooLong(this.#line.number);
      return undefined;
    }
    if (this.#line) this.#logicalLine(this.#line.text, this.#line.number);
    this.#line = line === '' ? undefined : { text: line, number: this.#number };
    return line === '' ? this.#endOfRecord() : undefined;
  }

  #logicalLine(text: string, number: number): void {
    if (text.startsWith('#')) return;
    const { name, value } = readLine(text, number);
    const keyword = name.toLowerCase();
    if (this.#record) {
      if (keyword === 'dn') throw wrong(number, 'a blank line is missing before the next dn');
      if (keyword === 'changetype' && value === 'add') return;
      if (keyword === 'changetype' || keyword === 'control')
        throw wrong(number, 'only entries to add can be read');
      const values = this.#record.attributes.get(name);
      if (values) values.push(value);
      else this.#record.attributes.set(name, [value]);
    } else if (keyword === 'dn') {
      const dn = Dn.tryParse(String(value));
      if (!dn || dn.isRoot) throw wrong(number, 'the DN cannot be read');
      this.#record = { dn, attributes: new Map(), line: number };
    } else if (keyword !== 'version' || value !== '1') {
      throw wrong(number, keyword === 'version' ? 'only version 1 can be read' : 'a record begins with dn');
    }
  }

  #endOfRecord(): LdifRecord | undefined {
    const record = this.#record;
    this.#record = undefined;
    return record;
  }
}

function readLine(text: string, number: number): { name: string; value: AttributeValue } {
  const [, name, kind, rest = ''] = /^([A-Za-z0-9][A-Za-z0-9.;-]*):([:<]?) *(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw wrong(number, 'an attribute with a colon is expected');
  if (kind === '<') throw wrong(number, 'values from a URL are not read');
  if (kind === '') return { name, value: rest };
  const base64 = rest.trimEnd();
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
    throw wrong(number, 'the value is not base64');
  }
  return { name, value: valueOf(Buffer.from(base64, 'base64')) };
}

function decode(decoder: TextDecoder, piece: Uint8Array): string {
  try {
    return decoder.decode(piece, { stream: true });
  } catch (cause) {
    throw new ServiceError('invalid_params', { detail: 'the LDIF is not UTF-8 text', cause });
  }
}

function wrong(line: number, what: string): ServiceError {
  return new ServiceError('invalid_params', { detail: `LDIF line ${line}: ${what}` });
}

function tooLong(line: number): ServiceError {
  return new ServiceError('too_large', {
    detail: `LDIF line ${line} is longer than ${longestLine} characters`,
  });
}
