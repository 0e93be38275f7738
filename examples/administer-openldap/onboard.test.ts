import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RunningServers, startServers } from '@watchword/cli';
import { createManager, type Manager } from '@watchword/client';
import { type NodeTransport, nodeTransport } from '@watchword/client/node';
import { readConfig } from '@watchword/core';
import { KeptLog } from '@watchword/core/testing';
import { type Slapd, startSlapd } from '@watchword/core/testing/bed';
import { openEngines } from '@watchword/engines';
import { managerCommand } from '@watchword/server-manager';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onboard } from './onboard.ts';

let slapd: Slapd;
let data: string;
let servers: RunningServers;
let transport: NodeTransport;
let manager: Manager;

beforeAll(async () => {
  slapd = await startSlapd();
  data = await mkdtemp(join(tmpdir(), 'watchword-openldap-'));
  await writeFile(join(data, 'ldap-ca.pem'), slapd.ca);
  const config = readConfig({
    data,
    directory: {
      type: 'ldap',
      urls: [slapd.url],
      start_tls: true,
      ca: join(data, 'ldap-ca.pem'),
      bind_dn: slapd.readerDn,
      bind_password: slapd.readerPassword,
      base: slapd.base,
    },
    domains: { Default: { base: slapd.base } },
    manager: { port: 0 },
    manager_auth: 'DN',
    manager_session: 60,
    super_admins: [slapd.adminDn],
  });
  servers = await startServers([managerCommand], config, await openEngines(config, new KeptLog()));
  transport = nodeTransport({ ca: await readFile(join(data, 'ca.pem'), 'utf8') });
  const credentials = { username: slapd.adminDn, password: slapd.adminPassword };
  manager = createManager({
    url: `${servers.listeners[0]?.url}manag/`,
    ...credentials,
    fetch: transport.fetch,
  });
});
afterAll(async () => {
  await transport.close();
  await servers.close();
  await slapd.stop();
  await rm(data, { recursive: true });
});

const colleagues = [
  { login: 'zoe', first: 'Zoë', last: 'Zander', password: 'z0e-Pa55word' },
  { login: 'yan', first: 'Yan', last: 'Young', password: 'yan-Pa55word' },
];

it('brings colleagues into OpenLDAP, who can log in there', async () => {
  const place = { people: slapd.people, group: `cn=colleagues,${slapd.groups}` };
  const dns = [`uid=zoe,${slapd.people}`, `uid=yan,${slapd.people}`];
  expect(await onboard(manager, colleagues, place)).toEqual(dns);
  expect(await onboard(manager, colleagues, place)).toEqual([]);
  expect(await manager.Get_User_Attrs({ dn: place.group, attrs: ['member'] })).toEqual({ member: dns });
  expect(await whoami(dns[0] as string, 'z0e-Pa55word')).toBe(`dn:${dns[0]}`);
});

/** OpenLDAP's own client asks OpenLDAP who it is. */
async function whoami(dn: string, password: string): Promise<string> {
  const env = { ...process.env, LDAPTLS_CACERT: join(data, 'ldap-ca.pem') };
  const args = ['-x', '-H', slapd.ldapsUrl, '-D', dn, '-w', password];
  const { stdout } = await promisify(execFile)('/usr/bin/ldapwhoami', args, { env });
  return stdout.trim();
}
