/** Check and upgrade of the schema of the database. */
import { StartError } from '@watchword/core/foundation';
import { escapeIdentifier, type PoolClient } from 'pg';
import type { Database } from '../connection/database.ts';
import { foundation, migrations, rightsOf, schemaVersion } from './migrations.ts';

const command = 'watchword-manager tables --config FILE';

/** @throws StartError with the command to run, unless the schema is that of this version */
export async function assertUpToDate(database: Database): Promise<void> {
  const version = await database.withDeadline((deadline) => database.withConnection(versionOf, deadline));
  if (version === schemaVersion) return;
  if (version > schemaVersion)
    throw new StartError(
      `The database has the schema ${version} of a later version; this one works with ${schemaVersion}. Install the later version.`,
    );
  throw new StartError(
    version === 0
      ? `The database has no tables of Watchword yet. Run: ${command}`
      : `The database has the schema ${version}, and this version works with ${schemaVersion}. Run: ${command}`,
  );
}

/** Returns the number of the last migration; 0: there is none, or it may not be read. */
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
  /** The statements that were run, or would be in a dry run. */
  readonly sql: string;
}

export interface UpgradeOptions {
  /** The servers' role, which gets the rights that it needs. */
  readonly role: string;
  /** A dry run: no statement is run. */
  readonly isDry: boolean;
}

/**
 * Upgrades the schema to this version in one transaction. A concurrent upgrade waits.
 * @throws StartError if the schema is of a later version
 */
export function upgrade(database: Database, { role, isDry }: UpgradeOptions): Promise<Upgrade> {
  return database.withDeadline((deadline) =>
    database.withConnection(async (client) => {
      await client.query('BEGIN');
      try {
        // A lock of two numbers: the locks of steps have one.
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

/** Returns undefined if the servers' role owns the tables, and so needs no grants. */
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
