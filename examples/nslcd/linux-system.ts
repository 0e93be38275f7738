/** A Linux system that knows its users by a daemon, for the tests of nslcd and SSSD. Needs root. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { unpackedFolder } from '../../scripts/debian.mjs';
import { password } from './ldap-door.ts';

export interface LinuxSystem {
  /** Runs a program in it. @returns its exit code, and what it said */
  run(program: string, args: readonly string[], typed?: string): Promise<{ code: number; said: string }>;
  /** Types a password where the service `watchword` of PAM asks for it. */
  authenticate(username: string, typed: string): Promise<{ code: number; said: string }>;
  stop(): Promise<void>;
}

/**
 * Starts a daemon in a file system of its own, with the unpacked packages of Debian: nothing of this machine changes.
 * @param etc files of `/etc` by their names
 */
export async function startLinux(
  folder: string,
  { etc, daemon }: { readonly etc: Readonly<Record<string, string>>; readonly daemon: readonly string[] },
): Promise<LinuxSystem> {
  const place = join(folder, 'etc');
  await mkdir(place);
  for (const name of ['passwd', 'group', 'hosts', 'ld.so.cache'])
    if (existsSync(`/etc/${name}`)) await cp(`/etc/${name}`, join(place, name));
  for (const [name, text] of Object.entries(etc)) {
    await mkdir(dirname(join(place, name)), { recursive: true });
    await writeFile(join(place, name), text, { mode: text.includes(password) ? 0o600 : 0o644 });
  }
  const child = spawn('unshare', ['-m', 'sh', '-c', mounts, 'linux', place, unpackedFolder, ...daemon]);
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => said.push(String(bytes)));
  const run = (program: string, args: readonly string[], typed?: string) =>
    inside(child, [program, ...args], typed);
  for (let tries = 0; (await run('getent', ['passwd', 'alice'])).code !== 0; tries += 1) {
    if (child.exitCode !== null || tries > 200)
      throw new Error(`${daemon[0]} does not run: ${said.join('')}`);
    await sleep(50);
  }
  return {
    run,
    authenticate: (username, typed) =>
      run('pamtester', ['watchword', username, 'authenticate', 'acct_mgmt'], typed),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'close');
    },
  };
}

/** A `/run` and a `/var` that go with the daemon, and its packages laid over `/usr`. */
const mounts = `
set -e
etc=$1 unpacked=$2
shift 2
mount -t tmpfs tmpfs /run
mkdir /run/nslcd /run/upper /run/work
cp -a "$unpacked/var" /run/var
mount -t overlay overlay -o "lowerdir=$unpacked/usr:/usr" /usr
mount -t overlay overlay -o "lowerdir=$unpacked/lib:/usr/lib" /usr/lib
mount -t overlay overlay -o "lowerdir=/run/var:/var,upperdir=/run/upper,workdir=/run/work" /var
mount --bind "$etc" /etc
exec "$@"
`;

async function inside(
  { pid }: ChildProcess,
  command: readonly string[],
  typed?: string,
): Promise<{ code: number; said: string }> {
  const child = spawn('nsenter', ['-t', String(pid), '-m', ...command]);
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => said.push(String(bytes)));
  child.stdin.on('error', () => {}).end(typed === undefined ? '' : `${typed}\n`);
  const [code] = await once(child, 'close');
  return { code, said: said.join('') };
}
