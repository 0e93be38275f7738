/**
 * Servers with data folders of their own in front of one OpenLDAP, and folders that were copied: real processes. Which
 * folder is in use, the directory remembers; the rights are those of docs/guide/directories.md.
 *
 * Seen to fail with the guard taken out: in packages/cli/src/command.ts, start without `checkStore`; in doors/operator/checks/survey.ts,
 * leave the marks out.
 */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, type Slapd, startSlapd } from '@watchword/core/testing/bed';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { buildProgram, type Program, start } from './program.ts';

const base = 'dc=example,dc=com';
const service = `cn=watchword,ou=services,${base}`;

/** As the guide has the rights of the service: to set passwords and to write `webadmData`, and nothing more. */
const access = `access to dn.subtree="${base}" attrs=userPassword
  by dn.exact="${service}" =w
  by anonymous auth
access to dn.subtree="${base}" attrs=webadmData
  by dn.exact="${service}" write
access to dn.subtree="${base}"
  by dn.exact="${service}" read
  by users read`;

const ldif = (classOfPeople: string) => `dn: ${base}
objectClass: organization
objectClass: dcObject
o: Example
dc: example

dn: ou=people,${base}
objectClass: organizationalUnit
${classOfPeople}ou: people

dn: ou=services,${base}
objectClass: organizationalUnit
ou: services

dn: ${service}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: watchword
userPassword: of the service

dn: uid=admin,ou=people,${base}
objectClass: inetOrgPerson
objectClass: webadmAccount
uid: admin
cn: admin
sn: admin
userPassword: Adm1n-of-all
`;

let program: Program;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.dispose());

let folder: string;
let slapd: Slapd;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-stores-'));
  slapd = await startSlapd({ base, access, ldif: ldif('objectClass: webadmGroup\n') });
  return async () => {
    await slapd.stop();
    await rm(folder, { recursive: true });
  };
});

/** A configuration with a data folder of this name. */
async function configure(name: string, more = '', { ldapsUrl, ca } = slapd): Promise<string> {
  const [port] = await freePorts(1);
  await writeFile(join(folder, 'ca.pem'), ca);
  const file = join(folder, `${name}.yaml`);
  const text = `data: ${name}
directory:
  type: ldap
  urls: [${ldapsUrl}]
  ca: ca.pem
  base: ${base}
  bind_dn: ${service}
  bind_password: of the service
domains: {Default: {base: "ou=people,${base}"}}
super_admins: ["uid=admin,ou=people,${base}"]
manager: {port: ${port}}
${more}`;
  await writeFile(file, text, { mode: 0o600 });
  return file;
}

/** Runs a server until it listens, and ends it. @returns what it wrote to standard error */
async function serve(file: string): Promise<string> {
  const server = start(['-c', file], program.command);
  onTestFinished(() => void server.child.kill('SIGKILL'));
  await server.prints(/listens on/);
  server.child.kill('SIGTERM');
  return (await server.ended).errors;
}

const refused = async (...args: readonly string[]) => {
  const { code, errors } = await start(args, program.command).ended;
  expect(code).toBe(1);
  return errors;
};

const another = new RegExp(
  `ou=people,${base}: servers with another data folder use this directory too, last at .+ UTC.+stores: separate for all of them`,
);

it('a server with another data folder does not start, nor is its configuration good, unless they are to be separate', async () => {
  const [first, second] = [await configure('first'), await configure('second')];
  await serve(first);
  expect(await refused('-c', second, '--check')).toMatch(another);
  expect(await refused('-c', second)).toMatch(another);
  expect(await refused('-c', second, '--check')).toMatch(another);
  const separate = await Promise.all(
    ['first', 'second'].map((name) => configure(name, 'stores: separate\n')),
  );
  for (const file of separate) await serve(file);
  const checked = await start(['-c', separate[1] ?? '', '--check'], program.command).ended;
  expect([checked.code, checked.errors]).toEqual([0, '']);
});

it('both servers of one data folder start, and again', async () => {
  const file = await configure('first');
  const web = [process.execPath, program.modules['watchword-ws']];
  for (let round = 0; round < 2; round += 1) {
    await serve(file);
    const server = start(['-c', await configure('first', 'ws: {port: 0}\nlog: {level: error}\n')], web);
    await server.prints(/listens on/);
    server.child.kill('SIGTERM');
    expect((await server.ended).errors).toBe('');
  }
});

it.each([
  [
    ['data.mdb'],
    'is older than what the servers have written there: a copy was put back over it. Type this first: watchword-manager restored --config FILE',
  ],
  // As a snapshot of the machine: nothing in the folder tells.
  [
    ['data.mdb', 'lock.mdb', 'run-*'],
    `the data folder is older than the directory remembers it (noted on ou=people,${base})`,
  ],
])('notices a data folder where %j were set back in their place', async (names, sentence) => {
  const file = await configure('first');
  await serve(file);
  const data = join(folder, 'first');
  await cp(data, join(folder, 'snapshot'), { recursive: true });
  await serve(file);
  // Into the same files: what is about the files themselves does not tell it.
  if (names.includes('run-*'))
    for (const name of await readdir(data)) if (name.startsWith('run-')) await rm(join(data, name));
  for (const name of await readdir(join(folder, 'snapshot')))
    if (names.includes(name) || (names.includes('run-*') && name.startsWith('run-')))
      await writeFile(join(data, name), await readFile(join(folder, 'snapshot', name)));
  expect(await refused('-c', file, '--check')).toContain(sentence);
  expect(await refused('-c', file)).toContain(sentence);
});

it('begins with an empty database only where `restored` was told of which moment the lost one was', async () => {
  const file = await configure('first');
  await serve(file);
  await rm(join(folder, 'first', 'data.mdb'));
  expect(await refused('-c', file)).toContain('data.mdb is missing in the data folder');
  const moment = new Date(Date.now() - 60_000).toISOString().slice(0, 19).replace('T', ' ');
  const restored = await start(['restored', '--yes', '--taken', moment, '-c', file], program.command).ended;
  expect({ code: restored.code, errors: restored.errors }).toEqual({ code: 0, errors: '' });
  await serve(file);
});

it('a server whose directory can keep no mark says so, and starts', async () => {
  const bare = await startSlapd({ base, access, ldif: ldif('') });
  onTestFinished(() => bare.stop());
  const file = await configure('first', 'log: {level: error}\n', bare);
  const { code, errors } = await start(['-c', file, '--check'], program.command).ended;
  expect(code).toBe(0);
  expect(errors).toContain(
    `Warning: neither ou=people,${base} nor ${service} can keep which data folder is in use, so servers with another one would not be noticed; give one of them the class webadmGroup, and the service write access to its webadmData, as docs/guide/directories.md says.`,
  );
  await serve(file);
});
