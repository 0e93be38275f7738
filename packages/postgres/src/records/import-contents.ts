/** Import of all data of another engine, in one transaction. */

import { StartError } from '@watchword/core/foundation';
import {
  type ChainHead,
  type ImportCounts,
  linkRecord,
  type PositionedEvent,
  type StoreContents,
  startChain,
} from '@watchword/core/ports';
import type { PoolClient } from 'pg';
import type { Database } from '../connection/database.ts';
import { rowOf } from '../steps/event-rows.ts';
import { partsOf } from '../steps/names.ts';
import { certificateValues, entryValue, revocationValue } from './record-values.ts';

/** @throws StartError if the database holds data */
export function importContents(database: Database, from: StoreContents): Promise<ImportCounts> {
  return database.withDeadline((deadline) =>
    database.withConnection(async (client) => {
      await client.query('BEGIN');
      try {
        await refuseFull(client);
        const taken = await importAll(client, from);
        await client.query('COMMIT');
        return taken;
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    }, deadline),
  );
}

/** Locks out other writers, and refuses a database that holds data. */
async function refuseFull(client: PoolClient): Promise<void> {
  await client.query('LOCK TABLE watchword.kept, watchword.events IN SHARE ROW EXCLUSIVE MODE');
  const { rows } = await client.query<{ full: boolean }>(
    'SELECT EXISTS (SELECT FROM watchword.store) OR EXISTS (SELECT FROM watchword.events) AS full',
  );
  if (rows[0]?.full)
    throw new StartError('The database holds something already. Nothing is moved into one that is in use.');
}

async function importAll(client: PoolClient, from: StoreContents): Promise<ImportCounts> {
  const count = { values: 0, events: 0, entryRecords: 0, certificates: 0 };
  let head: ChainHead | undefined;
  for await (const page of from.values()) {
    count.values += page.length;
    await insert(client, page);
  }
  for await (const page of from.entryRecords()) {
    count.entryRecords += page.size;
    await insert(
      client,
      [...page].map(([entry, text]) => entryValue(entry, text)),
    );
  }
  for await (const page of from.certificates()) {
    count.certificates += page.length;
    await insert(client, page.flatMap(certificateValues));
  }
  for await (const page of from.revocations()) await insert(client, page.map(revocationValue));
  for await (const page of from.events()) {
    const [first] = page;
    if (!first) continue;
    count.events += page.length;
    head = await insertEvents(client, page, head ?? startChain(first.event));
  }
  if (head) await endChain(client, head);
  return count;
}

interface Row {
  readonly key: string;
  readonly value: Uint8Array;
  /** Left out: the value has no end. */
  readonly end?: number;
}

async function insert(client: PoolClient, values: readonly Row[]): Promise<void> {
  const parts = values.map(({ key }) => partsOf(key));
  await client.query(
    `INSERT INTO watchword.kept (lasting, subject, family, value, ends)
      SELECT true, * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::float8[])`,
    [
      parts.map(({ subject }) => subject),
      parts.map(({ family }) => family),
      values.map(({ value }) => Buffer.from(value)),
      values.map(({ end = Number.POSITIVE_INFINITY }) => end),
    ],
  );
}

/**
 * Inserts events unchanged, as equal refusals are counted already. They form a chain of their own. Their ids come from the sequence, which the
 * servers' role may use and not set. @returns the head of the chain
 */
async function insertEvents(
  client: PoolClient,
  placed: readonly PositionedEvent[],
  head: ChainHead,
): Promise<ChainHead> {
  const events = placed.map(({ event }) => event);
  const rows = events.map(rowOf);
  let end = head;
  const links = events.map((event) => {
    const linked = linkRecord(end, { event });
    end = { ...end, ...linked };
    return linked;
  });
  await client.query(
    `INSERT INTO watchword.events (id, time, application, entry, count, equal, last, number, hash, record, chain)
      SELECT nextval(pg_get_serial_sequence('watchword.events', 'id')), time, application, entry, count, equal, last,
        number, hash, record, $10
      FROM (
        SELECT * FROM unnest($1::float8[], $2::text[], $3::text[], $4::integer[], $5::text[],
          $6::float8[], $7::bigint[], $8::text[], $9::text[])
          WITH ORDINALITY AS event (time, application, entry, count, equal, last, number, hash, record, place)
        ORDER BY place) AS event`,
    [
      rows.map(({ time }) => time),
      rows.map(({ application }) => application),
      rows.map(({ entry }) => entry ?? null),
      rows.map(({ count }) => count ?? null),
      rows.map(({ equal }) => equal ?? null),
      events.map(({ last }) => last ?? null),
      links.map(({ number }) => number),
      links.map(({ hash }) => hash),
      links.map(({ record }) => record),
      end.chain,
    ],
  );
  return end;
}

/** Lets later events continue the chain. */
async function endChain(client: PoolClient, { chain, number, hash }: ChainHead): Promise<void> {
  await client.query('INSERT INTO watchword.lanes (chain, number, hash) VALUES ($1, $2, $3)', [
    chain,
    number,
    hash,
  ]);
}
