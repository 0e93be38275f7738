/** Two nodes that share nothing but a directory and a database: as operators begin them, and as people log in to them. */
import { createSecretKey } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEngines } from '@watchword/engines';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readConfiguration } from '../../../cli/src/index.ts';
import { serviceSettings } from '../../../core/src/config/config.ts';
import { totp } from '../../../core/src/foundation/oath/totp.ts';
import { createService } from '../../../core/src/index.ts';
import type { Service } from '../../../core/src/service.ts';
import { webRequest } from '../../../core/src/testing/bed/children/echo.ts';
import { runCommandLine } from '../../../core/src/testing/bed/engines/command-line.ts';
import { type PostgresServer, startPostgres } from '../../../core/src/testing/bed/engines/postgres.ts';
import { type Slapd, startSlapd } from '../../../core/src/testing/bed/engines/slapd.ts';
import { run, scratchFolder } from '../../../core/src/testing/bed/scratch.ts';
import { KeptLog } from '../../../core/src/testing/kept-log.ts';

let folder: string;
let slapd: Slapd;
let postgres: PostgresServer;
let database: string;
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await scratchFolder('nodes');
  [slapd, postgres] = await Promise.all([startSlapd({ users: 2 }), startPostgres()]);
  database = await postgres.createDatabase();
  await writeFile(at('ldap-ca.pem'), slapd.ca);
  await writeFile(at('database-ca.pem'), postgres.ca);
  await writeFile(at('owner-password'), `${postgres.owner.password}\n`, { mode: 0o600 });
  await writeFile(at('node-password'), `${postgres.node.password}\n`, { mode: 0o600 });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const extensions = [
    '-addext',
    'basicConstraints=critical,CA:TRUE',
    '-addext',
    'keyUsage=critical,keyCertSign,cRLSign',
  ];
  const files = ['-keyout', at('ca-key.pem'), '-out', at('ca.pem')];
  await run('openssl', ['req', '-x509', ...key, '-subj', '/CN=Watchword', ...extensions, ...files]);
  for (const node of ['one', 'two'])
    await writeFile(at(`${node}.yaml`), configuration(node), { mode: 0o600 });
});
afterAll(async () => {
  await Promise.all([slapd.stop(), postgres.stop()]);
  await rm(folder, { recursive: true });
});

const configuration = (node: string): string => `
data: ${node}
keys_file: keys
store: {type: postgres, hosts: ["localhost:${postgres.port}"], database: ${database}, user: ${postgres.node.user}, password_file: node-password, ca: database-ca.pem}
ca: {certificate: ca.pem, key: ca-key.pem}
directory: {type: ldap, urls: [${slapd.ldapsUrl}], ca: ldap-ca.pem, base: "${slapd.base}", bind_dn: "${slapd.rootDn}", bind_password: "${slapd.rootPassword}"}
super_admins: ["${slapd.adminDn}"]
domains: {Default: {base: "${slapd.people}"}}
manager_auth: DN
log: {level: error}
limits: {login_failure_delay_ms: 0}
settings: {Otp.LoginMode: OTP}
`;

const command = (...args: readonly string[]) => runCommandLine([...args, '-c', at('one.yaml')]);
const owner = () => ['--user', postgres.owner.user, '--password-file', at('owner-password')];

/** A server of a node, in this process. @param ahead milliseconds that the clocks of the nodes are ahead, and not that of the database */
async function withNodes(work: (nodes: readonly Service[]) => Promise<void>, ahead = 0): Promise<void> {
  const nodes = [];
  for (const name of ['one', 'two']) {
    const { config } = readConfiguration(at(`${name}.yaml`), {});
    const opened = await openEngines(config, new KeptLog());
    const { clock } = opened;
    const engines = { ...opened, clock: { ...clock, now: () => clock.now() + ahead } };
    nodes.push({ engines, service: createService(serviceSettings(config), engines) });
  }
  try {
    await work(nodes.map(({ service }) => service));
  } finally {
    for (const { service, engines } of nodes) {
      await service.close();
      await engines.close();
    }
  }
}

const key = Buffer.from('12345678901234567890');
const codeAt = (secret: Buffer, time: number) =>
  totp({ secret: createSecretKey(secret), digits: 6, period: 30 }, time);
const code = () => codeAt(key, Date.now());

async function logIn(
  service: Service,
  otpPassword: string,
  { source = '192.0.2.1', username = 'user0' } = {},
): Promise<string> {
  const body = JSON.stringify({ username, otpPassword });
  const request = webRequest('/otp/json/otpNormalLogin/', { body });
  return String((await service.web.answer({ ...request, address: source })).body);
}

async function register(service: Service, name: string, secret = key): Promise<void> {
  const dn = `uid=${name},${slapd.people}`;
  const { manager } = await service.manager.login({ username: slapd.adminDn, password: slapd.adminPassword });
  await manager.Activate_LDAP_Object({ dn });
  await manager.Otp.TOTP_Register({ dn, key: secret.toString('base64') });
}

describe('nodes that share a database', () => {
  it('do not start before the tables are there, and say what to run', async () => {
    const result = await command('--check');
    expect(result).toMatchObject({
      code: 1,
      errors: expect.stringContaining(
        'has no tables of Watchword yet. Run: watchword-manager tables --config FILE',
      ),
    });
  });

  it('get their tables from the owner of the database, who sees the statements before', async () => {
    const dry = await command('tables', '--dry-run', ...owner());
    expect(dry).toMatchObject({
      code: 0,
      errors: '',
      printed: expect.stringContaining('CREATE TABLE watchword.kept'),
    });
    expect(await command('tables', ...owner())).toMatchObject({
      code: 0,
      printed: 'The tables were those of version 0, and are now those of version 3.',
    });
    expect(await command('tables')).toMatchObject({ printed: 'The tables are those of version 3 already.' });
  });

  it('let a person in once with a code, at one of them, and hold nothing', async () => {
    await withNodes(async ([one, two]) => {
      if (!one || !two) return;
      await register(one, 'user0');
      const now = code();
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) => logIn(n % 2 ? one : two, now, { source: `192.0.2.${n}` })),
      );
      expect(answers.filter((answer) => answer.includes('"code":1'))).toHaveLength(1);
      expect(await logIn(two, now)).not.toContain('"code":1');
      const { adminDn: username, adminPassword: password } = slapd;
      const { manager } = await one.manager.login({ username, password });
      expect(await manager.List_Nodes({})).toHaveLength(2);
    });
    const kept = [...(await readdir(at('one'))), ...(await readdir(at('two')))];
    expect(kept.filter((name) => !/^(?:ca|tls[a-z-]*)\.pem$/.test(name))).toEqual([]);
  });

  it('let a person in again by clock-back who logged in while their clocks were a year ahead, and by no code of before', async () => {
    const secret = Buffer.from('another secret of 20');
    const [before, year] = [Date.now(), 365 * 86_400_000];
    const tryAt = async (time: number, ahead: number) => {
      let answer = '';
      await withNodes(async ([node]) => {
        if (node) answer = await logIn(node, codeAt(secret, time), { username: 'user1' });
      }, ahead);
      return answer.includes('"code":1');
    };
    await withNodes(async ([node]) => node && register(node, 'user1', secret));
    expect(await tryAt(before, 0)).toBe(true);
    expect(await tryAt(before + year, year)).toBe(true);
    const later = before + 5 * 60_000;
    expect(await tryAt(later, 5 * 60_000)).toBe(false);
    expect(await command('clock-back', '--yes')).toMatchObject({
      code: 0,
      errors: '',
      printed: expect.stringContaining('TOTP tokens: 1.'),
    });
    expect(await tryAt(before, 0)).toBe(false);
    expect([await tryAt(later, 5 * 60_000), await tryAt(later, 5 * 60_000)]).toEqual([true, false]);
  });

  it('know a role that was made at one of them at the next request of the other', async () => {
    await withNodes(async ([one, two]) => {
      if (!one || !two) return;
      const [{ adminDn, adminPassword }, dn] = [slapd, `uid=user1,${slapd.people}`];
      const enter = (node: Service, username: string, password: string) =>
        node.manager.login({ username, password }).then(({ manager }) => manager);
      const admin = await enter(one, adminDn, adminPassword);
      const mail = () =>
        enter(two, dn, 'password1')
          .then((manager) => manager.Get_User_Attrs({ dn, attrs: ['mail', 'cn'] }))
          .catch(({ reason }) => reason);
      expect(await mail()).toBe('credentials_refused');
      const desk = { name: 'desk', members: [dn], methods: ['Get_User_Attrs'], subtrees: [slapd.people] };
      await admin.Set_Role(desk);
      expect(await mail()).toMatchObject({ cn: [expect.any(String)] });
      await admin.Set_Role({ ...desk, read: ['sn'] });
      expect(await mail()).toBe('permission_denied');
      await admin.Remove_Role({ name: 'desk' });
      expect(await mail()).toBe('credentials_refused');
    });
  });

  it('ask it twice for a login, once more where the other one let the user in last', async () => {
    const start = Date.now();
    await withNodes(async ([one, two]) => {
      if (!one || !two) return;
      const other = Buffer.from('abcdefghijklmnopqrst');
      await register(one, 'user1', other);
      /** Returns the requests of a login with a code from later time steps. */
      const asked = async (node: Service, ahead: number) => {
        const queries = vi.spyOn(Client.prototype, 'query');
        const shown = codeAt(other, start + ahead * 30_000);
        expect(await logIn(node, shown, { username: 'user1' })).toContain('"code":1');
        const names = queries.mock.calls.map(([query]) => String(Object(query).name));
        queries.mockRestore();
        // Nobody waits for the broom; what has no name greets a new connection.
        return names.filter((name) => name !== 'sweep' && name !== 'undefined');
      };
      // The first login of a node looks whether the folder and the directory belong together.
      expect(await asked(one, -1)).toContain('value');
      // So that the last login, in seconds, is another one.
      await sleep(1000);
      expect(await asked(two, 0)).toContain('value');
      expect(await asked(one, 1)).toEqual(['steps', 'steps', 'steps']);
      expect(await asked(one, 2)).toEqual(['steps', 'steps']);
    });
  });

  it('run with a role that cannot change the tables, and is told so by no password', async () => {
    const asNode = (sql: string) => postgres.query(database, `SET ROLE ${postgres.node.user}; ${sql}`);
    for (const sql of [
      'CREATE TABLE watchword.mine ()',
      'ALTER TABLE watchword.kept ADD COLUMN mine int',
      "INSERT INTO watchword.migrations VALUES (99, 'mine')",
      'TRUNCATE watchword.events',
    ])
      await expect(asNode(sql)).rejects.toThrow(/permission denied|must be owner/);
    await writeFile(at('node-password'), 'wrong-secret\n', { mode: 0o600 });
    const { code: ended, errors } = await command('--check');
    await writeFile(at('node-password'), `${postgres.node.password}\n`, { mode: 0o600 });
    expect([ended, errors]).toEqual([
      1,
      expect.stringContaining('password authentication failed for user "node"'),
    ]);
    expect(errors).not.toContain('wrong-secret');
  });

  /** A node that starts as a server does. */
  async function starting() {
    const [log, asked] = [new KeptLog(), new AbortController()];
    const { config } = readConfiguration(at('one.yaml'), {});
    const engines = openEngines(config, log, { signal: asked.signal });
    engines.catch(() => undefined);
    return { log, asked, engines };
  }

  /** Until a server that starts says that it waits. */
  async function waits(log: KeptLog): Promise<void> {
    await vi.waitFor(
      () => expect(log.lines).toContainEqual(expect.objectContaining({ level: 'warn' })),
      60_000,
    );
  }

  it('wait for a database that is not there yet when they start, and say so', async () => {
    await postgres.halt();
    const { log, engines } = await starting();
    await waits(log);
    expect(log.lines[0]?.message).toContain(
      'The server waits, and starts as soon as the database can be used.',
    );
    expect(log.lines[0]?.message).toContain(
      `the database ${database} on localhost:${postgres.port}`.slice(4),
    );
    await postgres.resume();
    const { directory, close } = await engines;
    expect(log.lines.at(-1)).toMatchObject({ level: 'info', message: 'the database can be used now' });
    await directory.close();
    await close();
  });

  it('end while they wait, when they are asked to', async () => {
    await postgres.halt();
    const { log, asked, engines } = await starting();
    await waits(log);
    asked.abort();
    await expect(engines).rejects.toMatchObject({ name: 'AbortError' });
    await postgres.resume();
  });

  it('do not wait where waiting mends nothing: a password, a certificate, tables', async () => {
    const [password, ca] = ['node-password', 'database-ca.pem'];
    for (const [file, wrong, says] of [
      [password, 'wrong-secret', 'password authentication failed'],
      [ca, slapd.ca, 'certificate'],
    ] as const) {
      const right = await readFile(at(file), 'utf8');
      await writeFile(at(file), wrong, { mode: 0o600 });
      const { log, engines } = await starting();
      await expect(engines).rejects.toThrow(says);
      expect(log.lines).toEqual([]);
      await writeFile(at(file), right, { mode: 0o600 });
    }
  });

  it('do not start on tables of a later version', async () => {
    await postgres.query(database, "INSERT INTO watchword.migrations VALUES (99, 'to come')");
    expect((await command('--check')).errors).toContain('has the schema 99 of a later version');
    await postgres.query(database, 'DELETE FROM watchword.migrations WHERE number = 99');
    expect(await command('--check')).toMatchObject({ code: 0 });
  });
});
