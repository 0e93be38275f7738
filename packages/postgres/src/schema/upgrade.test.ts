import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PostgresServer, startPostgres } from '../../../core/src/testing/bed/engines/postgres.ts';
import { assertUpToDate, Database, Steps } from '../index.ts';
import { migrate, optionsOf } from '../testing/bed.ts';
import { foundation, migrations, rightsOf, schemaVersion } from './migrations.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

/** A step of a node of the first version, with an expected value. */
const firstVersions = (key: string, thought: string | null, value: string): string =>
  `SELECT made FROM watchword.step('${randomUUID()}', true, null, '{${key}}', '{a}', '{true}',
    '{${thought ?? 'null'}}', '{true}', '{set}', '{${value}}', '{600}',
    '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', null)`;

it('upgrades the first version with its data, while its nodes continue', async () => {
  const name = await server.createDatabase();
  const first = migrations[0];
  if (!first) throw new Error('there is none');
  const made = `INSERT INTO watchword.migrations (number, name) VALUES (1, '${first.name}');`;
  await server.query(name, foundation + first.sql + made + rightsOf(server.node.user));
  const database = new Database(optionsOf(server, name));
  await expect(assertUpToDate(database)).rejects.toThrow(
    `The database has the schema 1, and this version works with ${schemaVersion}. Run: watchword-manager tables`,
  );
  const asNode = (sql: string) =>
    server.query<{ made: boolean }>(name, `SET ROLE ${server.node.user}; ${sql}`);
  await asNode(firstVersions('kept', null, 'old'));

  await migrate(server, name);
  await assertUpToDate(database);
  const steps = new Steps(database);
  const kept = { key: 'kept:a', lasting: true };
  expect((await steps.read(kept))?.toString()).toBe('old');
  await steps.change([kept], (found) => ({
    result: undefined,
    changes: [[0, { mode: 'keep', value: Buffer.from(`${found(0)} and new`), seconds: 600 }]],
  }));
  await asNode(firstVersions('kept', '"old and new"', 'older'));
  expect((await steps.read(kept))?.toString()).toBe('older');
  // Nodes of the first version remove no events any more.
  const event = '[{"of":1,"time":1,"application":"a","body":"{}"}]';
  const second = `SELECT watchword.steps_together('{NULL}', true, null, '[]', '${event}', 1900000000000)`;
  for (let n = 0; n < 3; n += 1) await asNode(second);
  await asNode('SELECT watchword.remove_old(1900000000000)');
  const [left] = await server.query<{ events: number }>(
    name,
    'SELECT count(*)::integer AS events FROM watchword.events',
  );
  expect(left?.events).toBe(3);
  await database.close();
});
