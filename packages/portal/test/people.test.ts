/** An administrator, and a helpdesk with a role, in a browser: sign in, find somebody, do what has to be done. */
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createManager, type Manager } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { scratchFolder } from '@watchword/core/testing/bed';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from '../../core/src/testing/bed/engines/browser.ts';
import { findingsOf } from './axe.ts';
import { type Ground, type Login, openGround } from './ground.ts';

const people = 'ou=people,dc=example,dc=org';

/** Of carol: sees, and unblocks; enrols nothing and sets no password. */
const helpdesk = {
  WATCHWORD_ROLES__HELPDESK__MEMBERS: `"uid=carol,${people}"`,
  WATCHWORD_ROLES__HELPDESK__INTERFACES: '"Portal"',
  WATCHWORD_ROLES__HELPDESK__METHODS:
    '"Find_Users", "Get_User_Attrs", "Get_User_Domains", "Otp.User_*", "Otp.Block_*", "Search_Event_Logs"',
  WATCHWORD_ROLES__HELPDESK__SUBTREES: `"${people}"`,
  WATCHWORD_ROLES__HELPDESK__WRITE: '"webadmData"',
};

let ground: Ground;
let manager: Manager;
let page: Page;
/** What the browser complains of: a policy that was broken, a script that failed. */
let complaints: string[];

beforeAll(async () => {
  ground = await openGround(helpdesk);
  const { username, password } = ground.administrator;
  const { fetch } = nodeTransport({ ca: await readFile(ground.ca, 'utf8') });
  manager = createManager({ url: ground.manager, username, password, fetch });
});
afterAll(() => ground.close());
afterEach(async () => {
  await page.context().close();
  expect(complaints).toEqual([]);
});

async function open(options: Parameters<Ground['open']>[0] = {}): Promise<void> {
  page = await ground.open({ locale: 'en-US', ...options });
  complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 401/.test(message.text())) complaints.push(message.text());
  });
  await page.goto(ground.admin);
}

async function signIn({ username, password }: Omit<Login, 'dn'> = ground.administrator): Promise<void> {
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await search().waitFor();
}

const search = () => page.getByRole('searchbox', { name: 'Find somebody' });
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const card = (name: string) => page.getByRole('region', { name, exact: true });

async function find(name: string): Promise<void> {
  await search().fill(name);
  await page.keyboard.press('Enter');
  await card('Identity').waitFor();
}

describe('the door', () => {
  it('says what is wrong, and lets in who is right; by the keyboard alone', async () => {
    await open();
    await page.getByLabel('User name').waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await page.keyboard.type('admin');
    await page.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('That is not right').waitFor();
    await signIn();
    expect(await search().evaluate((input) => input === document.activeElement)).toBe(true);
    await button(/^Signed in as/).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
  });

  it('speaks the language of the browser, and another when told so', async () => {
    await open({ locale: 'de-CH' });
    await button('Anmelden').waitFor();
    await button(/^Sprache/).click();
    await page.getByRole('menuitemradio', { name: 'Español' }).click();
    await button('Iniciar sesión').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
  });
});

describe('somebody', () => {
  it('is found by the keyboard, on a page that axe and a small phone find nothing wrong with', async () => {
    await open();
    await signIn();
    await search().fill('b');
    await page.getByRole('link', { name: /Bob Baker/ }).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await search().inputValue()).toBe('');
    await find('bob');
    await page.getByRole('heading', { name: 'Bob Baker' }).waitFor();
    await card('Settings in force').getByText('Otp.LoginMode').waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await page.getByRole('heading', { name: 'Bob Baker' }).click();
    await page.keyboard.press('/');
    expect(await search().evaluate((input) => input === document.activeElement)).toBe(true);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });

  it('gets a token by a QR code, which is there as soon as the phone has confirmed', async () => {
    await open();
    await signIn();
    await find('bob');
    await button('Enrol token').click();
    const picture = page.getByRole('img', { name: 'QR code of the new token' });
    await picture.waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await scan((await picture.getAttribute('src')) ?? '');
    await page.getByText('The token is enrolled').waitFor();
    await card('Tokens').getByText('App or token with a clock (TOTP)').waitFor();
    const [token] = await manager.Otp.User_Tokens({ dn: ground.bob.dn });
    expect(token).toMatchObject({ id: 1, type: 'TOTP', enabled: true });
  });

  it('is let in again when blocked', async () => {
    const { dn } = ground.bob;
    await manager.Otp.Block_Start({ dn });
    await open();
    await signIn();
    await find('bob');
    await card('Blocks and known sources')
      .getByText(/^Blocked/)
      .waitFor();
    await button('Unblock').click();
    await card('Blocks and known sources').getByText('Not blocked').waitFor();
    expect(await manager.Otp.Block_Check({ dn })).toMatchObject({ blocked: false });
  });

  it('is known where the last logins came from', async () => {
    const { username, password: ldapPassword } = ground.alice;
    await open();
    const answer = await page.request.post(new URL('/otp/json/otpNormalLogin/', ground.self).href, {
      data: { username, ldapPassword, otpPassword: ground.alice.code() },
    });
    expect(await answer.json()).toMatchObject({ code: 1 });
    await signIn();
    await find('alice');
    const [place] = await manager.User_Places({ dn: ground.alice.dn });
    await page
      .getByRole('group', { name: 'Known sources' })
      .getByRole('cell', { name: `${place?.place}`, exact: true })
      .waitFor();
    await find('bob');
    await card('Blocks and known sources').getByText('None yet.').waitFor();
  });

  it('has lost the phone: two clicks after the page is there; and a disabled token is taken back', async () => {
    await open();
    await signIn();
    await find('alice');
    await button('Lost phone').click();
    await page.getByRole('checkbox', { name: /Token 1/ }).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await button('Do it').click();
    await page.getByText('It is shown this once').waitFor();
    expect(await findingsOf(page)).toEqual([]);
    const { dn } = ground.alice;
    expect(await manager.Otp.User_Methods({ dn })).toEqual(['EMERGENCY', 'SMS']);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await button('Enable').click();
    await page.getByText('Token 1 is enabled').waitFor();
    await button('Undo').click();
    await page.getByText('Undone').waitFor();
    expect(await manager.Otp.User_Tokens({ dn })).toMatchObject([{ enabled: false }]);
  });

  it('has a setting of their own, whose layer is told, until it is taken back', async () => {
    const { dn } = ground.bob;
    await open();
    await signIn();
    await find('bob');
    await button('Change Otp.MaxTries').click();
    await page.getByRole('dialog').getByLabel('Value').fill('9');
    await button('Save').click();
    const row = page.getByRole('row', { name: /Otp.MaxTries/ });
    await row.getByText('this user').waitFor();
    expect(await manager.Get_User_Settings({ dn, settings: ['Otp.MaxTries'] })).toEqual({
      'Otp.MaxTries': '9',
    });
    await button('Undo').click();
    await row.getByText('default').waitFor();
  });

  it('runs nothing that stands in names, addresses or DNs', async () => {
    const script = '<img src=x onerror="document.title=1">';
    const dn = `cn=${script.replaceAll('=', '\\=').replaceAll('"', '\\"').replace('<', '\\<').replace('>', '\\>')},${people}`;
    const attrs = {
      objectclass: ['inetOrgPerson', 'webadmAccount'],
      sn: script,
      uid: 'mallory',
      mail: `${script}@x.org`,
    };
    await manager.Create_LDAP_Object({ dn, attrs });
    await open();
    await signIn();
    await find('mallory');
    await page.getByRole('heading', { name: script }).waitFor();
    await button('All attributes').click();
    await page.getByText(`${script}@x.org`).first().waitFor();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(await page.title()).not.toBe('1');
  });
});

describe('the helpdesk', () => {
  it('sees what the role says, and no button for more', async () => {
    await manager.Otp.Block_Start({ dn: ground.bob.dn });
    await open();
    await signIn(ground.carol);
    await find('bob');
    await card('Tokens').getByText('TOTP').waitFor();
    for (const name of [
      'Lost phone',
      'Enrol token',
      'Set password',
      'Disable',
      'Give emergency code',
      'Make a list',
    ])
      expect([name, await button(name).count()]).toEqual([name, 0]);
    expect(await card('Settings in force').count()).toBe(0);
    await button('Unblock').click();
    await card('Blocks and known sources').getByText('Not blocked').waitFor();
  });
});

const root = new URL('../../../', import.meta.url);
const sources = new URL('scripts/child-sources.mjs', root).href;
const softToken = fileURLToPath(new URL('examples/soft-token/soft-token.ts', root));

/** As an app does: reads the picture, and confirms. @param picture a `data:` address */
async function scan(picture: string): Promise<void> {
  const folder = await scratchFolder('scan');
  const [file, account] = [join(folder, 'qr.png'), join(folder, 'account.json')];
  await writeFile(file, Buffer.from(picture.split(',')[1] ?? '', 'base64'));
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: ground.ca };
  for (const words of [['scan', file], ['confirm']]) {
    const args = ['--import', sources, softToken, ...words, '--account', account];
    await promisify(execFile)(process.execPath, args, { env });
  }
  await rm(folder, { recursive: true });
}
