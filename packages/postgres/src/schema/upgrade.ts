/** The schema of the database: which it has, and what is missing to the one of this version. */

import { StartError } from '@watchword/core/foundation';
import { escapeIdentifier, type PoolClient } from 'pg';
import type { Database } from '../connection/database.ts';
import { foundation, migrations, rightsOf, schemaVersion } from './migrations.ts';

const command = 'watchword-manager tables --config FILE';

/** @throws StartError with a sentence that says what to run, if it is not the schema of this version */
export async function assertUpToDate(database: Database): Promise<void> {
  const there = await database.inTime((deadline) => database.on(versionOf, deadline));
  if (there === schemaVersion) return;
  if (there > schemaVersion)
    throw new StartError(
      `The database has the schema ${there} of a later version; this one works with ${schemaVersion}. Install the later version.`,
    );
  throw new StartError(
    there === 0
      ? `The database has no tables of Watchword yet. Run: ${command}`
      : `The database has the schema ${there}, and this version works with ${schemaVersion}. Run: ${command}`,
  );
}

/** Of the last migration; 0: there is none, or it may not be read. */
async function versionOf(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ is: boolean }>(
    "SELECT to_regclass('watchword.migrations') IS NOT NULL AS is",
  );
  if (!rows[0]?.is) return 0;
  const last = await client.query<{ number: number | null }>(
    'SELECT max(number) AS number FROM watchword.migrations',
  );
  return last.rows[0]?.number ?? 0;
}

export interface Upgrade {
  readonly from: number;
  readonly to: number;
  /** The statements that were run, or are to be. */
  readonly sql: string;
}

export interface UpgradeOptions {
  /** The role that servers run with: it gets the rights that they need. */
  readonly role: string;
  /** Runs nothing. */
  readonly isDry: boolean;
}

/**
 * Brings the schema to this version, in one transaction; of two that do it at once, one waits.
 * @throws StartError if it is of a later version
 */
export function upgrade(database: Database, { role, isDry }: UpgradeOptions): Promise<Upgrade> {
  return database.inTime((deadline) =>
    database.on(async (client) => {
      await client.query('BEGIN');
      try {
        // Two numbers: keys of steps are one. No step has this lock.
        if (!isDry) await client.query('SELECT pg_advisory_xact_lock(1, 1)');
        const from = await versionOf(client);
        const sql = statementsFrom(from, await otherRole(client, role));
        if (!isDry && from < schemaVersion) await client.query(sql);
        await client.query('COMMIT');
        return { from, to: schemaVersion, sql };
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      }
    }, deadline),
  );
}

/** Undefined: servers run with the role that owns the tables, which needs to be given nothing. */
async function otherRole(client: PoolClient, role: string): Promise<string | undefined> {
  const { rows } = await client.query<{ me: string }>('SELECT current_user AS me');
  return rows[0]?.me === role ? undefined : role;
}

function statementsFrom(from: number, role: string | undefined): string {
  if (from > schemaVersion)
    throw new StartError(`The database has the schema ${from}; this version knows ${schemaVersion} at most.`);
  if (from === schemaVersion) return '';
  const missing = migrations.slice(from).map(({ name, sql }, index) => {
    const number = from + index + 1;
    return `-- ${number}: ${name}\n${sql}\nINSERT INTO watchword.migrations (number, name) VALUES (${number}, '${name}');\n`;
  });
  const rights = role === undefined ? '' : rightsOf(escapeIdentifier(role));
  return [...(from === 0 ? [foundation] : []), ...missing, rights].join('');
}
