/** Range retrieval: reads the remaining values of long attributes. */

import { type AttributeValue, matchAll, ServiceError } from '@watchword/core/foundation';
import type { Entry } from '@watchword/core/ports';
import type { Connection } from './connection/connection.ts';
import { expectSuccess } from './results.ts';
import { searchRequest } from './wire/search-request.ts';
import type { PartialAttribute, WireEntry } from './wire/wire-entry.ts';

/** Completes an entry. Synchronous if all values are there, as is usual. */
export function readEntry(connection: Connection, { entry, partial }: WireEntry): Entry | Promise<Entry> {
  return partial ? readRest(connection, entry, partial) : entry;
}

async function readRest(
  connection: Connection,
  { dn, attributes }: Entry,
  partial: readonly PartialAttribute[],
): Promise<Entry> {
  const whole = new Map(attributes);
  for (const part of partial) {
    const values = [...part.values, ...(await valuesFrom(connection, dn, part))];
    if (values.length > 0) whole.set(part.name, values);
  }
  return { dn, attributes: whole };
}

async function valuesFrom(
  connection: Connection,
  dn: string,
  { name, next }: PartialAttribute,
): Promise<AttributeValue[]> {
  const values: AttributeValue[] = [];
  for (let from = next; ; ) {
    const found = await rangeOf(connection, dn, `${name};range=${from}-*`);
    const [part] = found?.entry.attributes.values() ?? [];
    for (const value of part ?? []) values.push(value);
    const rest = found?.partial?.find((other) => other.values === part);
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
    filter: matchAll,
    attributes: [description],
  });
  const { entries } = expectSuccess(await connection.request(request));
  return entries[0];
}

function endless(): ServiceError {
  return new ServiceError('unavailable', { detail: 'the directory gives the same values again and again' });
}
