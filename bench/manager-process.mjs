/** A Manager server in a process of its own, in front of a throwaway slapd, with its data in a scratch folder. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ldapDirectory, startServer } from './server-process.mjs';

const program = fileURLToPath(new URL('../packages/server-manager/dist/main.js', import.meta.url));

const floorProgram = fileURLToPath(new URL('floors/manager-floor.mjs', import.meta.url));

/**
 * @param nodeOptions for the process, as `--cpu-prof`
 * @returns {port, ca, admin, pid, folder, stop}
 */
export async function startManager(slapd, nodeOptions = []) {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  const caFile = join(folder, 'slapd-ca.pem');
  await writeFile(caFile, slapd.ca);
  const configuration = configurationOf(slapd, { folder, caFile });
  const server = await startServer(program, { configuration, folder, nodeOptions });
  return {
    ...server,
    folder,
    ca: await readFile(join(folder, 'ca.pem'), 'utf8'),
    admin: { username: slapd.adminDn, password: slapd.adminPassword },
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** The least server that does as much, with the certificate of a Manager that runs. @returns {port, ca, admin, pid, stop} */
export async function startManagerFloor(slapd, { folder: from, ca, admin }) {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  const [caFile, tls] = [join(folder, 'slapd-ca.pem'), join(folder, 'tls.pem')];
  await writeFile(caFile, slapd.ca);
  await cp(join(from, 'tls-key.pem'), tls);
  const configuration = { ...ldapDirectory(slapd, caFile), tls };
  const server = await startServer(floorProgram, { configuration, folder });
  return {
    ...{ ...server, ca, admin },
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

function configurationOf(slapd, { folder, caFile }) {
  return {
    manager_auth: 'DN',
    manager_session: 300,
    super_admins: [slapd.adminDn],
    domains: { Default: { base: slapd.base } },
    directory: ldapDirectory(slapd, caFile),
    data: folder,
    manager: { port: 0 },
    log: { level: 'warn' },
  };
}
