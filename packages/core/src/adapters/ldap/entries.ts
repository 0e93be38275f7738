/** Entries from the wire: names in lower case, values as text or bytes, long attributes fetched to their end. */
import { type Attribute, type SearchEntry, SearchRequest } from 'ldapts';
import type { Entry } from '../../directory/directory.ts';
import { everything } from '../../directory/filter.ts';
import { type AttributeValue, isBinaryAttribute, valueOf } from '../../directory/value.ts';
import type { Connection } from './connection.ts';
import { wireFilter } from './filters.ts';
import { expectSuccess } from './results.ts';
import { plainName } from './wire-names.ts';

/** Active Directory's `member;range=0-1499`, and `member;range=1500-*` for the last part ([MS-ADTS] §3.1.1.3.1.3.3). */
const ranged = /^(.+);range=\d+-(\d+|\*)$/;

interface Part {
  readonly name: string;
  readonly values: readonly AttributeValue[];
  /** Index of the first value that is still to be fetched. */
  readonly next?: number;
}

/** An entry with all its values, however many requests that takes. */
export async function readEntry(
  connection: Connection,
  { name: dn, attributes }: SearchEntry,
): Promise<Entry> {
  const collected = new Map<string, readonly AttributeValue[]>();
  for (const attribute of attributes) {
    const part = partOf(attribute);
    const rest =
      part.next === undefined ? [] : await valuesFrom(connection, dn, { ...part, next: part.next });
    const values = [...part.values, ...rest];
    // Where a range is given, Active Directory lists the attribute itself too, without values.
    if (values.length > 0) collected.set(part.name, values);
  }
  return { dn, attributes: collected };
}

async function valuesFrom(
  connection: Connection,
  dn: string,
  { name, next }: Part & { next: number },
): Promise<AttributeValue[]> {
  const values: AttributeValue[] = [];
  for (let from: number | undefined = next; from !== undefined; ) {
    const part: Part | undefined = await rangeOf(connection, dn, `${name};range=${from}-*`);
    values.push(...(part?.values ?? []));
    from = part?.next;
  }
  return values;
}

async function rangeOf(connection: Connection, dn: string, description: string): Promise<Part | undefined> {
  const request = new SearchRequest({
    messageId: 0,
    baseDN: dn,
    scope: 'base',
    filter: wireFilter(everything),
    attributes: [description],
  });
  const { entries } = expectSuccess(await connection.request(request));
  return entries[0]?.attributes.map(partOf).find(({ values }) => values.length > 0);
}

function partOf(attribute: Attribute): Part {
  const description = plainName(attribute.type);
  const [, name = description, last] = ranged.exec(description) ?? [];
  const binary = isBinaryAttribute(name);
  const values = attribute.parsedBuffers.map((bytes) => (binary ? bytes : valueOf(bytes)));
  return { name, values, ...(last !== undefined && last !== '*' && { next: Number(last) + 1 }) };
}
