/** One of our servers, or what it is compared with, in a process of its own that says where it listens. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the unit of systemd sets for its program: servers are measured as they are run. */
const environment = Object.fromEntries(
  readFileSync(new URL('../deploy/watchword-ws.service', import.meta.url), 'utf8')
    .match(/(?<=^Environment=).*$/m)[0]
    .split(' ')
    .map((one) => one.split(/=(.*)/)),
);

/**
 * @param program path of a module that takes `--config FILE`
 * @param options.configuration its settings
 * @param options.folder where they are written
 * @param options.nodeOptions for the process, as `--cpu-prof`
 * @returns {port, pid, stop}
 */
export async function startServer(program, { configuration, folder, nodeOptions = [] }) {
  const config = join(folder, 'config.yaml');
  // JSON is YAML.
  await writeFile(config, JSON.stringify(configuration), { mode: 0o600 });
  const child = spawn(process.execPath, [...nodeOptions, program, '--config', config], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const orphaned = () => child.kill('SIGKILL');
  process.once('exit', orphaned);
  const port = await listening(child, program);
  return {
    port,
    pid: child.pid,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      process.off('exit', orphaned);
    },
  };
}

/** The settings of a server in front of a throwaway slapd. @param caFile where slapd's authority stands */
export const ldapDirectory = (slapd, caFile) => ({
  type: 'ldap',
  urls: [slapd.ldapsUrl],
  ca: caFile,
  bind_dn: slapd.readerDn,
  bind_password: slapd.readerPassword,
  base: slapd.base,
});

/** The port that it says it listens on. */
function listening(child, program) {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
      const [, port] = /listens on https:\S+:(\d+)\//.exec(said) ?? [];
      if (port !== undefined) resolve(Number(port));
    });
    child.once('exit', () => reject(new Error(`${program} did not start`)));
  });
}
