/** Decoding of client requests, RFC 4511 §4.2 to §4.12. */

import { type AttributeValue, type Filter, valueOf } from '@watchword/core/foundation';
import type { LdapResult, SearchScope } from '@watchword/core/ports';
import { BerCursor, notLdap } from '../wire/ber-cursor.ts';
import { readFilter } from './filters.ts';

/** Tags of responses by the kind of request, RFC 4511 §4.2.2 to §4.12. */
export const responseTags = {
  bind: 0x61,
  search: 0x65,
  modify: 0x67,
  add: 0x69,
  delete: 0x6b,
  rename: 0x6d,
  compare: 0x6f,
  extended: 0x78,
} as const;

export type ResponseKind = keyof typeof responseTags;

export interface BindRequest {
  readonly kind: 'bind';
  readonly version: number;
  readonly name: AttributeValue;
  /** Undefined: not a simple bind. */
  readonly password: AttributeValue | undefined;
}

export interface SearchRequest {
  readonly kind: 'search';
  readonly base: AttributeValue;
  readonly scope: SearchScope;
  readonly sizeLimit: number;
  readonly typesOnly: boolean;
  /** A result to answer, for an invalid filter. */
  readonly filter: Filter | LdapResult;
  readonly attributes: readonly string[];
}

export interface CompareRequest {
  readonly kind: 'compare';
  readonly dn: AttributeValue;
  readonly attribute: string;
  readonly value: AttributeValue;
}

export interface ExtendedRequest {
  readonly kind: 'extended';
  readonly oid: string;
}

export type LdapRequest =
  | BindRequest
  | SearchRequest
  | CompareRequest
  | ExtendedRequest
  | { readonly kind: 'modify' | 'add' | 'delete' | 'rename' | 'unbind' | 'abandon' };

export interface RequestMessage {
  readonly id: number;
  readonly request: LdapRequest;
  /** The OID of a critical control; none is supported. */
  readonly critical: string | undefined;
}

const [boolean, octetString, enumerated, sequence, controls] = [0x01, 0x04, 0x0a, 0x30, 0xa0];

/** Decodes a message. @throws ServiceError if it is malformed */
export function readRequest(frame: Buffer): RequestMessage {
  const message = new BerCursor(frame).open(sequence);
  const id = message.integer();
  const read = readers.get(message.tag);
  if (id <= 0 || !read) throw notLdap();
  const request = read(message.open(message.tag));
  return { id, request, critical: message.more ? criticalOf(message.open(controls)) : undefined };
}

const readers = new Map<number, (body: BerCursor) => LdapRequest>([
  [0x60, readBind],
  [0x42, () => ({ kind: 'unbind' })],
  [0x63, readSearch],
  [0x66, () => ({ kind: 'modify' })],
  [0x68, () => ({ kind: 'add' })],
  [0x4a, () => ({ kind: 'delete' })],
  [0x6c, () => ({ kind: 'rename' })],
  [0x6e, readCompare],
  [0x50, () => ({ kind: 'abandon' })],
  [0x77, (body) => ({ kind: 'extended', oid: body.text(0x80) })],
]);

function readBind(body: BerCursor): BindRequest {
  const version = body.integer();
  const name = valueOf(body.bytes(octetString));
  const isSimple = body.tag === 0x80;
  return { kind: 'bind', version, name, password: isSimple ? valueOf(body.bytes(0x80)) : undefined };
}

const scopes: readonly (SearchScope | undefined)[] = ['base', 'one', 'sub'];

function readSearch(body: BerCursor): SearchRequest {
  const base = valueOf(body.bytes(octetString));
  const scope = scopes[body.integer(enumerated)];
  body.integer(enumerated); // derefAliases: aliases are not followed
  const sizeLimit = body.integer();
  body.integer(); // timeLimit: the directory has one
  const typesOnly = body.bytes(boolean)[0] !== 0;
  const filter = readFilter(body);
  const list = body.open(sequence);
  const attributes: string[] = [];
  while (list.more) attributes.push(list.text(octetString));
  if (!scope || sizeLimit < 0) throw notLdap();
  return { kind: 'search', base, scope, sizeLimit, typesOnly, filter, attributes };
}

function readCompare(body: BerCursor): CompareRequest {
  const dn = valueOf(body.bytes(octetString));
  const assertion = body.open(sequence);
  const attribute = assertion.text(octetString);
  return { kind: 'compare', dn, attribute, value: valueOf(assertion.bytes(octetString)) };
}

function criticalOf(list: BerCursor): string | undefined {
  let critical: string | undefined;
  while (list.more) {
    const control = list.open(sequence);
    const type = control.text(octetString);
    if (control.more && control.tag === boolean && control.bytes(boolean)[0] !== 0) critical ??= type;
  }
  return critical;
}
