/**
 * A data folder that was put back, under real servers: codes of every kind are used after the copy, over HTTPS, in front
 * of an embedded directory and of OpenLDAP. Then a restore that is killed in the middle.
 *
 * Seen to fail with the guard taken out: in doors/operator/restoration/restore.ts, leave out `adopt`; in doors/operator/restoration/restore-run.ts, let
 * `noteIn` note nothing.
 */
import { copyFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfiguration } from '@watchword/cli';
import { createWebServices } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { type Credentials, createService, Dn, type ManagerCalls, serviceSettings } from '@watchword/core';
import { KeptLog } from '@watchword/core/testing';
import { scratchFolder, startSlapd } from '@watchword/core/testing/bed';
import { openEngines } from '@watchword/engines';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { codeAt, key } from '../login/people.ts';
import { buildProgram, killedWhenItTells, type Program, type Started, start } from './program.ts';

let program: Program;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.dispose());

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await scratchFolder('put-back');
  file = join(folder, 'watchword.yaml');
});
afterEach(() => rm(folder, { recursive: true }));

const manager = (...args: readonly string[]): Started => start([...args, '-c', file], program.command);
const typed = (...args: readonly string[]) => manager(...args).ended;

/** The directory that the users stand in, and the lines of the configuration that name it. */
interface Stand {
  readonly people: string;
  readonly directory: string;
  /** By the DN. */
  readonly admin: Credentials;
}

const stands: Readonly<Record<string, () => Promise<Stand>>> = {
  'an embedded directory': async () => ({
    people: 'dc=example,dc=org',
    directory: 'directory: {type: embedded, base: "dc=example,dc=org"}',
    admin: { username: 'uid=admin,dc=example,dc=org', password: 'Adm1n-of-all-of-it' },
  }),
  OpenLDAP: async () => {
    const slapd = await startSlapd();
    onTestFinished(() => slapd.stop());
    await writeFile(join(folder, 'ldap-ca.pem'), slapd.ca);
    const bind = `bind_dn: "${slapd.rootDn}", bind_password: "${slapd.rootPassword}"`;
    return {
      people: slapd.people,
      directory: `directory: {type: ldap, urls: [${slapd.ldapsUrl}], ca: ldap-ca.pem, base: "${slapd.base}", ${bind}}`,
      admin: { username: slapd.adminDn, password: slapd.adminPassword },
    };
  },
};

const configure = ({ people, directory, admin }: Stand) =>
  writeFile(
    file,
    `data: data
${directory}
super_admins: ["${admin.username}"]
domains: {Default: {base: "${people}"}}
manager_auth: DN
log: {level: error}
limits: {login_failure_delay_ms: 0}
settings: {Otp.LoginMode: OTP, Otp.MaxTries: 1000, Otp.OTPFallback: LIST}
ws: {port: 0}
manager: {port: 0}
`,
    { mode: 0o600 },
  );

/** The folder while no server has it open, with the Manager in process. @param older as it was put back */
async function withFolder<T>(
  { admin }: Stand,
  work: (calls: ManagerCalls) => Promise<T>,
  older = false,
): Promise<T> {
  const { config } = readConfiguration(file, {});
  const engines = await openEngines(config, new KeptLog(), { older });
  const service = createService(serviceSettings(config), engines);
  try {
    const dn = Dn.parse(admin.username);
    const { service: directory } = engines.directory;
    if (!(await directory.read(dn, ['1.1']))) {
      const attributes = { objectclass: ['inetOrgPerson'], cn: ['a'], sn: ['a'] };
      await directory.add(dn, new Map(Object.entries({ ...attributes, userpassword: [admin.password] })));
    }
    const session = await service.manager.login(admin);
    const done = await work(session.manager);
    await session.close();
    return done;
  } finally {
    await service.close();
    await engines.close();
  }
}

async function addUser(calls: ManagerCalls, dn: string): Promise<void> {
  const [, uid = ''] = /^uid=([^,]+)/.exec(dn) ?? [];
  const attrs = { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: uid, sn: uid, uid };
  await calls.Create_LDAP_Object({ dn, attrs });
}

/** Somebody with each kind. @returns the codes of the list */
async function makePeople(stand: Stand): Promise<readonly string[]> {
  return withFolder(stand, async (calls) => {
    const dnOf = (uid: string) => `uid=${uid},${stand.people}`;
    for (const uid of ['hotp', 'totp', 'list', 'emergency']) await addUser(calls, dnOf(uid));
    await calls.Otp.HOTP_Register({ dn: dnOf('hotp'), key });
    await calls.Otp.TOTP_Register({ dn: dnOf('totp'), key });
    await calls.Otp.List_Register({ dn: dnOf('list') });
    await calls.Otp.Emerg_Register({ dn: dnOf('emergency'), otp: 'help-me-now', expires: 3600, maxuse: 2 });
    return Object.values((await calls.Otp.List_Fetch({ dn: dnOf('list') })) as object).map(String);
  });
}

interface Server {
  readonly login: (username: string, otpPassword: string) => Promise<number>;
  stop(): Promise<void>;
}

/** The web services on the folder, as a process. */
async function serve(): Promise<Server> {
  const server = start(['--config', file], [process.execPath, program.modules['watchword-ws']]);
  const url = (await server.prints(/https:\S+(?=\n)/)).replace(/\/$/, '');
  const { fetch, close } = nodeTransport({ ca: await readFile(join(folder, 'data', 'ca.pem'), 'utf8') });
  const web = createWebServices({ url, fetch });
  return {
    login: async (username, otpPassword) => (await web.otp.normalLogin({ username, otpPassword })).code,
    stop: async () => {
      await close();
      server.child.kill('SIGTERM');
      expect(await server.ended).toMatchObject({ code: 0 });
    },
  };
}

async function whileServing<T>(work: (server: Server) => Promise<T>): Promise<T> {
  const server = await serve();
  const done = await work(server);
  await server.stop();
  return done;
}

async function putBack(): Promise<void> {
  await rename(join(folder, 'data'), join(folder, 'lost'));
  await rename(join(folder, 'copy'), join(folder, 'data'));
  await copyFile(join(folder, 'lost', 'keys'), join(folder, 'data', 'keys'));
}

type Codes = readonly (readonly [username: string, code: string])[];
async function use({ login }: Server, codes: Codes): Promise<readonly number[]> {
  const answers: number[] = [];
  for (const [username, code] of codes) answers.push(await login(username, code));
  return answers;
}

describe.each(Object.keys(stands))('in front of %s', (name) => {
  it('no code that was used after the copy is good again', async () => {
    const stand = await stands[name]?.();
    if (!stand) throw new Error(name);
    await configure(stand);
    const list = await makePeople(stand);
    await whileServing(async () => {
      expect(await typed('backup', join(folder, 'copy'))).toMatchObject({ code: 0, errors: '' });
    });
    // A start later OpenLDAP remembers more of the folder than the copy knows of itself.
    const codes = await whileServing(async (server) => {
      const used: Codes = [
        ['hotp', codeAt(0)],
        ['totp', codeAt(Math.floor(Date.now() / 30_000))],
        ['list', list[3] ?? ''],
        ['emergency', 'help-me-now'],
      ];
      expect(await use(server, used)).toEqual([1, 1, 1, 1]);
      return used;
    });
    await putBack();
    for (const module of Object.values(program.modules)) {
      const { code, errors } = await start(['--config', file], [process.execPath, module]).ended;
      expect([code, errors]).toEqual([
        1,
        expect.stringMatching(/is a copy that was taken on .* restored --config FILE\n$/),
      ]);
    }
    const result = await typed('restored', '--yes');
    expect({ code: result.code, errors: result.errors }).toEqual({ code: 0, errors: '' });
    await whileServing(async (server) => {
      const [hotp, totp, ofList, emergency] = codes;
      expect(
        await use(
          server,
          [hotp, totp, ofList].flatMap((one) => (one ? [one] : [])),
        ),
      ).toEqual([0, 0, 0]);
      const next: Codes = [['hotp', codeAt(1)], ['list', list[4] ?? ''], ...(emergency ? [emergency] : [])];
      // What OpenLDAP keeps is newer than the folder: the next codes are good, and the second use of two.
      expect(await use(server, next)).toEqual(name === 'OpenLDAP' ? [1, 1, 1] : [0, 0, 0]);
      if (name !== 'OpenLDAP') expect(await server.login('hotp', codeAt(26))).toBe(1);
      else expect(await use(server, emergency ? [emergency] : [])).toEqual([0]);
    });
  });
});

it('a restore that is killed in the middle is begun again, and raises nobody twice', async () => {
  const stand = await stands['an embedded directory']?.();
  if (!stand) throw new Error('no directory');
  const names = Array.from({ length: 200 }, (_, number) => `uid=user${number},${stand.people}`);
  await configure(stand);
  await withFolder(stand, async (calls) => {
    for (const dn of names) {
      await addUser(calls, dn);
      await calls.Otp.HOTP_Register({ dn, key });
    }
  });
  expect(await typed('backup', join(folder, 'copy'))).toMatchObject({ code: 0 });
  await putBack();
  const states = () =>
    withFolder(
      stand,
      async (calls) => {
        const data = await Promise.all(
          names.map((dn) => calls.Get_User_Data({ dn, data: ['Otp.TokenState'] })),
        );
        return data.map((each) => Buffer.from(String(Object.values(each)[0]), 'base64').toString());
      },
      true,
    );

  // It tells so once when it looks, and once when it writes.
  const command = killedWhenItTells(program.command, /^100 entries$/m, 2);
  expect(await start(['restored', '--yes', '-c', file], command).ended).toMatchObject({ code: null });
  const halfway = await states();
  expect(new Set(halfway)).toEqual(new Set(['0', '26']));
  const server = await start(['--config', file], [process.execPath, program.modules['watchword-ws']]).ended;
  expect([server.code, server.errors]).toEqual([
    1,
    expect.stringContaining('has begun, and not come to its end'),
  ]);

  expect(await typed('restored', '--yes')).toMatchObject({ code: 0 });
  expect(new Set(await states())).toEqual(new Set(['26']));
  await whileServing(async ({ login }) => {
    expect([await login('user0', codeAt(25)), await login('user0', codeAt(26))]).toEqual([0, 1]);
  });
});
