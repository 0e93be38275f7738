/** Administrators who show a second factor; and a directory over LDAP behind it all. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfiguration, startServers } from '@watchword/cli';
import { createManager } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { KeptLog } from '@watchword/core/testing';
import { type Slapd, scratchFolder, startSlapd } from '@watchword/core/testing/bed';
import { openEngines } from '@watchword/engines';
import { managerCommand } from '@watchword/server-manager';
import { afterEach, expect, it } from 'vitest';
import { launchBrowser, type Page, plugInDevice } from '../../core/src/testing/bed/engines/browser.ts';
import { type Ground, type Login, openGround } from './ground.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function open(environment: Readonly<Record<string, string>>): Promise<Ground> {
  const ground = await openGround(environment);
  endings.push(ground.close);
  return ground;
}

async function showPassword(page: Page, { username, password }: Omit<Login, 'dn'>): Promise<void> {
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
}

const inside = (page: Page) => page.getByRole('searchbox', { name: 'Find somebody' }).waitFor();

const admin = 'uid=admin,ou=people,dc=example,dc=org';
const alice = 'uid=alice,ou=people,dc=example,dc=org';

/** Programs of this machine get in with a password alone, as before. */
const factors = (mode: string) => ({
  WATCHWORD_ADMIN_AUTH: mode,
  WATCHWORD_MANAGER_CLIENTS: '"127.0.0.1", "::1"',
  WATCHWORD_SUPER_ADMINS: `"${alice}", "${admin}"`,
});

it('a code is asked for after the password, and a wrong one is told', async () => {
  const ground = await open({ ...factors('OTP') });
  const page = await ground.open({ locale: 'en-US' });
  await page.goto(ground.admin);
  await showPassword(page, ground.alice);
  const code = page.getByLabel('Code');
  await page.getByRole('button', { name: 'Go on' }).waitFor();
  await code.fill('000000');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('That is not right').waitFor();
  await showPassword(page, ground.alice);
  await page.getByRole('button', { name: 'Go on' }).waitFor();
  await code.fill(ground.alice.code());
  await page.keyboard.press('Enter');
  await inside(page);
});

it('a security key is asked for after the password', async () => {
  const ground = await open({
    ...factors('U2F'),
    WATCHWORD_RELYING_PARTY__ID: 'localhost',
  });
  const page = await ground.open({ locale: 'en-US' });
  await plugInDevice(page);
  await page.goto(ground.admin);
  const { username, password } = ground.administrator;
  const { fetch } = nodeTransport({ ca: await readFile(ground.ca, 'utf8') });
  const manager = createManager({ url: ground.manager, username, password, fetch });
  const random = await manager.Get_Random_Bytes({ length: 32 });
  const options = await manager.Otp.FIDO_Challenge({ username: 'alice', domain: 'Default', random });
  const response = await page.evaluate(async (text) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(text));
    return JSON.stringify(await navigator.credentials.create({ publicKey }));
  }, String(options));
  await manager.Otp.FIDO_Register({ dn: alice, response, random });
  await showPassword(page, ground.alice);
  await inside(page);
  // That of somebody else has no key for alice.
  const other = await ground.open({ locale: 'en-US' });
  await plugInDevice(other);
  await other.goto(ground.admin);
  await showPassword(other, ground.alice);
  await other.getByText('The security key did not answer.').waitFor();
});

it('an administrator of OpenLDAP finds somebody there, blocks them, and takes it back', async () => {
  const slapd = await startSlapd({ users: 3 });
  endings.push(() => slapd.stop());
  const page = await servedOver(slapd);
  await page.getByLabel('DN of the administrator').fill(slapd.adminDn);
  await page.getByLabel('Password').fill(slapd.adminPassword);
  await page.keyboard.press('Enter');
  await inside(page);
  await page.keyboard.type('user2');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'More acts' }).click();
  await page.getByRole('menuitem', { name: 'Block' }).click();
  await page
    .getByRole('region', { name: 'Blocks and known sources' })
    .getByText(/^Blocked/)
    .waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Not blocked').waitFor();
  for (const act of ['Block', 'Unblock']) {
    await page.getByRole('button', { name: 'More acts' }).click();
    await page.getByRole('menuitem', { name: act, exact: true }).click();
    await page
      .getByText(act === 'Block' ? 'Blocked' : 'Not blocked', { exact: true })
      .first()
      .waitFor();
  }
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page
    .getByRole('region', { name: 'Blocks and known sources' })
    .getByText(/^Blocked/)
    .waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

/** The page of a Manager on that directory. */
async function servedOver({ ca, ldapsUrl, rootDn, rootPassword, base, adminDn }: Slapd): Promise<Page> {
  const folder = await scratchFolder('portal-slapd');
  endings.push(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'ldap-ca.pem'), ca);
  const directory = {
    ...{ type: 'ldap', urls: [ldapsUrl], ca: 'ldap-ca.pem', base },
    ...{ bind_dn: rootDn, bind_password: rootPassword },
  };
  const settings = { data: 'data', directory, domains: { Default: { base } }, super_admins: [adminDn] };
  const path = join(folder, 'watchword.yaml');
  // JSON is YAML.
  const text = JSON.stringify({ ...settings, auth_mode: 'DN', manager: { port: 0 } });
  await writeFile(path, text, { mode: 0o600 });
  const { config } = readConfiguration(path, {});
  const engines = await openEngines(config, new KeptLog());
  const servers = await startServers([managerCommand], config, engines);
  endings.push(() => servers.close());
  const browser = await launchBrowser();
  endings.push(() => browser.close());
  const page = await browser.newPage({ ignoreHTTPSErrors: true, locale: 'en-US', reducedMotion: 'reduce' });
  const [listener] = servers.listeners;
  await page.goto(new URL('/admin/', listener?.url).href);
  return page;
}
