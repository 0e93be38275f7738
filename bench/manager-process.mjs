/** A Manager server in a process of its own, in front of a throwaway slapd, with its data in a scratch folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../packages/server-manager/dist/main.js', import.meta.url));

/**
 * @param nodeOptions for the process, as `--cpu-prof`
 * @returns {port, ca, admin, pid, stop}
 */
export async function startManager(slapd, nodeOptions = []) {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  const config = join(folder, 'config.yaml');
  const caFile = join(folder, 'slapd-ca.pem');
  await writeFile(caFile, slapd.ca);
  // JSON is YAML.
  await writeFile(config, JSON.stringify(configuration(slapd, { folder, caFile })), { mode: 0o600 });
  const child = spawn(process.execPath, [...nodeOptions, program, '--config', config], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const orphaned = () => child.kill('SIGKILL');
  process.once('exit', orphaned);
  const port = await listening(child);
  return {
    port,
    ca: await readFile(join(folder, 'ca.pem'), 'utf8'),
    admin: { username: slapd.adminDn, password: slapd.adminPassword },
    pid: child.pid,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      process.off('exit', orphaned);
      await rm(folder, { recursive: true });
    },
  };
}

function configuration(slapd, { folder, caFile }) {
  return {
    manager_auth: 'DN',
    manager_session: 300,
    super_admins: [slapd.adminDn],
    domains: { Default: { base: slapd.base } },
    directory: {
      type: 'ldap',
      urls: [slapd.ldapsUrl],
      ca: caFile,
      bind_dn: slapd.readerDn,
      bind_password: slapd.readerPassword,
      base: slapd.base,
    },
    data: folder,
    manager: { port: 0 },
    log: { level: 'warn' },
  };
}

/** The port that it says it listens on. */
function listening(child) {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
      const [, port] = /listens on https:\S+:(\d+)\//.exec(said) ?? [];
      if (port !== undefined) resolve(Number(port));
    });
    child.once('exit', () => reject(new Error('the Manager did not start')));
  });
}
