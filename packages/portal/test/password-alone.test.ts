/** The Admin Portal after a sign-in with a password alone, and with a second factor. */
import { readFile } from 'node:fs/promises';
import { createManager } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from '../../core/src/testing/bed/engines/browser.ts';
import { type Ground, openGround } from './ground.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await openGround();
});
afterAll(() => ground.close());

async function signIn(address: string, code?: string): Promise<Page> {
  const { username, password } = ground.administrator;
  const page = await ground.open({ locale: 'en-US' });
  await page.goto(address);
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  if (code !== undefined) await page.getByLabel('code').fill(code);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Signed in as' }).waitFor();
  return page;
}

const asking = (page: Page) => page.getByText('With admin_auth: MFA in the configuration, the portal asks');

it('asks for a second factor, and names the key of the configuration, on every page', async () => {
  const page = await signIn(ground.admin);
  await asking(page).waitFor();
  await page.getByRole('link', { name: 'Configuration' }).click();
  await page.getByRole('heading', { name: 'Configuration' }).waitFor();
  expect(await asking(page).count()).toBe(1);
  expect(await page.getByRole('alert').count()).toBe(0);
});

it('asks for none after a second factor', async () => {
  const { dn, username, password } = ground.administrator;
  const { fetch } = nodeTransport({ ca: await readFile(ground.ca, 'utf8') });
  const manager = createManager({ url: ground.manager, username, password, fetch });
  await manager.Activate_LDAP_Object({ dn });
  const code = String(await manager.Otp.Emerg_Register({ dn, expires: 3600 }));
  const node = await ground.startNode({
    WATCHWORD_ADMIN_AUTH: 'MFA',
    WATCHWORD_MANAGER_CLIENTS: '"192.0.2.0/24"',
  });
  try {
    const page = await signIn(node.admin, code);
    await page.getByRole('heading', { name: 'People' }).waitFor();
    expect(await asking(page).count()).toBe(0);
  } finally {
    await node.close();
  }
});
