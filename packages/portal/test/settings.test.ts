/** Settings that are changed in the Admin Portal of `npm start`, in a browser; curl is the calling system that must show a certificate. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from '../../core/src/testing/bed/engines/browser.ts';
import { type Ground, openGround } from './ground.ts';

const run = promisify(execFile);

let ground: Ground;
let page: Page;
let folder: string;
const complaints: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-settings-'));
  ground = await openGround();
  page = await ground.open({ locale: 'en-US' });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(ground.admin);
  await page.getByLabel('User name').fill(ground.administrator.username);
  await page.getByLabel('Password').fill(ground.administrator.password);
  await page.keyboard.press('Enter');
  await page.getByRole('searchbox', { name: 'Find somebody' }).waitFor();
});
afterAll(async () => {
  await ground.close();
  await rm(folder, { recursive: true });
  expect(complaints).toEqual([]);
});

const go = (path: string) => page.goto(new URL(path, ground.admin).href);
const button = (name: string) => page.getByRole('button', { name, exact: true });
const said = (text: string | RegExp) => page.getByText(text).first().waitFor();

/** Asks the web services by curl. @returns the HTTP status */
async function curl(...options: readonly string[]): Promise<string> {
  const url = new URL('/otp/json/otpStatus/', ground.self).href;
  const { stdout } = await run('curl', [
    ...['--silent', '--cacert', ground.ca, '--output', '/dev/null', '--write-out', '%{http_code}'],
    ...[...options, url],
  ]);
  return stdout;
}

async function save(name: string, file: string): Promise<string> {
  const saving = page.waitForEvent('download');
  await button(name).click();
  const path = join(folder, file);
  await (await saving).saveAs(path);
  return path;
}

async function choose(option: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /Callers must show/ }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
}

it('demands a client certificate of REST, issues one, and lets its holder in, without a restart', async () => {
  expect(await curl()).toBe('200');
  await go('configuration/services');
  const otp = page.getByRole('region', { name: 'Otp', exact: true });
  await otp.getByRole('button', { name: 'Require client certificate' }).click();
  await choose('A client certificate');
  await said('Otp: the change is in force.');
  expect(await curl()).toBe('401');
  await go('configuration/certificates');
  await page.getByLabel('Name of the client', { exact: true }).fill('shop');
  await page.keyboard.press('Enter');
  await button('Make the key and sign').click();
  const key = await save('Save the key', 'shop.key');
  const certificate = await save('Save the certificate', 'shop.pem');
  expect(await curl('--cert', certificate, '--key', key)).toBe('200');
  expect(await curl()).toBe('401');
});

it('shows the version, goes back to an earlier one, and edits a setting', async () => {
  await go('configuration/settings');
  await said('websrvs.otp');
  await button('Edit rest_get').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /Value/ }).click();
  await page.getByRole('option', { name: 'false', exact: true }).click();
  await dialog.getByLabel('Comment').fill('queries are logged');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await said('rest_get is changed.');
  await said(/queries are logged/);
  await button('Restore version 1').click();
  await said('The settings of version 1 are in force again.');
  await button('Edit websrvs').click();
  await dialog.getByRole('button', { name: 'Back to the preset', exact: true }).click();
  await said('websrvs has its preset again.');
  expect(await curl()).toBe('200');
});

it('says what is wrong with a value, and changes nothing', async () => {
  await go('configuration/settings');
  await button('Edit clients').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Value (JSON)').fill('{"vpn": ');
  await dialog.getByText('This is not a value of this setting.').waitFor();
  await dialog
    .getByLabel('Value (JSON)')
    .fill('{"vpn": {"settings": {"Otp.LoginMode": "<img src=x onerror=alert(1)>"}}}');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await said(/clients\.vpn\.settings/);
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
});
