/** The Admin Portal. */
import type { Page } from '../../../core/src/testing/bed/engines/browser.ts';
import type { Ground } from '../ground.ts';
import type { Scenes } from './scene.ts';

const base = 'dc=example,dc=org';

/** Beside the role that is made in the portal, one of the configuration. */
export const adminSettings = {
  WATCHWORD_ROLES__AUDIT__MEMBERS: `"uid=bob,ou=people,${base}"`,
  WATCHWORD_ROLES__AUDIT__METHODS: '"Get_User_*", "Search_Event_Logs"',
  WATCHWORD_ROLES__AUDIT__SUBTREES: `"ou=people,${base}"`,
};

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor();

async function openPerson(page: Page, { admin, alice }: Ground): Promise<void> {
  await page.goto(`${admin}people`);
  await page.getByRole('searchbox').fill(alice.username);
  await page.getByRole('searchbox').press('Enter');
  await heading(page, 'Alice');
}

async function makeRole(page: Page, { admin, carol }: Ground): Promise<void> {
  await page.goto(`${admin}configuration/roles`);
  await page.getByRole('button', { name: 'New role' }).click();
  const lines = {
    Name: 'frontdesk',
    Members: carol.dn,
    Methods: 'Find_Users\nGet_User_Attrs\nOtp.User_*\nOtp.Block_*',
    Reach: `ou=people,${base}`,
  };
  for (const [name, text] of Object.entries(lines)) await page.getByLabel(name, { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Save the role' }).click();
  await page.getByRole('region', { name: 'frontdesk' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
}

/** One line of it is wrong. */
async function chooseTable(page: Page, { admin }: Ground): Promise<void> {
  const table =
    'uid;name;surname;mail\nzoe;Zoë Zander;Zander;zoe@example.org\nyan;Yan Young;;yan@example.org';
  await page.goto(`${admin}many`);
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'new.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
  await page.getByLabel('Container (DN)').fill(`ou=people,${base}`);
  await page.getByText('1 line is left out.').waitFor();
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
        await page.goto(`${admin}directory?dn=${encodeURIComponent(`ou=groups,${base}`)}`);
        await heading(page, 'groups');
        await page.getByRole('button', { name: 'New entry' }).waitFor();
      },
    },
    {
      name: 'admin-configuration',
      show: async (page, { admin }) => {
        await page.goto(`${admin}configuration`);
        await page.getByText('Directory (LDAP)').waitFor();
      },
    },
    {
      name: 'admin-events',
      show: async (page, { admin }) => {
        await page.goto(`${admin}configuration/events`);
        await page.getByRole('row').nth(1).waitFor();
      },
    },
    { name: 'admin-roles', show: makeRole },
    {
      name: 'admin-sessions',
      show: async (page, { admin }) => {
        await page.goto(`${admin}configuration/sessions`);
        await page.getByText('this one').waitFor();
      },
    },
    { name: 'admin-many', show: chooseTable },
    {
      name: 'admin-explorer',
      show: async (page, { admin }) => {
        await page.goto(`${admin}explorer/Otp.TOTP_Register`);
        await heading(page, /TOTP_Register/);
      },
    },
  ],
};
