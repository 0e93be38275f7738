/**
 * A database that takes no writes: on a full disk, and when it is read-only. Needs root, for a small file system in memory.
 *
 * Fails without the guard: in probe.ts, do not sort, or forget refused writes; in faults.ts, let `refusesWrites` be false.
 */
import { chown, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type PostgresServer, startPostgres } from '../../../core/src/testing/bed/engines/postgres.ts';
import { run, scratchFolder } from '../../../core/src/testing/bed/scratch.ts';
import { systemClock } from '../../../node/src/machine/index.ts';
import { Database, openEventLog, openLedger, openStore, Steps } from '../index.ts';
import { migrate, optionsOf } from '../testing/bed.ts';

let folder: string;
let server: PostgresServer;
const disk = () => join(folder, 'disk');
beforeAll(async () => {
  folder = await scratchFolder('full');
  await run('chmod', ['755', folder]);
  server = await startPostgres();
  await mkdir(disk());
  await run('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk()]);
  const { uid, gid } = await stat('/var/lib/postgresql');
  await mkdir(join(disk(), 'tables'));
  await chown(join(disk(), 'tables'), uid, gid);
  await server.query('postgres', `CREATE TABLESPACE small LOCATION '${join(disk(), 'tables')}'`);
});
afterAll(async () => {
  await server.stop();
  await run('umount', [disk()]);
  await rm(folder, { recursive: true });
});

async function node(tablespace: string) {
  const name = await server.createDatabase();
  await server.query('postgres', `ALTER DATABASE ${name} SET TABLESPACE ${tablespace}`);
  await migrate(server, name);
  const database = new Database({ ...optionsOf(server, name), timeout_ms: 10_000 });
  onTestFinished(() => database.close());
  const steps = new Steps(database);
  const [ledger, events] = [openLedger(steps, systemClock), openEventLog(steps)];
  const ephemeral = openStore(steps, { lasting: false });
  let n = 0;
  const event = (text: string) => ({ time: 1, client: '-', application: 'Full', session: 'AAAAAAAA', text });
  /** Writes as a login does: a value, and an event of some length. */
  const write = (): Promise<unknown> => {
    n += 1;
    return ledger
      .commit({
        durable: [`full:${n}`],
        decide: () => ({
          result: 'kept',
          values: new Map([[`full:${n}`, { value: Buffer.alloc(100), seconds: 60 }]]),
          events: [event(`${n} ${'x'.repeat(1000)}`)],
        }),
      })
      .catch(({ reason }) => reason);
  };
  /** Asks the probe of `/readyz`. */
  const ready = () =>
    Promise.all(
      [ledger, ephemeral, events].map((port) =>
        port.probe().then(
          () => 'ready',
          ({ reason }) => reason,
        ),
      ),
    );
  return { name, ledger, write, ready };
}

/** Waits until the probe writes again. */
const aProbe = () => sleep(1100);

const all = (state: string) => [state, state, state];

/** Fills the disk. */
async function fill(file: string): Promise<void> {
  for (const size of [2 ** 20, 2 ** 12]) {
    const some = Buffer.alloc(size, 'x');
    for (;;)
      if (
        !(await writeFile(file, some, { flag: 'a' }).then(
          () => true,
          () => false,
        ))
      )
        break;
  }
}

describe('full disk', () => {
  it('fails the probe, until there is room again', async () => {
    const { ready, write } = await node('small');
    expect([await write(), await ready()]).toEqual(['kept', all('ready')]);
    const file = join(disk(), 'filler');
    await fill(file);
    await aProbe();
    expect(await ready()).toEqual(all('unavailable'));
    await rm(file);
    await aProbe();
    expect([await ready(), await write()]).toEqual([all('ready'), 'kept']);
  });

  it('refuses writes as unavailable, keeps earlier commits, and is not ready meanwhile', async () => {
    const { ready, write, ledger } = await node('small');
    const file = join(disk(), 'filler');
    await fill(file);
    let kept = 0;
    while ((await write()) === 'kept') kept += 1;
    expect(await write()).toBe('unavailable');
    expect(await ledger.get(`full:${kept + 2}`)).toBeUndefined();
    await aProbe();
    expect(await ready()).toEqual(all('unavailable'));
    for (let n = 1; n <= kept; n += 1) expect(await ledger.get(`full:${n}`)).toBeDefined();
    await rm(file);
    expect(await write()).toBe('kept');
    await aProbe();
    expect(await ready()).toEqual(all('ready'));
  });
});

it('fails the probe after a refused write, until a write succeeds', async () => {
  const { name, ready, write } = await node('pg_default');
  expect([await write(), await ready()]).toEqual(['kept', all('ready')]);
  // Only the table of events has no room.
  await server.query(
    name,
    `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$`,
  );
  await server.query(
    name,
    'CREATE TRIGGER full_disk BEFORE INSERT ON watchword.events FOR EACH ROW EXECUTE FUNCTION full_disk()',
  );
  expect(await write()).toBe('unavailable');
  await aProbe();
  expect(await ready()).toEqual(all('unavailable'));
  await server.query(name, 'DROP TRIGGER full_disk ON watchword.events');
  expect(await write()).toBe('kept');
  await aProbe();
  expect(await ready()).toEqual(all('ready'));
});

it('fails the probe while the database is read-only', async () => {
  const { name, ready, write } = await node('pg_default');
  expect([await write(), await ready()]).toEqual(['kept', all('ready')]);
  const become = async (readOnly: 'on' | 'off') => {
    await server.query('postgres', `ALTER DATABASE ${name} SET default_transaction_read_only = ${readOnly}`);
    await server.query(
      'postgres',
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
    await aProbe();
  };
  await become('on');
  expect(await ready()).toEqual(all('unavailable'));
  await become('off');
  expect([await ready(), await write()]).toEqual([all('ready'), 'kept']);
});

it('writes a probe once a second for all callers, and leaves no file', async () => {
  const { name, ready } = await node('pg_default');
  const queries = vi.spyOn(Client.prototype, 'query');
  for (let n = 0; n < 20; n += 1) expect(await ready()).toEqual(all('ready'));
  const probes = queries.mock.calls.filter(([query]) => String(query).includes('watchword.probes'));
  queries.mockRestore();
  expect(probes.length).toBeGreaterThan(0);
  expect(probes.length).toBeLessThan(20);
  const [row] = await server.query<{ probes: number; temp: number }>(
    name,
    'SELECT (SELECT count(*)::int FROM watchword.probes) AS probes, (SELECT count(*)::int FROM pg_ls_tmpdir()) AS temp',
  );
  expect(row).toEqual({ probes: 1, temp: 0 });
});
