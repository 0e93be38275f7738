/**
 * Roles that are made at run time, in real processes: they count at the next request of another server on the same data folder, come back
 * with a copy of it, and give way to a role of the configuration that gets their name later.
 */
import { copyFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManager, type Manager } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { buildProgram, type Program, type Started, start } from './program.ts';

const base = 'dc=example,dc=com';
const people = `ou=people,${base}`;
const bob = `uid=bob,${people}`;
const [first, password] = ['the password of the first day', 'the password of bob'];
const desk = {
  ...{ name: 'desk', members: [bob], subtrees: [people] },
  ...{ methods: ['Set_User_Attrs', 'Get_User_Attrs'], write: ['mail'] },
};

let program: Program;
let folder: string;
const at = (...names: readonly string[]) => join(folder, ...names);
const asked = (...args: readonly string[]) =>
  start([...args, '-c', at('watchword.yaml')], program.command).ended;
beforeAll(async () => {
  program = await buildProgram();
  folder = await mkdtemp(join(tmpdir(), 'watchword-roles-'));
  await writeFile(at('password'), first, { mode: 0o600 });
  expect((await asked('init', '--base', base, '--password-file', at('password'))).code).toBe(0);
  const made = await readFile(at('watchword.yaml'), 'utf8');
  await writeFile(at('watchword.yaml'), made.replace('port: 4443', 'port: 0'), { mode: 0o600 });
});
afterAll(async () => {
  await program.dispose();
  await rm(folder, { recursive: true });
});

interface Server {
  readonly started: Started;
  readonly admin: Manager;
  readonly bob: Manager;
}

async function serve(): Promise<Server> {
  const started = start(['-c', at('watchword.yaml')], program.command);
  onTestFinished(() => void started.child.kill('SIGKILL'));
  const url = `${(await started.prints(/https:\S+(?=\n)/)).replace(/\/$/, '')}/manag/`;
  const { fetch, close } = nodeTransport({ ca: await readFile(at('data', 'ca.pem'), 'utf8') });
  onTestFinished(close);
  const as = (username: string, text: string) => createManager({ url, username, password: text, fetch });
  return { started, admin: as('admin', first), bob: as('bob', password) };
}

async function stop(...servers: readonly Server[]): Promise<void> {
  for (const { started } of servers) started.child.kill('SIGTERM');
  for (const { started } of servers) expect((await started.ended).code).toBe(0);
}

const setMail = (manager: Manager, mail: string) =>
  manager.Set_User_Attrs({ dn: bob, attrs: { mail } }).catch((error: { reason: string }) => error.reason);

it('a role counts at the next request of another process, which lets its members write, until it is removed', async () => {
  const [one, two] = await Promise.all([serve(), serve()]);
  const attrs = {
    objectclass: ['inetOrgPerson', 'webadmAccount'],
    cn: 'Bob',
    sn: 'B',
    userpassword: password,
  };
  await one.admin.Create_LDAP_Object({ dn: bob, attrs });
  expect(await setMail(two.bob, 'a@example.com')).toBe('credentials_refused');
  await one.admin.Set_Role(desk);
  expect(await setMail(two.bob, 'a@example.com')).toBe(1);
  await two.admin.Set_Role({ ...desk, write: [] });
  expect(await setMail(one.bob, 'b@example.com')).toBe('permission_denied');
  expect(await one.admin.Remove_Role({ name: 'DESK' })).toBe(true);
  expect(await setMail(two.bob, 'c@example.com')).toBe('credentials_refused');
  const events = await two.admin.Search_Event_Logs({ application: 'Manager', text: '_Role name="' });
  expect(JSON.stringify(events).match(/(?:Set|Remove)_Role name=/g)).toEqual([
    ...['Remove_Role name=', 'Set_Role name=', 'Set_Role name='],
  ]);
  await stop(one, two);
});

it('a role comes back with a copy of the folder, and counts', async () => {
  const before = await serve();
  await before.admin.Set_Role(desk);
  expect((await asked('backup', at('copy'))).code).toBe(0);
  await before.admin.Remove_Role({ name: 'desk' });
  await stop(before);
  await rename(at('data'), at('lost'));
  await rename(at('copy'), at('data'));
  await copyFile(at('lost', 'keys'), at('data', 'keys'));
  expect((await asked('restored', '--yes')).code).toBe(0);
  const after = await serve();
  expect(await after.admin.List_Roles()).toMatchObject([{ ...desk, source: 'portal' }]);
  expect(await setMail(after.bob, 'd@example.com')).toBe(1);
  await stop(after);
});

it('a role of the configuration that gets its name later is the one that counts', async () => {
  const row = `{members: ["${bob}"], methods: [Get_User_Attrs], subtrees: ["${people}"]}`;
  const made = await readFile(at('watchword.yaml'), 'utf8');
  await writeFile(at('watchword.yaml'), `${made}\nroles: {Desk: ${row}}\n`, { mode: 0o600 });
  const server = await serve();
  expect(await setMail(server.bob, 'e@example.com')).toBe('permission_denied');
  expect(await server.bob.Get_User_Attrs({ dn: bob, attrs: ['mail'] })).toEqual({ mail: ['d@example.com'] });
  const listed = await server.admin.List_Roles();
  expect(listed.map(({ name, source }) => [name, source])).toEqual([
    ['Desk', 'configuration'],
    ['desk', 'portal'],
  ]);
  expect(await server.admin.Remove_Role({ name: 'desk' })).toBe(true);
  expect(await server.admin.List_Roles()).toHaveLength(1);
  await stop(server);
});
