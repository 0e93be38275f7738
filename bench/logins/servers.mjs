/**
 * The servers that users log in to: ours on a throwaway slapd and on the embedded directory, and the reference on
 * that slapd, each in a process of its own with the same users and the same TLS certificate.
 */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Dn, parseFilter } from '@watchword/core';
import { openDirectory, openEnvironment } from '@watchword/embedded';
import { readKeyRing, systemClock, systemRandom } from '@watchword/node';
import { Client } from 'ldapts';
import { startSlapd } from '../bed.mjs';
import { ldapDirectory, startServer } from '../server-process.mjs';
import { FreshCodes } from './fresh-codes.mjs';
import { base, directoryPieces, record, ssha } from './users.mjs';

const ourProgram = fileURLToPath(new URL('../../packages/server-ws/dist/main.js', import.meta.url));
const referenceProgram = fileURLToPath(new URL('reference-server.mjs', import.meta.url));
const floorProgram = fileURLToPath(new URL('../floors/login-floor.mjs', import.meta.url));

const reader = { dn: `cn=reader,ou=people,${base}`, password: 'R3ad-only!' };

/** A slapd with users, and what servers on it need. @param options of the slapd */
export async function startUsers(users, progress, options = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-logins-'));
  const keysFile = join(folder, 'keys');
  const keys = readKeyRing(keysFile);
  const others = record(reader.dn, [
    'objectClass: inetOrgPerson',
    'cn: reader',
    'sn: reader',
    `userPassword: ${ssha(reader.password)}`,
  ]);
  const ldif = () => directoryPieces(users, { keys, others });
  progress(`loading slapd with ${users.toLocaleString('en')} users …`);
  const slapd = await startSlapd({ ldif: ldif(), unchecked: true, ...options });
  const caFile = join(folder, 'slapd-ca.pem');
  await writeFile(caFile, slapd.ca);
  return {
    ...{ folder, keysFile, ldif, slapd, caFile, users },
    stop: async () => {
      await slapd.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * Our server on slapd.
 * @param options.name of its folder; two with the same name share it
 * @param options.codes those of another server that shares what it keeps
 * @param options.more settings of the configuration
 * @param options.program that of another build, to be measured beside this one
 * @returns {port, pid, stop, data, ca, codes, writes}; `writes` counts the entries that were changed
 */
export async function startOnSlapd(ground, { name, ...options }) {
  const directory = ldapDirectory(ground.slapd, ground.caFile);
  const server = await startOurs(ground, { name, directory, ...options });
  const begun = timeNow();
  return { ...server, writes: () => countWrites(ground.slapd, begun) };
}

/** Our server on the embedded directory; `writes` once it has stopped. */
export async function startOnEmbedded(ground) {
  const name = 'on-embedded';
  const data = join(ground.folder, name);
  await loadEmbedded(data, [...ground.ldif()].join(''));
  const server = await startOurs(ground, { name, directory: { type: 'embedded', base } });
  const begun = timeNow();
  return { ...server, writes: () => countEmbeddedWrites(data, begun) };
}

/** @param ours one of our servers, whose certificate it shows too */
export async function startReference(ground, ours) {
  const server = await startOther(ground, ours, { program: referenceProgram, name: 'reference' });
  return { ...server, codes: new FreshCodes(ground.users, { isOnce: false }) };
}

/** As {@link startReference}: the least program with the guarantees of a login. */
export async function startFloor(ground, ours) {
  const server = await startOther(ground, ours, { program: floorProgram, name: 'floor' });
  return { ...server, codes: new FreshCodes(ground.users) };
}

async function startOther(ground, ours, { program, name }) {
  const folder = join(ground.folder, name);
  await mkdir(folder);
  await cp(join(ours.data, 'tls-key.pem'), join(folder, 'tls.pem'));
  const configuration = {
    ...ldapDirectory(ground.slapd, ground.caFile),
    connections: 4,
    tls: join(folder, 'tls.pem'),
    data: join(folder, 'data'),
  };
  const server = await startServer(program, { configuration, folder });
  return { ...server, ca: ours.ca };
}

async function startOurs(
  { folder, keysFile, users },
  { name, directory, program = ourProgram, nodeOptions = [], more = {}, codes = new FreshCodes(users) },
) {
  const data = join(folder, name);
  await mkdir(data, { recursive: true, mode: 0o700 });
  const configuration = {
    domains: { Default: { base } },
    super_admins: [reader.dn],
    ...{ directory, data, keys_file: keysFile },
    // It tells where its users are, and is believed.
    trusted_callers: ['127.0.0.1'],
    ws: { port: 0 },
    log: { level: 'warn' },
    ...more,
  };
  const server = await startServer(program, { configuration, folder: data, nodeOptions });
  const ca = await readFile(join(data, 'ca.pem'), 'utf8');
  return { ...server, data, ca, codes };
}

/** Generalized time (RFC 4517 §3.3.13), of the next second: what is written from then on is not of the load. */
const timeNow = () => new Date(Date.now() + 1000).toISOString().replace(/[-:T]|\.\d+/g, '');

async function countWrites(slapd, begun) {
  const client = new Client({ url: slapd.url });
  await client.bind(slapd.rootDn, slapd.rootPassword);
  const filter = `(modifyTimestamp>=${begun})`;
  const { searchEntries } = await client.search(base, { scope: 'sub', filter, attributes: ['1.1'] });
  await client.unbind();
  return searchEntries.length;
}

async function countEmbeddedWrites(data, begun) {
  return withEmbedded(data, async ({ service }) => {
    const filter = parseFilter(`(modifyTimestamp>=${begun})`);
    return (await service.search({ base: Dn.parse(base), scope: 'sub', filter, attributes: [] })).length;
  });
}

const loadEmbedded = (data, ldif) => withEmbedded(data, (directory) => directory.importLdif(ldif));

/** The embedded directory in a data folder, while no server has it open. */
async function withEmbedded(data, use) {
  const environment = await openEnvironment(data);
  try {
    const ports = { clock: systemClock, random: systemRandom };
    const directory = await openDirectory(environment, { base: Dn.parse(base), writers: [] }, ports);
    return await use(directory);
  } finally {
    await environment.close();
  }
}
