/** Decoding of search filters, RFC 4511 §4.5.1.7. */

import {
  type AttributeValue,
  type Filter,
  isAttributeDescription,
  valueOf,
} from '@watchword/core/foundation';
import type { LdapResult } from '@watchword/core/ports';
import { type BerCursor, notLdap } from '../wire/ber-cursor.ts';

/** The limits of {@link parseFilter}. */
const [maxDepth, maxNodes] = [32, 1024];

const [octetString, sequence] = [0x04, 0x30];

/** Decodes a filter. @returns a result for a filter with an invalid attribute @throws ServiceError if it is malformed */
export function readFilter(body: BerCursor): Filter | LdapResult {
  return new FilterReader().read(body);
}

class FilterReader {
  #nodes = 0;
  #error: LdapResult | undefined;

  read(body: BerCursor): Filter | LdapResult {
    const filter = this.#filter(body, 0);
    return this.#error ?? filter;
  }

  #filter(body: BerCursor, depth: number): Filter {
    this.#nodes += 1;
    if (depth > maxDepth || this.#nodes > maxNodes) throw notLdap();
    const tag = body.tag;
    switch (tag) {
      case 0xa0:
      case 0xa1:
        return { kind: tag === 0xa0 ? 'and' : 'or', filters: this.#filters(body.open(tag), depth) };
      case 0xa2:
        return { kind: 'not', filter: this.#filter(body.open(tag), depth + 1) };
      case 0x87:
        return { kind: 'present', attribute: this.#attribute(body.text(tag)) };
      case 0xa4:
        return this.#substrings(body.open(tag));
      case 0xa9:
        return this.#extensible(body.open(tag));
      default:
        return this.#assertion(body, tag);
    }
  }

  #filters(body: BerCursor, depth: number): readonly Filter[] {
    const filters: Filter[] = [];
    while (body.more) filters.push(this.#filter(body, depth + 1));
    return filters;
  }

  #assertion(body: BerCursor, tag: number): Filter {
    const kind = assertions.get(tag);
    if (!kind) throw notLdap();
    const assertion = body.open(tag);
    const attribute = this.#attribute(assertion.text(octetString));
    return { kind, attribute, value: valueOf(assertion.bytes(octetString)) };
  }

  #substrings(body: BerCursor): Filter {
    const attribute = this.#attribute(body.text(octetString));
    const parts = body.open(sequence);
    const any: AttributeValue[] = [];
    const initial = parts.tag === 0x80 ? valueOf(parts.bytes(0x80)) : undefined;
    while (parts.more && parts.tag === 0x81) any.push(valueOf(parts.bytes(0x81)));
    const final = parts.more ? valueOf(parts.bytes(0x82)) : undefined;
    if (parts.more) throw notLdap();
    const ends = { ...(initial !== undefined && { initial }), ...(final !== undefined && { final }) };
    return { kind: 'substrings', attribute, any, ...ends };
  }

  #extensible(body: BerCursor): Filter {
    const rule = body.tag === 0x81 ? body.text(0x81) : undefined;
    const attribute = body.tag === 0x82 ? this.#attribute(body.text(0x82)) : undefined;
    const value = valueOf(body.bytes(0x83));
    const dnAttributes = body.more && body.bytes(0x84)[0] !== 0;
    const known = { ...(rule !== undefined && { rule }), ...(attribute !== undefined && { attribute }) };
    return { kind: 'extensible', ...known, value, dnAttributes };
  }

  #attribute(description: string): string {
    if (!isAttributeDescription(description))
      this.#error = { code: 'protocolError', message: 'the filter contains a malformed attribute name' };
    return description;
  }
}

const assertions = new Map<number, 'equality' | 'greaterOrEqual' | 'lessOrEqual' | 'approx'>([
  [0xa3, 'equality'],
  [0xa5, 'greaterOrEqual'],
  [0xa6, 'lessOrEqual'],
  [0xa8, 'approx'],
]);
