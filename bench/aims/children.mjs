/**
 * A page of 200 children out of a container of 100,000, beside one out of 1,000: by turns, in one process, on OpenLDAP and on the
 * embedded directory. The pages behind the first are measured, as the first one looks whether there is more.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dn, parseFilter } from '@watchword/core';
import { KeptLog } from '@watchword/core/testing';
import { openDirectory, openEnvironment } from '@watchword/embedded';
import { openLdapDirectory } from '@watchword/ldap';
import { systemClock, systemRandom } from '@watchword/node';
import { startSlapd } from '../bed.mjs';
import { base, record } from '../logins/users.mjs';
import { median } from '../side-by-side.mjs';

const crowd = `ou=crowd,${base}`;
const sizes = [1_000, 100_000];
const asked = {
  ...{ base: Dn.parse(crowd), filter: parseFilter('(objectClass=*)') },
  ...{ attributes: ['objectclass'], limit: 200 },
};
/** Behind the first: as many as the small container has. */
const pages = 3;

export async function measureChildren({ plan, progress }) {
  const measured = [];
  for (const [name, open] of Object.entries({ OpenLDAP: onSlapd, embedded: onEmbedded }))
    measured.push(...(await measureOn(name, open, { plan, progress })));
  return measured;
}

async function measureOn(name, open, { plan, progress }) {
  const grounds = [];
  try {
    for (const entries of sizes) {
      progress(`children: loading ${entries} entries, ${name}`);
      grounds.push(await open(entries));
    }
    const times = sizes.map(() => []);
    for (let round = 0; round <= 4 * plan.rounds; round += 1)
      for (const at of round % 2 ? [1, 0] : [0, 1]) times[at].push(await turn(grounds[at].directory));
    const [few, many] = times.map((all) => all.slice(1));
    const ratios = few.map((time, at) => many[at] / time);
    const row = (entries) => `page of 200 of ${entries.toLocaleString('en')}, ${name}`;
    return [
      { row: row(sizes[0]), operationsPerSecond: 1000 / median(few), aim: '' },
      {
        ...{ row: row(sizes[1]), operationsPerSecond: 1000 / median(many), aim: '≤ 1.5' },
        ...{ ratio: median(ratios), ratios: [Math.min(...ratios), Math.max(...ratios)] },
      },
    ];
  } finally {
    for (const { close } of grounds) await close();
  }
}

/** @returns milliseconds a page */
async function turn(directory) {
  let { next } = await directory.children(asked);
  const begun = performance.now();
  for (let n = 0; n < pages; n += 1) {
    const page = await directory.children({ ...asked, after: next });
    if (page.entries.length !== asked.limit) throw new Error(`A page has ${page.entries.length} entries.`);
    next = page.next;
  }
  return (performance.now() - begun) / pages;
}

async function onSlapd(entries) {
  const slapd = await startSlapd({ ldif: ldif(entries), unchecked: true });
  const service = { bind_dn: slapd.rootDn, bind_password: slapd.rootPassword, base };
  const server = openLdapDirectory(
    { urls: [slapd.ldapsUrl], ca: slapd.ca, ...service },
    { clock: systemClock, log: new KeptLog() },
  );
  const close = async () => {
    await server.close();
    await slapd.stop();
  };
  return { directory: server.service, close };
}

async function onEmbedded(entries) {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  const environment = await openEnvironment(folder);
  const ports = { clock: systemClock, random: systemRandom };
  const server = await openDirectory(environment, { base: Dn.parse(base) }, ports);
  await server.importLdif([...ldif(entries)].join(''));
  const close = async () => {
    await environment.close();
    await rm(folder, { recursive: true });
  };
  return { directory: server.service, close };
}

function* ldif(entries) {
  yield `${record(base, ['objectClass: organization', 'objectClass: dcObject', 'o: Example', 'dc: example'])}\n`;
  yield `${record(crowd, ['objectClass: organizationalUnit', 'ou: crowd'])}\n`;
  for (let n = 0; n < entries; n += 1) {
    const lines = ['objectClass: inetOrgPerson', `uid: user${n}`, `cn: User ${n}`, `sn: Surname ${n}`];
    yield `${record(`uid=user${n},${crowd}`, lines)}\n`;
  }
}
