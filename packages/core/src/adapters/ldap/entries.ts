/** Entries from the wire: names in lower case, values as text or bytes, long attributes fetched to their end. */
import type { Entry } from '../../directory/directory.ts';
import { ServiceError } from '../../errors/errors.ts';
import { spelled } from '../../text/dn.ts';
import { everything } from '../../text/filter.ts';
import { type AttributeValue, isBinaryAttribute, valueOf } from '../../text/value.ts';
import type { Connection } from './connection/connection.ts';
import { expectSuccess } from './results.ts';
import type { WireAttribute, WireEntry } from './wire/messages.ts';
import { searchRequest } from './wire/search-request.ts';
import { plainName } from './wire/wire-names.ts';

/** Active Directory's `member;range=0-1499`, and `member;range=1500-*` for the last part ([MS-ADTS] §3.1.1.3.1.3.3). */
const ranged = /^(.+);range=\d+-(\d+|\*)$/;

interface Part {
  readonly name: string;
  readonly values: readonly AttributeValue[];
  /** Index of the first value that is still to be fetched. */
  readonly next?: number;
}

/** An entry with all its values, however many requests that takes; nearly always none, and then at once. */
export function readEntry(connection: Connection, entry: WireEntry): Entry | Promise<Entry> {
  const parts = entry.attributes.map(partOf);
  return parts.some(({ next }) => next !== undefined)
    ? readRest(connection, entry.dn, parts)
    : entryOf(entry.dn, parts);
}

/** Where a range is given, Active Directory lists the attribute itself too, without values. */
function entryOf(dn: string, parts: readonly Part[]): Entry {
  const attributes = new Map<string, readonly AttributeValue[]>();
  for (const { name, values } of parts) if (values.length > 0) attributes.set(name, values);
  return { dn: spelled(dn), attributes };
}

async function readRest(connection: Connection, dn: string, parts: readonly Part[]): Promise<Entry> {
  const whole: Part[] = [];
  for (const { name, values, next } of parts) {
    const rest = next === undefined ? [] : await valuesFrom(connection, dn, { name, values, next });
    whole.push({ name, values: [...values, ...rest] });
  }
  return entryOf(dn, whole);
}

async function valuesFrom(
  connection: Connection,
  dn: string,
  { name, next }: Part & { next: number },
): Promise<AttributeValue[]> {
  const values: AttributeValue[] = [];
  for (let from = next; ; ) {
    const part = await rangeOf(connection, dn, `${name};range=${from}-*`);
    for (const value of part?.values ?? []) values.push(value);
    if (part?.next === undefined) return values;
    if (part.next <= from) throw endless();
    from = part.next;
  }
}

async function rangeOf(connection: Connection, dn: string, description: string): Promise<Part | undefined> {
  const request = searchRequest(connection, {
    base: dn,
    scope: 'base',
    filter: everything,
    attributes: [description],
  });
  const { entries } = expectSuccess(await connection.request(request));
  return entries[0]?.attributes.map(partOf).find(({ values }) => values.length > 0);
}

function endless(): ServiceError {
  return new ServiceError('unavailable', { detail: 'the directory gives the same values again and again' });
}

function partOf({ type, values: given }: WireAttribute): Part {
  const description = plainName(type);
  const [, name = description, last] = (description.includes(';') && ranged.exec(description)) || [];
  const binary = isBinaryAttribute(name);
  const values = given.map((bytes) => (binary ? bytes : valueOf(bytes)));
  return { name, values, ...(last !== undefined && last !== '*' && { next: Number(last) + 1 }) };
}
