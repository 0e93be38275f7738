/**
 * A Manager whose directory has one large container: the embedded one, or a slapd behind LDAP; and a browser in front of it, in which the
 * administrator has signed in.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfiguration, startServers } from '@watchword/cli';
import { createManager, type Manager } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { Dn, type ServerConfig } from '@watchword/core';
import { KeptLog } from '@watchword/core/testing';
import { type Slapd, scratchFolder, startSlapd } from '@watchword/core/testing/bed';
import { openDirectory, openEnvironment } from '@watchword/embedded';
import { openEngines } from '@watchword/engines';
import { systemClock, systemRandom } from '@watchword/node';
import { managerCommand } from '@watchword/server-manager';
import { launchBrowser, type Page } from '../../core/src/testing/bed/engines/browser.ts';
import { ssha } from '../../core/src/testing/bed/engines/slapd-configuration.ts';

export const base = 'dc=example,dc=org';
export const crowd = `ou=crowd,${base}`;

/** Above the access rules of slapd, where it is `rootdn`. */
const administrator = { dn: `cn=administrator,ou=people,${base}`, password: 'Adm1nistrator!' };

export type DirectoryKind = 'embedded' | 'slapd';

export interface DirectoryGround {
  readonly page: Page;
  /** Where the site stands. */
  readonly admin: string;
  readonly manager: Manager;
  close(): Promise<void>;
}

/** @param entries of the large container: `uid=user<n>` */
export async function openDirectoryGround(kind: DirectoryKind, entries: number): Promise<DirectoryGround> {
  const endings: (() => Promise<unknown>)[] = [];
  const folder = await scratchFolder('portal-directory');
  endings.push(() => rm(folder, { recursive: true }));
  const settings = kind === 'slapd' ? await loadSlapd(folder, entries, endings) : { type: 'embedded', base };
  const path = join(folder, 'watchword.yaml');
  const others = { data: 'data', super_admins: [administrator.dn], auth_mode: 'DN', manager: { port: 0 } };
  // JSON is YAML.
  const text = JSON.stringify({ ...others, domains: { Default: { base } }, directory: settings });
  await writeFile(path, text, { mode: 0o600 });
  const { config } = readConfiguration(path, {});
  if (kind === 'embedded') await load(config, entries);
  const servers = await startServers([managerCommand], config, await openEngines(config, new KeptLog()));
  endings.push(() => servers.close());
  const browser = await launchBrowser();
  endings.push(() => browser.close());
  const url = servers.listeners[0]?.url ?? '';
  const admin = new URL('/admin/', url).href;
  const page = await browser.newPage({ ignoreHTTPSErrors: true, locale: 'en-US', reducedMotion: 'reduce' });
  await signIn(page, admin);
  const { fetch } = nodeTransport({ ca: await readFile(join(folder, 'data', 'ca.pem'), 'utf8') });
  const { dn: username, password } = administrator;
  return {
    ...{ page, admin, manager: createManager({ url: new URL('/manag/', url), username, password, fetch }) },
    close: async () => {
      for (const end of endings.reverse()) await end();
    },
  };
}

async function signIn(page: Page, admin: string): Promise<void> {
  await page.goto(admin);
  await page.getByLabel('DN of the administrator').fill(administrator.dn);
  await page.getByLabel('Password').fill(administrator.password);
  await page.keyboard.press('Enter');
  await page.getByRole('searchbox', { name: 'Find somebody' }).waitFor();
}

async function load(config: ServerConfig, entries: number): Promise<void> {
  // The key ring is made before the first entry, so that it can be missed later on.
  const engines = await openEngines(config, new KeptLog());
  await engines.directory.close();
  await engines.close();
  const environment = await openEnvironment(config.data);
  const ports = { clock: systemClock, random: systemRandom };
  const directory = await openDirectory(environment, { base: Dn.parse(base) }, ports);
  await directory.importLdif(Array.from(ldif(entries)).join(''));
  await environment.close();
}

async function loadSlapd(
  folder: string,
  entries: number,
  endings: (() => Promise<unknown>)[],
): Promise<object> {
  const slapd: Slapd = await startSlapd({ ldif: ldif(entries), unchecked: true });
  endings.push(() => slapd.stop());
  await writeFile(join(folder, 'ldap-ca.pem'), slapd.ca);
  return {
    ...{ type: 'ldap', urls: [slapd.ldapsUrl], ca: 'ldap-ca.pem', base },
    ...{ bind_dn: slapd.rootDn, bind_password: slapd.rootPassword },
  };
}

/** RFC 2849, in pieces. */
function* ldif(entries: number): Generator<string> {
  yield record(base, ['objectClass: organization', 'objectClass: dcObject', 'o: Example', 'dc: example']);
  for (const ou of ['people', 'groups', 'crowd'])
    yield record(`ou=${ou},${base}`, ['objectClass: organizationalUnit', `ou: ${ou}`]);
  const { dn, password } = administrator;
  const person = ['objectClass: inetOrgPerson', 'cn: administrator', 'sn: administrator'];
  yield record(dn, [...person, `userPassword: ${ssha(password)}`]);
  for (let n = 0; n < entries; n += 1)
    yield record(`uid=user${n},${crowd}`, [
      'objectClass: inetOrgPerson',
      `uid: user${n}`,
      `cn: User ${n}`,
      `sn: Of ${n}`,
    ]);
}

const record = (dn: string, lines: readonly string[]): string => [`dn: ${dn}`, ...lines, '', ''].join('\n');
