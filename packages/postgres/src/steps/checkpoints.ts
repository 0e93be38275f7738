/** Signed checkpoints of the chains of the event log, and the one that closes an export. */

import {
  type ChainPart,
  type Checkpoint,
  type ExportRange,
  type SignedCount,
  signLink,
} from '@watchword/core/ports';
import type { PoolClient } from 'pg';
import type { Database } from '../connection/database.ts';

export type Signer = Parameters<typeof signLink>[2];

/** The records of a chain that are exported. */
export interface ChainRange {
  readonly chain: string;
  readonly from: number;
  readonly to: number;
}

interface Lane {
  readonly chain: string;
  readonly number: number;
  readonly hash: string;
  readonly removed_number: number | null;
  readonly removed_hash: string | null;
}

const columns = 'chain, number::float8, hash, removed_number::float8, removed_hash';

export class Checkpoints {
  readonly #database: Database;
  readonly #signer: Signer;
  readonly #underWay = new Set<string>();

  constructor(database: Database, signer: Signer) {
    this.#database = database;
    this.#signer = signer;
  }

  /** Signs a chain in the background. If that fails, the next event reports the chain as due again. */
  due(chain: string, time: number): void {
    if (this.#underWay.has(chain)) return;
    this.#underWay.add(chain);
    const signing = async (client: PoolClient) => {
      const { rows } = await client.query<Lane>(
        `SELECT ${columns} FROM watchword.lanes WHERE chain = $1 FOR UPDATE`,
        [chain],
      );
      for (const lane of rows) await this.#sign(client, lane, { time });
    };
    this.#database.patience
      .detached(() => this.#transaction(signing))
      .catch(() => undefined)
      .finally(() => this.#underWay.delete(chain));
  }

  /** Signs all chains. The last record of the chain that comes last names what is exported. */
  close({ now: time, since }: ExportRange): Promise<readonly ChainRange[]> {
    return this.#transaction(async (client) => {
      const { rows } = await client.query<Lane>(
        `SELECT ${columns} FROM watchword.lanes WHERE number > 0 ORDER BY chain DESC FOR UPDATE`,
      );
      const closing = rows.at(-1);
      if (!closing) return [];
      const parts: ChainPart[] = [];
      for (const lane of rows.slice(0, -1)) {
        const { number, hash } = await this.#sign(client, lane, { time });
        parts.push({ chain: lane.chain, number, hash, from: await beginning(client, lane, since) });
      }
      const { chain, number, hash } = closing;
      const own = { chain, number, hash, from: await beginning(client, closing, since) };
      const last = await this.#sign(client, closing, { time, exported: [...parts, own] });
      const spans = parts.map((part) => ({ chain: part.chain, from: part.from, to: part.number }));
      return [...spans, { chain, from: own.from, to: last.number }];
    });
  }

  #transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    return this.#database.withDeadline((deadline) =>
      this.#database.withConnection(async (client) => {
        await client.query('BEGIN');
        try {
          const result = await work(client);
          await client.query('COMMIT');
          return result;
        } catch (error) {
          await client.query('ROLLBACK').catch(() => undefined);
          throw error;
        }
      }, deadline),
    );
  }

  /** Adds a checkpoint to a chain. @param lane a locked row */
  async #sign(client: PoolClient, lane: Lane, said: Pick<Checkpoint, 'time' | 'exported'>) {
    const { chain, removed_number: number, removed_hash: hash } = lane;
    const removed = number !== null && hash !== null ? { removed: { number, hash } } : {};
    const content = { counted: await takeCounts(client, chain), ...removed, ...said };
    const linked = signLink(lane, content, this.#signer);
    await client.query(
      `INSERT INTO watchword.events (time, application, chain, number, hash, record, signature)
        VALUES ($1, '', $2, $3, $4, $5, $6)`,
      [said.time, chain, linked.number, linked.hash, linked.record, linked.signature],
    );
    await client.query(
      `UPDATE watchword.lanes SET number = $2, hash = $3, checkpoint_number = $2, checkpoint_time = $4 WHERE chain = $1`,
      [chain, linked.number, linked.hash, said.time],
    );
    return linked;
  }
}

interface CountRow {
  readonly number: number;
  readonly count: number;
  readonly last: number;
}

async function takeCounts(client: PoolClient, chain: string): Promise<readonly SignedCount[]> {
  const { rows } = await client.query<CountRow>(
    `UPDATE watchword.events SET untold = false WHERE chain = $1 AND untold RETURNING number::float8, count, last`,
    [chain],
  );
  return rows
    .sort((one, other) => one.number - other.number)
    .map(({ number, count, last }) => [number, count, last]);
}

/** Returns the number of the last checkpoint at or before `since`, else of the first record. */
async function beginning(client: PoolClient, { chain }: Lane, since: number | undefined): Promise<number> {
  const { rows } = await client.query<{ first: number | null; checkpoint: number | null }>(
    `SELECT min(number)::float8 AS first,
        (max(number) FILTER (WHERE signature IS NOT NULL AND time <= $2))::float8 AS checkpoint
      FROM watchword.events WHERE chain = $1`,
    [chain, since ?? null],
  );
  return rows[0]?.checkpoint ?? rows[0]?.first ?? 1;
}
