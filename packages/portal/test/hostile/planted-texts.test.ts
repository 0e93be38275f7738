/** No text becomes markup: every page of both sites, and those behind links, with texts that try (CWE-79). */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from '../../../core/src/testing/bed/engines/browser.ts';
import { type Ground, openGround } from '../ground.ts';
import { mark, type Planted, plantAll, planted, plantedName, plantedSettings } from './planted.ts';

let ground: Ground;
let all: Planted;
let page: Page;
/** What the browser complains of, or was made to do. */
let complaints: string[];

beforeAll(async () => {
  ground = await openGround(plantedSettings);
  all = await plantAll(ground);
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
    if (message.type() === 'error' && !/status of 40[0-9]/.test(message.text()))
      complaints.push(message.text());
  });
  page.on('dialog', async (dialog) => {
    complaints.push(dialog.message());
    await dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.resourceType() === 'image' && request.url().includes('planted'))
      complaints.push(request.url());
  });
}

const injected = `${mark}, img[src*="planted"], [onerror], [onload], iframe, object, embed, base`;

/** The text is there, and is text. */
async function expectText(at: string): Promise<void> {
  await expect
    .poll(() => page.locator('body').textContent(), { timeout: 20_000, message: at })
    .toContain(mark);
  await expectHarmless(at);
}

async function expectHarmless(at: string): Promise<void> {
  expect([at, await page.locator(injected).count()]).toEqual([at, 0]);
  expect(await page.title()).not.toBe('');
}

async function signIn({ username, password }: { username: string; password: string }): Promise<void> {
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
}

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

describe('the Admin Portal', () => {
  it('shows what was planted as text, on every page', async () => {
    await open();
    // Of mallory, so that the list of sessions has a name to show.
    const other = await ground.open();
    await other.goto(ground.admin);
    await other.getByLabel('User name').fill(all.mallory.username);
    await other.getByLabel('Password').fill(all.mallory.password);
    await other.keyboard.press('Enter');
    await other.getByRole('button', { name: 'Signed in as' }).waitFor();
    await page.goto(`${ground.admin}?${planted}#${planted}`);
    await signIn(ground.administrator);
    await page.getByRole('searchbox', { name: 'Find somebody' }).fill('mallory');
    await page.getByRole('link', { name: new RegExp(mark) }).waitFor();
    await expectText('those who were found');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Identity', exact: true }).waitFor();
    await button('All attributes').click();
    await page.getByRole('region', { name: 'SSH key', exact: true }).getByText('SHA256:').waitFor();
    await expectText('a person');
    const dn = encodeURIComponent(all.mallory.dn);
    const places = [
      ...[`directory?dn=${dn}`, `directory?dn=${encodeURIComponent(all.group)}`],
      ...['roles', 'clients', 'events', 'sessions'].map((name) => `configuration/${name}`),
    ];
    for (const place of places) {
      await page.goto(`${ground.admin}${place}`);
      await expectText(place);
    }
    await page.goto(`${ground.admin}configuration/certificates`);
    await page.getByLabel('Name of the client').fill(plantedName);
    await page.keyboard.press('Enter');
    await button('Revoke').waitFor();
    await expectText('certificates');
    const nothing = [
      ...['status', 'option-sets', 'api-keys', 'domains', 'services', 'licence'].map(
        (name) => `configuration/${name}`,
      ),
      ...['people', 'directory?dn=', 'configuration', 'explorer', ''].map(
        (name) => `${name}/${encodeURIComponent(planted)}`,
      ),
      `people?text=${encodeURIComponent(planted)}`,
    ];
    for (const place of nothing) {
      await page.goto(`${ground.admin}${place}`);
      await page.getByRole('main').waitFor();
      await page.waitForLoadState('networkidle');
      await expectHarmless(place);
    }
    await other.context().close();
  });

  it('shows it in what asks before something is lost, in undone changes and in errors', async () => {
    await open();
    await page.goto(`${ground.admin}directory?dn=${encodeURIComponent(all.group)}`);
    await signIn(ground.administrator);
    await button('More acts').click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').getByText(mark).first().waitFor();
    await expectHarmless('the question');
    await page.keyboard.press('Escape');
    await button('Edit').click();
    await page.getByLabel('description', { exact: true }).fill(`${planted}, changed`);
    await button('Save').click();
    await page.getByText('Saved').first().waitFor();
    await expectText('a change');
    await page.goto(`${ground.admin}explorer/Get_User_Attrs`);
    await page.getByLabel('dn', { exact: true }).fill(all.mallory.dn);
    await button('Send').click();
    await page.getByText('Staple').or(page.getByText('objectClass')).first().waitFor();
    await expectText('an answer, and the call as code');
    await page.getByLabel('dn', { exact: true }).fill(planted);
    await button('Send').click();
    await expectText('a refusal');
  });

  it('shows it out of a table, in the preview, and in the report', async () => {
    await open();
    await page.goto(`${ground.admin}many`);
    await signIn(ground.administrator);
    const name = `${planted.replaceAll('/', '|')}.csv`;
    const rows = [
      `uid;name;surname;${planted}`,
      `x1;"${planted.replaceAll('"', '""')}";;`,
      `<${mark}>;${mark};y;z`,
    ];
    await page
      .getByLabel('CSV file', { exact: true })
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(rows.join('\r\n')) });
    await page.getByLabel('Container (DN)', { exact: true }).fill(`${planted},ou=people`);
    await expectText('the preview');
    await button('Do it for 1').click();
    await page
      .getByText(/1 of 1 done/)
      .first()
      .waitFor();
    await expectText('the report');
  });
});

describe('the page of their own', () => {
  it('shows what was planted as text, on every page', async () => {
    // What the browser calls itself is in the list of sessions, and in the event log.
    await open({ userAgent: planted });
    await page.goto(`${ground.self}?${planted}#${planted}`);
    await signIn(all.mallory);
    await page.getByLabel('Code').fill(all.mallory.code());
    await page.keyboard.press('Enter');
    await page.getByText('About you').waitFor();
    await expectText('the overview');
    for (const [name, title] of pages) {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      await (name === 'Activity' ? expectText(name) : expectHarmless(name));
    }
  });
});

const pages = [
  ['Sign-in', 'Sign-in methods'],
  ['Password', 'Password'],
  ['SSH key', 'SSH key'],
  ['Activity', 'Activity'],
] as const;

describe('a page behind a link', () => {
  it('shows it as text, and takes none for markup', async () => {
    await open();
    for (const link of all.links) {
      await page.goto(link);
      await page.locator('main').waitFor();
      await expectHarmless(link);
      const [path = ''] = link.split('=');
      await page.goto(`${path}=${encodeURIComponent(planted)}`);
      await expectHarmless(path);
    }
    await page.goto(all.links[2] ?? '');
    await expectText('a question to people outside');
  });
});
