/** A Linux system that knows its users by nslcd, and has them log in by PAM: against the LDAP door of a real server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Dn } from '@watchword/core';
import { openEngines, type RunningServers, readConfiguration, startServers } from '@watchword/core/start';
import { KeptLog } from '@watchword/core/testing';
import { webServiceCommand } from '@watchword/server-ws';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { unpackedFolder } from '../../scripts/debian.mjs';

const base = 'dc=example,dc=com';
const password = 'Correct-Horse-7';

const settings = `
data: data
directory: {type: embedded, base: "${base}"}
domains: {Default: {base: "${base}"}}
super_admins: ["uid=admin,${base}"]
ws: {port: 0}
ldap_door: {ldaps_port: 0}
`;

let folder: string;
let running: RunningServers;
let system: ChildProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-nslcd-'));
  await writeFile(join(folder, 'watchword.yaml'), settings, { mode: 0o600 });
  const { config } = readConfiguration(join(folder, 'watchword.yaml'), {});
  const engines = await openEngines(config, new KeptLog());
  await engines.directory.service.add(
    Dn.parse(`uid=admin,${base}`),
    new Map([
      ['objectclass', ['inetOrgPerson']],
      ...Object.entries({ cn: 'admin', sn: 'admin', userpassword: password }).map(
        ([name, value]) => [name, [value]] as const,
      ),
    ]),
  );
  running = await startServers([webServiceCommand], config, engines);
  await addPeople(running);
  system = await startSystem(folder, running.doors[0]?.port ?? 0);
});
afterAll(async () => {
  if (system && system.exitCode === null) {
    system.kill('SIGTERM');
    await once(system, 'close');
  }
  await running?.close();
  await rm(folder, { recursive: true, force: true });
});

const alice = `uid=alice,${base}`;

async function addPeople({ service }: RunningServers): Promise<void> {
  const { manager, close } = await service.manager.login({ username: 'admin', password });
  const classes = ['inetOrgPerson', 'webadmAccount', 'posixAccount'];
  const posix = {
    uidnumber: 20_001,
    gidnumber: 20_000,
    homedirectory: '/home/alice',
    loginshell: '/bin/bash',
  };
  await manager.Create_LDAP_Object({
    dn: `ou=systems,${base}`,
    attrs: { objectclass: 'organizationalUnit' },
  });
  const own = { cn: 'Alice', sn: 'Liddell', userpassword: password };
  await manager.Create_LDAP_Object({ dn: alice, attrs: { ...own, ...posix, objectclass: classes } });
  const lookups = `uid=lookups,ou=systems,${base}`;
  await manager.Create_LDAP_Object({ dn: lookups, attrs: { ...own, objectclass: classes.slice(0, 2) } });
  await manager.Set_User_Settings({ dn: lookups, settings: { 'Otp.LoginMode': 'LDAP' } });
  await close();
}

/** Of alice, good once. */
async function newCode(): Promise<string> {
  const { manager, close } = await running.service.manager.login({ username: 'admin', password });
  const code = await manager.Otp.Emerg_Register({ dn: alice, expires: 600, maxuse: 1 });
  await close();
  return String(code);
}

/** Another /etc and another /run, in which nslcd runs; ended with its process. */
async function startSystem(place: string, port: number): Promise<ChildProcess> {
  const etc = join(place, 'etc');
  await mkdir(join(etc, 'pam.d'), { recursive: true });
  for (const name of ['passwd', 'group', 'hosts', 'ld.so.cache'])
    if (existsSync(`/etc/${name}`)) await cp(`/etc/${name}`, join(etc, name));
  const own = (name: string) => readFile(new URL(name, import.meta.url), 'utf8');
  const conf = (await own('nslcd.conf'))
    .replace('login.example.com/', `localhost:${port}/`)
    .replaceAll('dc=example,dc=com', base)
    .replace('the-password-of-lookups', password);
  await writeFile(join(etc, 'nslcd.conf'), conf, { mode: 0o600 });
  await cp(join(place, 'data', 'ca.pem'), join(etc, 'watchword-ca.pem'));
  await writeFile(
    join(etc, 'nsswitch.conf'),
    'passwd: files ldap\ngroup: files ldap\nshadow: files\nhosts: files\n',
  );
  const modules = join(unpackedFolder, 'lib/x86_64-linux-gnu/security');
  const service = (await own('watchword')).replaceAll('pam_ldap.so', join(modules, 'pam_ldap.so'));
  await writeFile(join(etc, 'pam.d', 'watchword'), service);
  const script = `mount --bind "$1" /etc && mount -t tmpfs tmpfs /run && mkdir /run/nslcd && exec "$2/usr/sbin/nslcd" -d`;
  const child = spawn('unshare', ['-m', 'sh', '-c', script, 'nslcd', etc, unpackedFolder]);
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => said.push(String(bytes)));
  for (let tries = 0; !said.join('').includes('accepting connections'); tries += 1) {
    if (child.exitCode !== null || tries > 200) throw new Error(`nslcd does not run: ${said.join('')}`);
    await sleep(50);
  }
  return child;
}

/** A program of that system. */
function there(program: string, args: readonly string[]) {
  const env = { ...process.env, LD_LIBRARY_PATH: join(unpackedFolder, 'lib/x86_64-linux-gnu') };
  const inside = ['-t', String(system.pid), '-m', program, ...args];
  const child = spawn('nsenter', inside, { env });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => said.push(String(bytes)));
  return {
    child,
    ended: once(child, 'close').then(([code]) => ({ code: code as number, said: said.join('') })),
  };
}

async function authenticate(username: string, typed: string) {
  const { child, ended } = there('pamtester', ['watchword', username, 'authenticate', 'acct_mgmt']);
  child.stdin.end(`${typed}\n`);
  return ended;
}

it('knows its users', async () => {
  const { ended } = there('getent', ['passwd', 'alice']);
  expect(await ended).toEqual({ code: 0, said: 'alice:*:20001:20000:Alice:/home/alice:/bin/bash\n' });
});

it('lets in whoever types the password and a code, once', async () => {
  for (let times = 0; times < 2; times += 1) {
    const typed = password + (await newCode());
    expect(await authenticate('alice', typed)).toMatchObject({ code: 0 });
    expect(await authenticate('alice', typed)).toMatchObject({ code: 1 });
  }
});

it.each([
  ['a wrong password', 'alice', 'wrong'],
  ['the password without a code', 'alice', password],
  ['nobody', 'nobody-here', password],
])('refuses %s', async (_, username, typed) => {
  expect(await authenticate(username, typed)).toMatchObject({ code: 1 });
});
