/** The Admin Portal. */
import type { Page } from '../../../core/src/testing/engines/browser.ts';
import type { Ground } from '../ground.ts';
import type { Scenes } from './scene.ts';

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor();

async function openPerson(page: Page, { admin, alice }: Ground): Promise<void> {
  await page.goto(`${admin}people`);
  await page.getByRole('searchbox').fill(alice.username);
  await page.getByRole('searchbox').press('Enter');
  await heading(page, 'Alice');
}

export const adminScenes: Scenes = {
  site: 'admin',
  before: [
    {
      name: 'admin-sign-in',
      show: async (page, { admin }) => {
        await page.goto(admin);
        await page.getByLabel('User name').waitFor();
      },
    },
  ],
  signIn: async (page, { administrator: { username, password } }) => {
    await page.getByLabel('User name').fill(username);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await heading(page, 'People');
  },
  inside: [
    { name: 'admin-person', show: openPerson },
    {
      name: 'admin-enrol',
      show: async (page) => {
        await page.getByRole('button', { name: 'Enrol token' }).first().click();
        await page.getByRole('dialog').getByRole('img').waitFor();
      },
    },
    {
      name: 'admin-directory',
      show: async (page, { admin }) => {
        await page.goto(`${admin}directory`);
        await heading(page, 'Directory');
      },
    },
    {
      name: 'admin-configuration',
      show: async (page, { admin }) => {
        await page.goto(`${admin}configuration`);
        await heading(page, 'Configuration');
      },
    },
    {
      name: 'admin-explorer',
      show: async (page, { admin }) => {
        await page.goto(`${admin}explorer/Otp.TOTP_Register`);
        await heading(page, /TOTP_Register/);
      },
    },
  ],
};
