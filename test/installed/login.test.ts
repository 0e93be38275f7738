/** From an empty folder to a first login, as the guide says it, by a user without rights. */

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { createManager, createWebServices } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { type PostgresServer, type Slapd, startPostgres, startSlapd } from '@watchword/core/testing/bed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Installation, openInstallation, type Server, stranger } from './installation.ts';

const run = promisify(execFile);
const adminPassword = 'the first Pa55word';
const alice = { username: 'alice', password: 'alice-Pa55word' };
const key = Buffer.from('a secret of 20 bytes').toString('base64');

/** Who administers, and where people are. */
interface Ground {
  readonly admin: { readonly username: string; readonly password: string };
  readonly people: string;
  /** Path of the authority's certificate below the installation; left out: the authority is made at the first start. */
  readonly ca?: string;
}

const configuration = ['--config', 'watchword.yaml'];

/** Both servers, their configuration checked before. */
async function withServers(installation: Installation, work: (servers: Server[]) => Promise<void>) {
  for (const command of ['watchword-manager', 'watchword-ws']) {
    const check = await installation.run(command, ...configuration, '--check');
    expect(check).toMatchObject({ code: 0, output: expect.stringContaining('The configuration is good.') });
  }
  const servers: Server[] = [];
  try {
    for (const command of ['watchword-manager', 'watchword-ws'])
      servers.push(await installation.serve(command, ...configuration));
    await work(servers);
  } finally {
    const ended = await Promise.all(servers.map((server) => server.stop()));
    expect(ended.map(({ code }) => code)).toEqual(servers.map(() => 0));
  }
}

/** A user is made, gets a token, and logs in with password and code; a code that was used is refused. */
async function firstLogin(
  installation: Installation,
  { admin, people, ca: caFile = 'data/ca.pem' }: Ground,
): Promise<void> {
  const ca = join(installation.folder, caFile);
  await withServers(installation, async ([managerServer, webServer]) => {
    const { fetch, close } = nodeTransport({ ca: await readFile(ca, 'utf8') });
    const manager = createManager({ url: new URL('manag/', managerServer?.url).href, ...admin, fetch });
    const dn = `uid=alice,${people}`;
    const attrs = { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: 'Alice', sn: 'Archer' };
    await manager.Create_LDAP_Object({ dn, attrs: { ...attrs, userpassword: alice.password } });
    expect(await manager.Get_User_DN({ username: 'alice', domain: 'Default' })).toBe(dn);
    await manager.Otp.TOTP_Register({ dn, key });
    const web = createWebServices({ url: webServer?.url ?? '', fetch });
    const { stdout } = await run('oathtool', ['--totp', Buffer.from(key, 'base64').toString('hex')]);
    const login = { username: 'alice', ldapPassword: alice.password, otpPassword: stdout.trim() };
    expect(await web.otp.normalLogin(login)).toMatchObject({ code: 1 });
    expect(await web.otp.normalLogin(login)).toMatchObject({ code: 0 });
    expect(await soapLogin(login, new URL('otp/', webServer?.url), await readFile(ca))).toContain(
      '<code>0</code>',
    );
    await close();
  });
  expect((await stat(ca)).uid).toBe(stranger ?? process.getuid?.());
}

/** Over SOAP, which a server loads a library of its own for. @returns the envelope that is answered */
async function soapLogin(login: Readonly<Record<string, string>>, url: URL, ca: Buffer): Promise<string> {
  const fields = Object.entries(login).map(([name, value]) => `<${name}>${value}</${name}>`);
  const operation = `<o:otpNormalLogin xmlns:o="urn:otp">${fields.join('')}</o:otpNormalLogin>`;
  const sent = request(url, { ca, method: 'POST', headers: { 'content-type': 'text/xml' } });
  sent.end(
    `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>${operation}</e:Body></e:Envelope>`,
  );
  const [answer] = await once(sent, 'response');
  return text(answer);
}

describe.each(['npm', 'pnpm'] as const)('installed with %s, on an embedded directory', (packageManager) => {
  let installation: Installation;
  beforeAll(async () => {
    installation = await openInstallation(packageManager);
  });
  afterAll(() => installation.close());

  it('the first administrator is made, both servers start, and a user logs in', async () => {
    await installation.write('first-password', `${adminPassword}\n`);
    const base = ['--base', 'dc=example,dc=com', '--name', 'ada', '--password-file', 'first-password'];
    const made = await installation.run('watchword-manager', 'init', ...configuration, ...base);
    expect(made).toMatchObject({ code: 0, errors: '' });
    const admin = { username: 'ada', password: adminPassword };
    await firstLogin(installation, { admin, people: 'ou=people,dc=example,dc=com' });
  });
});

describe('installed with npm, on OpenLDAP', () => {
  let installation: Installation;
  let slapd: Slapd;
  beforeAll(async () => {
    [installation, slapd] = await Promise.all([openInstallation(), startSlapd()]);
  });
  afterAll(async () => {
    await slapd.stop();
    await installation.close();
  });

  it('both servers start, and a user logs in', async () => {
    await installation.write('ldap-ca.pem', slapd.ca);
    const service = { bind_dn: slapd.adminDn, bind_password: slapd.adminPassword };
    const directory = { type: 'ldap', urls: [slapd.ldapsUrl], ca: 'ldap-ca.pem', ...service };
    const settings = {
      data: 'data',
      directory: { ...directory, base: slapd.base },
      domains: { Default: { base: slapd.base } },
      manager_auth: 'DN',
      super_admins: [slapd.adminDn],
    };
    // JSON is YAML.
    await installation.write('watchword.yaml', JSON.stringify(settings));
    const admin = { username: slapd.adminDn, password: slapd.adminPassword };
    await firstLogin(installation, { admin, people: slapd.people });
  });
});

/** As docs/guide/more-than-one-machine.md makes it, the key first. */
const makeAuthority = [
  ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '3650'],
  ...['-subj', '/CN=Watchword CA', '-addext', 'basicConstraints=critical,CA:TRUE'],
  ...['-addext', 'keyUsage=critical,keyCertSign,cRLSign', '-keyout', '-'],
];

describe('installed with npm, on OpenLDAP and PostgreSQL', () => {
  let installation: Installation;
  let slapd: Slapd;
  let postgres: PostgresServer;
  beforeAll(async () => {
    [installation, slapd, postgres] = await Promise.all([openInstallation(), startSlapd(), startPostgres()]);
  });
  afterAll(async () => {
    await Promise.all([slapd.stop(), postgres.stop()]);
    await installation.close();
  });

  it('makes the tables, starts both servers, and logs a user in', async () => {
    const { owner, node, port } = postgres;
    const { stdout: pem } = await run('openssl', makeAuthority);
    const [authorityKey = '', certificate = ''] = pem.split(/(?=-----BEGIN CERTIFICATE-----)/);
    const authority = { 'ca.pem': certificate, 'ca-key.pem': authorityKey };
    const keys = `${randomBytes(32).toString('base64')}\n`;
    const files = { ...authority, 'ldap-ca.pem': slapd.ca, 'database-ca.pem': postgres.ca, keys };
    const passwords = { 'owner-password': `${owner.password}\n`, 'node-password': `${node.password}\n` };
    for (const [name, content] of Object.entries({ ...files, ...passwords }))
      await installation.write(name, content);
    const service = { bind_dn: slapd.adminDn, bind_password: slapd.adminPassword };
    const directory = { type: 'ldap', urls: [slapd.ldapsUrl], ca: 'ldap-ca.pem', ...service };
    const database = await postgres.createDatabase();
    const password = { user: node.user, password_file: 'node-password' };
    const store = {
      type: 'postgres',
      hosts: [`127.0.0.1:${port}`],
      database,
      ca: 'database-ca.pem',
      ...password,
    };
    const settings = {
      data: 'data',
      keys_file: 'keys',
      ca: { certificate: 'ca.pem', key: 'ca-key.pem' },
      ...{ store, directory: { ...directory, base: slapd.base } },
      domains: { Default: { base: slapd.base } },
      manager_auth: 'DN',
      super_admins: [slapd.adminDn],
    };
    await installation.write('watchword.yaml', JSON.stringify(settings));
    const role = ['--user', owner.user, '--password-file', 'owner-password'];
    const made = await installation.run('watchword-manager', 'tables', ...configuration, ...role);
    expect(made).toMatchObject({ code: 0 });
    const admin = { username: slapd.adminDn, password: slapd.adminPassword };
    await firstLogin(installation, { admin, people: slapd.people, ca: 'ca.pem' });
    const [{ logins } = { logins: 0 }] = await postgres.query<{ logins: number }>(
      database,
      'SELECT count(*)::integer AS logins FROM watchword.events',
    );
    expect(logins).toBeGreaterThan(2);
  });
});
