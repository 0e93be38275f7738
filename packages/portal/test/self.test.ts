/** Self-service in a browser, against the servers that `npm start` runs: what people do there with what they log in with. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readUri } from '../../../examples/soft-token/account.ts';
import { codeAt } from '../../../examples/soft-token/code.ts';
import { type Page, plugInDevice } from '../../core/src/testing/bed/engines/browser.ts';
import { readQrCode } from '../../core/src/testing/bed/engines/qr-reader.ts';
import { findingsOf } from './axe.ts';
import { type Ground, openGround } from './ground.ts';
import { selfSettings, signInToSelf } from './scenes/self.ts';

const minute = 60_000;

let ground: Ground;
let page: Page;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  ground = await openGround(selfSettings);
});
afterAll(async () => {
  await ground.close();
  vi.useRealTimers();
});
afterEach(() => page.context().close());

/** The clock of the servers, and of the tokens: each code is good once. */
const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

async function aliceSignedIn(options = {}): Promise<Page> {
  later(minute);
  page = await ground.open({ locale: 'en-US', ...options });
  await page.goto(ground.self);
  await signInToSelf(page, ground.alice);
  return page;
}

const goTo = (name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
const said = (text: string | RegExp) => page.getByRole('status').getByText(text).waitFor();
const actsFor = (name: string) => page.getByRole('button', { name: `Actions for ${name}` });

async function remove(name: string): Promise<void> {
  await actsFor(name).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
}

async function rename(name: string, to: string): Promise<void> {
  await actsFor(name).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByLabel('Name', { exact: true }).fill(to);
  await page.keyboard.press('Enter');
  await actsFor(to).waitFor();
}

describe('self-service', () => {
  it('lets in by a password and a code, and says why not', async () => {
    page = await ground.open({ locale: 'en-US' });
    await page.goto(ground.self);
    await page.getByLabel('User name').fill('alice');
    await page.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('not right').waitFor();
    later(minute);
    await signInToSelf(page, ground.alice);
    await page.getByText('Your account has a second factor.').waitFor();
    await page.reload();
    await page.getByText('About you').waitFor();
    await page.getByRole('button', { name: 'Signed in as' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
  });

  it('takes a token by a scan; the last second factor stays', async () => {
    await aliceSignedIn();
    await goTo('Sign-in');
    await page.getByRole('button', { name: 'Add' }).first().click();
    const uri = readUri(await scannedBy(page));
    const otp = codeAt(uri, Date.now());
    const answer = await page.context().request.post(String(uri.endpoint), {
      data: { session: uri.session, otp, device: { model: 'Soft token' } },
    });
    expect(await answer.json()).toMatchObject({ code: 1 });
    await said('Added.');
    await actsFor('Soft token 2').waitFor();
    expect(await page.content()).not.toContain(uri.secret);
    await remove('Soft token 2');
    await said('Removed.');
    await remove('Authenticator app 1');
    await said(/the last second factor stays/);
    await actsFor('Authenticator app 1').waitFor();
  });

  it('takes an app that tells nothing, and a device with a button, by a code that the server judges', async () => {
    await aliceSignedIn();
    await goTo('Sign-in');
    await page.getByRole('button', { name: 'Add' }).first().click();
    const uri = readUri(await scannedBy(page));
    const confirm = page.getByRole('button', { name: 'Confirm' });
    await page.getByLabel('Code of the app').fill('000000');
    await confirm.click();
    await page.getByText('The app should show another code.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('my phone');
    await page.getByLabel('Code of the app').fill(codeAt(uri, Date.now()));
    await confirm.click();
    await actsFor('my phone').waitFor();
    await page.getByRole('button', { name: 'Add' }).first().click();
    await page.getByRole('button', { name: 'Use a code generator instead' }).click();
    await page.getByLabel('Secret').fill('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    // RFC 4226, appendix D: that of count 4 with another digit, and that of count 3.
    for (const [code, found] of [
      ['338315', page.getByText('A device with this secret shows another code')],
      ['969429', actsFor('Code generator 3')],
    ] as const) {
      await page.getByLabel('A code of the device').fill(code);
      await confirm.click();
      await found.waitFor();
    }
    await rename('my phone', '<i>my</i> old phone');
    await remove('<i>my</i> old phone');
    await actsFor('<i>my</i> old phone').waitFor({ state: 'detached' });
    await remove('Code generator 3');
    await actsFor('Code generator 3').waitFor({ state: 'detached' });
  });

  it('asks for a fresh second factor, and goes on with what was wanted', async () => {
    await aliceSignedIn();
    await goTo('Sign-in');
    await page.getByRole('button', { name: 'Create codes' }).waitFor();
    later(11 * minute);
    await page.getByRole('button', { name: 'Create codes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Show that it is you' });
    await dialog.getByLabel('Current password').fill(ground.alice.password);
    await dialog.getByLabel('Code').fill(ground.alice.code());
    await dialog.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('dialog', { name: 'Your recovery codes' }).waitFor();
    expect(await page.locator('.codes li').count()).toBe(20);
    const [code = ''] = await page.locator('.codes code').allTextContents();
    await page.getByRole('button', { name: 'I have stored them' }).click();
    await page.getByText('20 codes left').waitFor();
    expect(await page.content()).not.toContain(code);
  });

  it('takes a passkey', async () => {
    await aliceSignedIn();
    await plugInDevice(page);
    await goTo('Sign-in');
    await page.getByRole('button', { name: 'Add' }).nth(1).click();
    await page.getByLabel('Name', { exact: true }).fill('<b>blue</b> key');
    await page.getByRole('button', { name: 'Go on' }).click();
    await said('Added.');
    await actsFor('<b>blue</b> key').waitFor();
    await rename('<b>blue</b> key', 'blue key');
  });

  it('shows where one is signed in, and ends one of it, or all but this', async () => {
    await aliceSignedIn();
    const other = page;
    await aliceSignedIn();
    await goTo('Activity');
    const sessions = page.getByRole('region', { name: 'Your sessions' });
    await sessions.getByText('This one').waitFor();
    const before = await sessions.getByRole('listitem').count();
    await sessions.getByRole('button', { name: 'End the session: Chrome · Linux' }).last().click();
    await said('The session has ended.');
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(before - 1);
    await other.reload();
    await other.getByLabel('User name').waitFor();
    later(minute);
    await signInToSelf(other, ground.alice);
    await page.reload();
    await page.getByRole('button', { name: 'End all others' }).click();
    await said('All your other sessions have ended.');
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1);
    await other.reload();
    await other.getByLabel('User name').waitFor();
    await other.context().close();
  });

  it('shows the SSH key that is there, replaces it and removes it', async () => {
    await aliceSignedIn();
    await goTo('SSH key');
    await page.getByText('You have no SSH key.').waitFor();
    const { line, fingerprint } = sshKey;
    await page.getByLabel('Public key').fill(`${line} alice@<b>laptop</b>`);
    await page.getByRole('button', { name: 'Add this key' }).click();
    const card = page.getByRole('region', { name: 'Your key' });
    for (const text of ['ssh-ed25519, 256 bits', fingerprint, 'alice@<b>laptop</b>'])
      await card.getByText(text).waitFor();
    await page.getByRole('button', { name: 'Make one for me' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Replace key' });
    await dialog.getByText(fingerprint).waitFor();
    await dialog.getByRole('button', { name: 'Replace key' }).click();
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await card.getByText(fingerprint).waitFor({ state: 'detached' });
    await card.getByRole('button', { name: 'Remove key' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove key' }).click();
    await said('The key is removed.');
    await page.getByText('You have no SSH key.').waitFor();
  });

  it('is for everybody, in light and in dark, on the smallest phone', async () => {
    page = await ground.open({ locale: 'en-US', viewport: { width: 320, height: 640 } });
    await page.goto(ground.self);
    await page.getByLabel('User name').waitFor();
    expect(await findingsOf(page)).toEqual([]);
    later(minute);
    await signInToSelf(page, ground.alice);
    for (const [name, title] of pages) {
      await goTo(name);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      expect(await findingsOf(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    }
  });

  it('ends all sessions with a new password', async () => {
    await aliceSignedIn();
    const other = page;
    await aliceSignedIn();
    await goTo('Password');
    const wanted = 'Battery-Staple-8';
    const type = async (old: string) => {
      await page.getByLabel('Current password').fill(old);
      await page.getByLabel('New password', { exact: true }).fill(wanted);
      await page.getByLabel('The new password again').fill(wanted);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    await type('not the old one');
    await page.getByText('That is not your current password.').waitFor();
    await type(ground.alice.password);
    await said('Your password is changed.');
    await page.getByLabel('User name').waitFor();
    await other.reload();
    await other.getByLabel('User name').waitFor();
    await other.context().close();
    later(minute);
    await signInToSelf(page, { ...ground.alice, password: wanted });
  });
});

/** As `ssh-keygen -l` tells it. */
const sshKey = {
  line: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKrih2CslPF8ZUj42zD5N3GRmS6dDqgD8mWX2VvhsBYc',
  fingerprint: 'SHA256:yX4q4ysj8YOpKJmgRLazghcf6a5/wlwhTDNjwzSemos',
};

const pages = [
  ['Sign-in', 'Sign-in methods'],
  ['Password', 'Password'],
  ['SSH key', 'SSH key'],
  ['Activity', 'Activity'],
  ['Overview', 'Hello'],
] as const;

/** The text of the QR code on the screen. */
async function scannedBy(of: Page): Promise<string> {
  const source = await of.getByRole('img', { name: 'QR code' }).getAttribute('src');
  return readQrCode(Buffer.from(source?.split(',')[1] ?? '', 'base64'));
}
