/**
 * An event log of 5,000,000 records beside one of 50,000, on the embedded directory, in process: what a record costs, a page of events, a page of
 * a search that finds nothing, an export, and how long the log takes to open. Every page is asked of both by turns.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService, Dn } from '@watchword/core';
import { openEmbedded } from '@watchword/engines';
import { median } from '../side-by-side.mjs';

const base = 'dc=example,dc=org';
const admin = { username: `uid=admin,${base}`, password: 'Adm1n-of-all' };
/** Records that are asked for in one turn of the event loop. */
const together = 500;
const users = 10_000;

export async function measureEvents({ plan, progress }) {
  const grounds = [];
  try {
    for (const records of [plan.records / 100, plan.records]) grounds.push(await load(records, progress));
    const lines = [];
    for (const [name, ask] of Object.entries(asked)) {
      const times = grounds.map(() => []);
      for (let round = 0; round <= plan.rounds; round += 1)
        for (const at of round % 2 ? [1, 0] : [0, 1]) times[at].push(await timed(ask, grounds[at]));
      lines.push(
        ...rowsOf(
          name,
          times.map((all) => all.slice(1)),
        ),
      );
    }
    progress('events: exporting');
    const exports = [];
    for (const ground of grounds) exports.push(await timed(exportAll, ground));
    const each = grounds.map(({ records, filled }) => filled / records);
    return [
      ...lines,
      ...rowsOf(
        'open',
        grounds.map(({ opened }) => [opened]),
      ),
      ...rowsOf(
        'append one',
        each.map((time) => [time]),
      ),
      ...rowsOf(
        'export one',
        exports.map((time, at) => [time / grounds[at].records]),
      ),
      ...grounds.map(({ records, bytes }) => ({
        ...{ row: `size of the database, ${name(records)}`, megabytes: bytes / 1e6, aim: '' },
      })),
    ];
  } finally {
    for (const { close } of grounds) await close();
  }

  function rowsOf(what, [few, many]) {
    const ratios = many.map((time, at) => time / few[at]);
    const [small, large] = grounds.map(({ records }) => `${what}, ${name(records)}`);
    return [
      { row: small, operationsPerSecond: 1000 / median(few), aim: '' },
      {
        ...{ row: large, operationsPerSecond: 1000 / median(many), aim: '≤ 1.5' },
        ...{ ratio: median(ratios), ratios: [Math.min(...ratios), Math.max(...ratios)] },
      },
    ];
  }
}

const name = (records) => `${records.toLocaleString('en')} records`;

const asked = {
  'the last 100 events': ({ manager }) => manager.Get_Event_Logs({ application: 'Otp', max: 100 }),
  'the last 20 of a user': ({ manager }) =>
    manager.Search_Event_Logs({ dn: `uid=user7,ou=people,${base}`, application: 'Otp', max: 20 }),
  'a search of 20,000 that finds nothing': ({ manager }) =>
    manager.Search_Event_Logs({ text: 'no event says this', max: 20 }),
};

async function timed(work, ground) {
  const begun = performance.now();
  await work(ground);
  return performance.now() - begun;
}

async function exportAll({ engines }) {
  let count = 0;
  for await (const page of engines.events.exported({ now: Date.now() })) count += page.length;
  return count;
}

async function load(records, progress) {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const settings = { manager_auth: 'DN', super_admins: [admin.username] };
  const open = () => openEmbedded(folder, { base, log, settings });
  const first = await open();
  await addAdministrator(first);
  const filled = await timed(() => fill(first.events, records, progress));
  await first.close();
  const { size: bytes } = await stat(join(folder, 'data.mdb'));
  let engines;
  const opened = await timed(async () => {
    engines = await open();
  });
  const service = createService({ ...settings, domains: { Default: { base } } }, engines);
  const { manager, close } = await service.manager.login(admin);
  return {
    ...{ records, filled, opened, bytes, engines, manager },
    close: async () => {
      await close();
      await service.close();
      await engines.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function addAdministrator({ directory }) {
  const attributes = {
    ...{ objectclass: ['inetOrgPerson'], cn: ['Admin'], sn: ['Admin'] },
    userpassword: [admin.password],
  };
  await directory.service.add(Dn.parse(admin.username), new Map(Object.entries(attributes)));
}

async function fill(events, records, progress) {
  const begun = Date.now() - records * 6;
  for (let done = 0; done < records; done += together) {
    const some = Array.from({ length: together }, (_, at) => eventOf(done + at, begun));
    await Promise.all(some.map((event) => events.append(event)));
    if (done % 100_000 === 0) progress(`events: ${done} of ${records} written`);
  }
}

const eventOf = (number, begun) => ({
  ...{ time: begun + number * 6, client: `192.0.2.${number % 250}:40000`, host: 'node-1' },
  ...{ source: `198.51.100.${number % 250}`, application: 'Otp', session: 'A1B2C3D4' },
  dn: `uid=user${number % users},ou=people,${base}`,
  text: `Login of user${number % users} with PASSWORD,TOTP was granted`,
});
