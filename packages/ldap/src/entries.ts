/** Entries with all their values: long attributes are fetched to their end. */

import { type AttributeValue, everything, ServiceError } from '@watchword/core/foundation';
import type { Entry } from '@watchword/core/ports';
import type { Connection } from './connection/connection.ts';
import { expectSuccess } from './results.ts';
import { searchRequest } from './wire/search-request.ts';
import type { Unfinished, WireEntry } from './wire/wire-entry.ts';

/** An entry with all its values, however many requests that takes; nearly always none, and then at once. */
export function readEntry(connection: Connection, { entry, unfinished }: WireEntry): Entry | Promise<Entry> {
  return unfinished ? readRest(connection, entry, unfinished) : entry;
}

async function readRest(
  connection: Connection,
  { dn, attributes }: Entry,
  unfinished: readonly Unfinished[],
): Promise<Entry> {
  const whole = new Map(attributes);
  for (const part of unfinished) {
    const values = [...part.values, ...(await valuesFrom(connection, dn, part))];
    if (values.length > 0) whole.set(part.name, values);
  }
  return { dn, attributes: whole };
}

async function valuesFrom(
  connection: Connection,
  dn: string,
  { name, next }: Unfinished,
): Promise<AttributeValue[]> {
  const values: AttributeValue[] = [];
  for (let from = next; ; ) {
    const found = await rangeOf(connection, dn, `${name};range=${from}-*`);
    const [part] = found?.entry.attributes.values() ?? [];
    for (const value of part ?? []) values.push(value);
    const rest = found?.unfinished?.find((other) => other.values === part);
    if (!rest) return values;
    if (rest.next <= from) throw endless();
    from = rest.next;
  }
}

async function rangeOf(
  connection: Connection,
  dn: string,
  description: string,
): Promise<WireEntry | undefined> {
  const request = searchRequest(connection, {
    base: dn,
    scope: 'base',
    filter: everything,
    attributes: [description],
  });
  const { entries } = expectSuccess(await connection.request(request));
  return entries[0];
}

function endless(): ServiceError {
  return new ServiceError('unavailable', { detail: 'the directory gives the same values again and again' });
}
