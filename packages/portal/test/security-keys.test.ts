/** Self-service with security keys in Chromium: where logins want one, or whatever second factor there is. */
import { readFile } from 'node:fs/promises';
import { createManager } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Page, plugInDevice } from '../../core/src/testing/bed/engines/browser.ts';
import { type Ground, openGround } from './ground.ts';
import { selfSettings, signInToSelf } from './scenes/self.ts';

const minute = 60_000;

let ground: Ground;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  ground = await openGround({ ...selfSettings, 'WATCHWORD_SETTINGS__Otp.LoginMode': 'LDAPMFA' });
});
afterAll(async () => {
  await ground.close();
  vi.useRealTimers();
});

const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

async function newWindow(): Promise<Page> {
  const page = await ground.open({ locale: 'en-US' });
  await plugInDevice(page);
  await page.goto(ground.self);
  return page;
}

async function showPassword(page: Page): Promise<void> {
  later(minute);
  await page.getByLabel('User name').fill(ground.alice.username);
  await page.getByLabel('Password').fill(ground.alice.password);
  await page.keyboard.press('Enter');
}

const inside = (page: Page) => page.getByRole('button', { name: 'Signed in as' });

async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
}

async function leave(page: Page): Promise<void> {
  await inside(page).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByText('You are signed out.').waitFor();
}

async function addKey(page: Page, name: string): Promise<void> {
  await goTo(page, 'Sign-in');
  await page.getByRole('button', { name: 'Add' }).nth(1).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('button', { name: `Actions for ${name}` }).waitFor();
}

async function administer() {
  const { username, password } = ground.administrator;
  const { fetch } = nodeTransport({ ca: await readFile(ground.ca, 'utf8') });
  return createManager({ url: ground.manager, username, password, fetch });
}

it('a security key lets in and steps up; another one does not, and one that was removed no more', async () => {
  const page = await newWindow();
  later(minute);
  await signInToSelf(page, ground.alice);
  await addKey(page, 'blue key');

  // It is asked for after the password, and touched by itself.
  await leave(page);
  await showPassword(page);
  await inside(page).waitFor();

  // After ten minutes, again.
  await goTo(page, 'Sign-in');
  await page.getByRole('button', { name: 'Create codes' }).waitFor();
  later(11 * minute);
  await page.getByRole('button', { name: 'Create codes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Show that it is you' });
  await dialog.getByLabel('Current password').fill(ground.alice.password);
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('dialog', { name: 'Your recovery codes' }).waitFor();
  await page.getByRole('button', { name: 'I have stored them' }).click();

  // A key of somebody else's does not answer for alice; her token still lets her in.
  const other = await newWindow();
  await showPassword(other);
  await other.getByText('The security key did not answer.').waitFor();
  expect(await inside(other).count()).toBe(0);
  await other.getByLabel('Code').fill(ground.alice.code());
  await other.keyboard.press('Enter');
  await inside(other).waitFor();

  // Removed in one window, it lets nobody in by the other.
  await goTo(other, 'Sign-in');
  await other.getByRole('button', { name: 'Actions for blue key' }).click();
  await other.getByRole('menuitem', { name: 'Remove' }).click();
  await other.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await other.getByRole('status').getByText('Removed.').waitFor();
  await leave(page);
  await showPassword(page);
  await page.getByText('Enter the code of your token or authenticator app.').waitFor();
  expect(await page.getByRole('button', { name: 'Use the security key' }).count()).toBe(0);
  await Promise.all([page.context().close(), other.context().close()]);
});

it('a security key is all that is asked for where logins want one', async () => {
  const page = await newWindow();
  later(minute);
  await signInToSelf(page, ground.alice);
  await addKey(page, 'red key');
  const manager = await administer();
  await manager.Set_User_Settings({ dn: ground.alice.dn, settings: { 'Otp.LoginMode': 'LDAPU2F' } });
  await leave(page);
  await showPassword(page);
  await inside(page).waitFor();
  const other = await newWindow();
  await showPassword(other);
  await other.getByText('The security key did not answer.').waitFor();
  expect(await other.getByLabel('Code').count()).toBe(0);
  await Promise.all([page.context().close(), other.context().close()]);
});
