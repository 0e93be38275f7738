/** API keys that are made, renewed and revoked in the Admin Portal; curl is the calling system that shows them. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from '../../core/src/testing/bed/engines/browser.ts';
import { findingsOf } from './axe.ts';
import { type Ground, openGround } from './ground.ts';

const run = promisify(execFile);

const owner = '<img src=x onerror=alert(1)> team';

let ground: Ground;
let page: Page;
const complaints: string[] = [];
beforeAll(async () => {
  ground = await openGround({
    ...{ WATCHWORD_ADMIN_AUTH: 'OTP', WATCHWORD_MANAGER_CLIENTS: '"127.0.0.1", "::1"' },
    WATCHWORD_SUPER_ADMINS:
      '"uid=alice,ou=people,dc=example,dc=org", "uid=admin,ou=people,dc=example,dc=org"',
    WATCHWORD_API_KEYS__7__SHA256: 'ab'.repeat(32),
    WATCHWORD_WEBSRVS__OTP__REQUIRE: 'api_key',
    WATCHWORD_CLIENTS__VPN__ADDRESSES: '"192.0.2.10"',
  });
  page = await ground.open({ locale: 'en-US' });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (shown) => {
    complaints.push(shown.message());
    return shown.dismiss();
  });
  await page.goto(ground.admin);
  await page.getByLabel('User name').fill(ground.alice.username);
  await page.getByLabel('Password').fill(ground.alice.password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Go on' }).waitFor();
  await page.getByLabel('Code').fill(ground.alice.code());
  await page.keyboard.press('Enter');
  await page.getByRole('searchbox', { name: 'Find somebody' }).waitFor();
  await page.goto(new URL('configuration/api-keys', ground.admin).href);
});
afterAll(async () => {
  await ground.close();
  expect(complaints).toEqual([]);
});

const dialog = () => page.getByRole('dialog');
const row = (id: string) => page.getByRole('row', { name: new RegExp(`^${id} `) });
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true });

/** Asks the web services by curl. @returns the HTTP status */
async function curl(key: string): Promise<string> {
  const { stdout } = await run('curl', [
    ...['--silent', '--cacert', ground.ca, '--output', '/dev/null', '--write-out', '%{http_code}'],
    ...['--header', `X-API-Key: ${key}`, new URL('/otp/json/otpStatus/', ground.self).href],
  ]);
  return stdout;
}

/** Reads the key that the dialog shows, and closes the dialog. */
async function shownKey(): Promise<string> {
  const key = (await dialog().getByRole('region', { name: 'API key' }).textContent()) ?? '';
  expect(await findingsOf(page)).toEqual([]);
  await inDialog('I have copied it').click();
  await dialog().waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(key.trim());
  return key.trim();
}

it('makes a key that is shown once, renews it with an overlap, and revokes it', async () => {
  await page.getByRole('button', { name: 'Make a key' }).click();
  await dialog().getByLabel('Owner').fill(owner);
  await dialog().getByText('otp', { exact: true }).click();
  await dialog().getByLabel('Addresses and networks').fill('127.0.0.0/8\n::1');
  await dialog().getByLabel('End (UTC)').fill('2030-01-01 00:00:00');
  expect(await findingsOf(page)).toEqual([]);
  await inDialog('Make a key').click();
  const first = await shownKey();
  expect(first).toMatch(/^1001_[0-9a-f]{40}$/);
  expect(await curl(first)).toBe('200');
  await row('1001').getByText(owner).waitFor();
  await row('1001').getByText('127.0.0.0/8, ::1').waitFor();
  await row('1001').getByText('Changed here').waitFor();

  await row('1001').getByRole('button', { name: 'Renew' }).click();
  await dialog().getByLabel('Overlap in hours').fill('721');
  await dialog().getByText('This is no whole number from 0 to 720.').waitFor();
  await dialog().getByLabel('Overlap in hours').fill('2');
  await inDialog('Renew').click();
  const second = await shownKey();
  expect([await curl(first), await curl(second)]).toEqual(['200', '200']);
  await row('1001').getByText('the key before until').waitFor();

  await row('1001').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByText(owner).waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await row('1001').waitFor({ state: 'detached' });
  expect([await curl(first), await curl(second)]).toEqual(['401', '401']);
});

it('offers no change of a key of the configuration file, and says where it is', async () => {
  await row('7').getByText('api_keys.7').waitFor();
  expect(await row('7').getByRole('button').count()).toBe(0);
  expect(await findingsOf(page)).toEqual([]);
});
