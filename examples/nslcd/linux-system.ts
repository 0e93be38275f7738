/** For the tests of nslcd and SSSD: a server with people behind its LDAP door, and a Linux system that asks it. Needs root. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Dn } from '@watchword/core';
import { openEngines, type RunningServers, readConfiguration, startServers } from '@watchword/core/start';
import { KeptLog } from '@watchword/core/testing';
import { webServiceCommand } from '@watchword/server-ws';
import { unpackedFolder } from '../../scripts/debian.mjs';

const base = 'dc=example,dc=com';
export const password = 'Correct-Horse-7';

const settings = `
data: data
directory: {type: embedded, base: "${base}"}
domains: {Default: {base: "${base}"}}
super_admins: ["uid=admin,${base}"]
ws: {port: 0}
ldap_door: {ldaps_port: 0}
`;

export interface LdapDoor {
  readonly folder: string;
  /** An authority's certificate, PEM. */
  readonly ca: string;
  /** Of a file of an example with the names of its guide: those of this server. */
  named(text: string): string;
  /** A code of alice, good once. */
  newCode(): Promise<string>;
  close(): Promise<void>;
}

export async function openLdapDoor(): Promise<LdapDoor> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-linux-'));
  await writeFile(join(folder, 'watchword.yaml'), settings, { mode: 0o600 });
  const { config } = readConfiguration(join(folder, 'watchword.yaml'), {});
  const engines = await openEngines(config, new KeptLog());
  const own = { objectclass: ['inetOrgPerson'], cn: ['admin'], sn: ['admin'], userpassword: [password] };
  await engines.directory.service.add(Dn.parse(`uid=admin,${base}`), new Map(Object.entries(own)));
  const running = await startServers([webServiceCommand], config, engines);
  const alice = await addPeople(running);
  const port = running.doors[0]?.port ?? 0;
  return {
    folder,
    ca: join(folder, 'data', 'ca.pem'),
    named: (text) =>
      text
        .replace('ldaps://login.example.com', `ldaps://localhost:${port}`)
        .replace('the-password-of-lookups', password),
    newCode: async () => {
      const { manager, close } = await running.service.manager.login({ username: 'admin', password });
      const code = await manager.Otp.Emerg_Register({ dn: alice, expires: 600, maxuse: 1 });
      await close();
      return String(code);
    },
    close: async () => {
      await running.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @returns the DN of alice, who has an account of Linux */
async function addPeople({ service }: RunningServers): Promise<string> {
  const { manager, close } = await service.manager.login({ username: 'admin', password });
  const classes = ['inetOrgPerson', 'webadmAccount'];
  const own = { cn: 'Alice', sn: 'Liddell', userpassword: password };
  const posix = {
    uidnumber: 20_001,
    gidnumber: 20_000,
    homedirectory: '/home/alice',
    loginshell: '/bin/bash',
  };
  const alice = `uid=alice,${base}`;
  const lookups = `uid=lookups,ou=systems,${base}`;
  await manager.Create_LDAP_Object({
    dn: `ou=systems,${base}`,
    attrs: { objectclass: 'organizationalUnit' },
  });
  await manager.Create_LDAP_Object({
    dn: alice,
    attrs: { ...own, ...posix, objectclass: [...classes, 'posixAccount'] },
  });
  await manager.Create_LDAP_Object({
    dn: `cn=staff,${base}`,
    attrs: { objectclass: 'posixGroup', gidnumber: 20_002, memberuid: 'alice' },
  });
  await manager.Create_LDAP_Object({ dn: lookups, attrs: { ...own, objectclass: classes } });
  await manager.Set_User_Settings({ dn: lookups, settings: { 'Otp.LoginMode': 'LDAP' } });
  await close();
  return alice;
}

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
      if (child.exitCode !== null) return;
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
