/**
 * Both servers on OpenLDAP, with the configuration and exactly the access rules of docs/guide/directories.md: those under "Who may
 * administer", for a group of administrators and a helpdesk.
 */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfiguration, startServers } from '@watchword/cli';
import { KeptLog } from '@watchword/core/testing';
import { freePorts, scratchFolder, startSlapd } from '@watchword/core/testing/bed';
import { openEngines } from '@watchword/engines';
import { managerCommand } from '@watchword/server-manager';
import { webServiceCommand } from '@watchword/server-ws';
import { blockUnder } from '../../../test/directory-rights/guide.ts';
import { launchBrowser } from '../../core/src/testing/bed/engines/browser.ts';
import { ssha } from '../../core/src/testing/bed/engines/slapd-configuration.ts';
import type { Login, Portal } from './ground.ts';

const base = 'dc=example,dc=org';
const people = `ou=people,${base}`;

/** The guide is written for another domain. */
const guided = (heading: string, language: string): string =>
  blockUnder(heading, language).replaceAll('dc=example,dc=com', base);

const passwords = { service: 'of the service', person: 'Pa55-w0rd of a person' };

const login = (username: string): Login => ({
  ...{ dn: `uid=${username},${people}`, username, password: passwords.person },
});

const person = (username: string, name: string): string => `dn: uid=${username},${people}
objectClass: inetOrgPerson
objectClass: webadmAccount
uid: ${username}
cn: ${name}
sn: ${name.split(' ')[1]}
mail: ${username}@example.org
userPassword: ${ssha(passwords.person)}
`;

const group = (name: string, member: string): string => `dn: cn=${name},ou=groups,${base}
objectClass: groupOfNames
cn: ${name}
member: uid=${member},${people}
`;

const ldif = [
  `dn: ${base}\nobjectClass: organization\nobjectClass: dcObject\no: Example\ndc: example\n`,
  `dn: ${people}\nobjectClass: organizationalUnit\nobjectClass: webadmGroup\nou: people\n`,
  ...['groups', 'services'].map((ou) => `dn: ou=${ou},${base}\nobjectClass: organizationalUnit\nou: ${ou}\n`),
  `dn: cn=watchword,ou=services,${base}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: watchword
userPassword: ${ssha(passwords.service)}
`,
  ...[person('admin', 'Ada Admin'), person('alice', 'Alice Archer')],
  ...[person('bob', 'Bob Baker'), person('carol', 'Carol Carter')],
  group('admins', 'admin'),
  group('helpdesk', 'carol'),
].join('\n');

export async function openSlapdGround(environment: Readonly<Record<string, string>> = {}): Promise<Portal> {
  const slapd = await startSlapd({ ldif, access: guided('Who may administer', 'conf') });
  const folder = await scratchFolder('portal-slapd');
  const at = (name: string) => join(folder, name);
  await writeFile(at('ldap-ca.pem'), slapd.ca);
  await writeFile(at('bind-password'), passwords.service, { mode: 0o600 });
  const text = guided('OpenLDAP', 'yaml')
    .replace(/urls: .+/, `urls: [${slapd.ldapsUrl}]`)
    .replace(/ca: .+/, 'ca: ldap-ca.pem')
    .replace(/bind_password_file: .+/, 'bind_password_file: bind-password')
    .replace(/ host: .+/, ' host: 127.0.0.1')
    .replace(/manager_clients: .+/, '');
  await writeFile(at('watchword.yaml'), `${text}\ndata: data\n`, { mode: 0o600 });
  const [manager, ws] = await freePorts(2);
  const ports = { WATCHWORD_MANAGER__PORT: `${manager}`, WATCHWORD_WS__PORT: `${ws}` };
  const { config } = readConfiguration(at('watchword.yaml'), { ...ports, ...environment });
  const engines = await openEngines(config, new KeptLog());
  const servers = await startServers([managerCommand, webServiceCommand], config, engines);
  const browser = await launchBrowser();
  return {
    browser,
    admin: `https://localhost:${manager}/admin/`,
    self: `https://localhost:${ws}/self/`,
    manager: `https://localhost:${manager}/manag/`,
    ca: at('data/ca.pem'),
    administrator: login('admin'),
    ...{ bob: login('bob'), carol: login('carol') },
    open: async (options = {}) =>
      (await browser.newContext({ ignoreHTTPSErrors: true, reducedMotion: 'reduce', ...options })).newPage(),
    close: async () => {
      await browser.close();
      await servers.close();
      await slapd.stop();
      await rm(folder, { recursive: true });
    },
  };
}
