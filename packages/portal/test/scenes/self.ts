/** Self-service, as alice comes to it. */
import type { Page } from '../../../core/src/testing/bed/engines/browser.ts';
import type { Scenes } from './scene.ts';

/** People may register what they log in with, and security keys are for `localhost`. */
export const selfSettings = {
  'WATCHWORD_SETTINGS__Otp.SelfRegister': 'Yes',
  'WATCHWORD_SETTINGS__SshKey.SelfRegister': 'Yes',
  WATCHWORD_RELYING_PARTY__ID: 'localhost',
};

const sshKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKrih2CslPF8ZUj42zD5N3GRmS6dDqgD8mWX2VvhsBYc alice@laptop';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const goTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();

export const selfScenes: Scenes = {
  site: 'self',
  before: [
    {
      name: 'self-sign-in',
      show: async (page, { self }) => {
        await page.goto(self);
        await page.getByLabel('User name').waitFor();
      },
    },
  ],
  signIn: (page, { alice }) => signInToSelf(page, alice),
  inside: [
    {
      name: 'self-factors',
      show: async (page) => {
        await goTo(page, 'Sign-in');
        await page.getByText('Authenticator app 1').waitFor();
      },
    },
    {
      name: 'self-scan',
      show: async (page) => {
        await page.getByRole('button', { name: 'Add' }).first().click();
        await page.getByRole('img', { name: 'QR code' }).waitFor();
      },
    },
    {
      name: 'self-password',
      show: async (page) => {
        await page.keyboard.press('Escape');
        await goTo(page, 'Password');
        await heading(page, 'Password');
      },
    },
    {
      name: 'self-ssh-key',
      show: async (page) => {
        await goTo(page, 'SSH key');
        await page.getByLabel('Public key').fill(sshKey);
        await page.getByRole('button', { name: 'Add this key' }).click();
        await page.getByRole('region', { name: 'Your key' }).waitFor();
        await page.getByText('Your key is there.').waitFor({ state: 'detached' });
      },
    },
    {
      name: 'self-activity',
      show: async (page) => {
        await goTo(page, 'Activity');
        await page.locator('.entry').first().waitFor();
      },
    },
    {
      name: 'self-overview',
      show: async (page) => {
        await goTo(page, 'Overview');
        await page.getByText('About you').waitFor();
      },
    },
  ],
};

interface Person {
  readonly username: string;
  readonly password: string;
  code(): string;
}

/** From the page of the sign-in to the first one behind it. */
export async function signInToSelf(page: Page, { username, password, code }: Person): Promise<void> {
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Code').fill(code());
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Signed in as' }).waitFor();
}
