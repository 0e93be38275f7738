/** What hands do: how often they press, what Enter and Escape are for, and whether every page fits a phone, a thumb and large text. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readUri } from '../../../examples/soft-token/account.ts';
import { codeAt } from '../../../examples/soft-token/code.ts';
import type { Page } from '../../core/src/testing/bed/engines/browser.ts';
import { readQrCode } from '../../core/src/testing/bed/engines/qr-reader.ts';
import { adminPaths } from './admin-paths.ts';
import { findingsOf } from './axe.ts';
import { focusFaults, smallTargets, widthFaults } from './fitness.ts';
import { type Ground, type Login, openGround } from './ground.ts';
import { selfSettings } from './scenes/self.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await openGround(selfSettings);
});
afterAll(() => ground.close());

/** Counts what a mouse would press; what Enter presses is none of it. */
const countsClicks = () => {
  Object.assign(globalThis, { clicks: 0 });
  addEventListener(
    'click',
    ({ isTrusted, detail }) => {
      if (isTrusted && detail > 0)
        Object.assign(globalThis, { clicks: Reflect.get(globalThis, 'clicks') + 1 });
    },
    true,
  );
};
const clicksOf = (page: Page) => page.evaluate((): number => Reflect.get(globalThis, 'clicks'));

const isFocused = (of: ReturnType<Page['locator']>) => of.evaluate((one) => one === document.activeElement);

/** Everything by the keyboard: where to type is where the focus is. */
async function signIn(page: Page, at: string, { username, password }: Login, code?: string): Promise<void> {
  await page.goto(at);
  await page.locator('input[autocomplete="username"]:focus').waitFor();
  await page.keyboard.type(username);
  // The Admin Portal has a field for the domain in between.
  while (!(await isFocused(page.locator('input[type="password"]')))) await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  if (code !== undefined) {
    await page.locator('input[autocomplete="one-time-code"]:focus').waitFor();
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
  }
  await page.locator('.frame main h1').waitFor();
}

async function administratorFinds(name: string): Promise<Page> {
  const page = await ground.open({ locale: 'en-US' });
  await page.addInitScript(countsClicks);
  await signIn(page, ground.admin, ground.administrator);
  await page.locator('input[type="search"]:focus').waitFor();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Identity' }).waitFor();
  return page;
}

describe('the keyboard', () => {
  it('finds what is looked for, opens by Enter, and leaves by Escape to where it was', async () => {
    const page = await administratorFinds('alice');
    const opener = page.getByRole('button', { name: 'Enrol token' });
    await opener.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => isFocused(opener)).toBe(true);
    const menu = page.getByRole('button', { name: /^Language/ });
    await menu.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio', { name: 'English' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await expect.poll(() => isFocused(menu)).toBe(true);
    for (const path of ['people', 'directory', 'configuration/events', 'explorer']) {
      await page.goto(new URL(path, ground.admin).href);
      await page.locator('input[type="search"]:focus').waitFor();
    }
    await page.keyboard.type('TOTP_Reg');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Otp.TOTP_Register' }).waitFor();
    await page.goto(new URL('configuration/roles', ground.admin).href);
    await page.locator('.frame main h1').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await isFocused(page.locator('#main'))).toBe(true);
    await page.context().close();
  });
});

/** Of a page that stands still. */
async function faultsOf(page: Page): Promise<readonly string[]> {
  await page.waitForFunction(() => document.querySelector('[aria-busy]') === null);
  const moves = await page.evaluate(() =>
    document.getAnimations().map((one) => `moves: ${one.effect?.getTiming().duration}`),
  );
  const all = [
    ...(await findingsOf(page, 'moderate')),
    ...(await widthFaults(page)),
    ...(await smallTargets(page)),
    ...(await focusFaults(page)),
  ];
  return [...moves, ...all];
}

describe.each([
  ['self-service', 'self', ['', 'factors', 'password', 'ssh-key', 'activity']],
  ['the Admin Portal', 'admin', [...adminPaths, 'explorer']],
] as const)('each page of %s', (_, site, paths) => {
  // German words are long.
  it('fits a phone, large text, thumbs, the keyboard and axe, in light and in dark', {
    timeout: 240_000,
  }, async () => {
    const page = await ground.open({ locale: 'de-DE', reducedMotion: 'reduce' });
    const faults: Record<string, readonly string[]> = {};
    const look = async (path: string) => {
      const found = await faultsOf(page);
      if (found.length > 0) faults[path] = found;
    };
    await page.goto(ground[site]);
    await page.locator('input').first().waitFor();
    await look('sign-in');
    if (site === 'self') await signIn(page, ground.self, ground.alice, ground.alice.code());
    else await signIn(page, ground.admin, ground.administrator);
    for (const path of paths) {
      await page.goto(new URL(path, ground[site]).href);
      await page.locator('.frame main h1').waitFor();
      await look(path);
    }
    if (site === 'admin') {
      await page.goto(new URL(`people?dn=${encodeURIComponent(ground.alice.dn)}`, ground.admin).href);
      await page.getByText('Otp.MaxTries').first().waitFor();
      await look('person');
    }
    expect(faults).toEqual({});
    await page.context().close();
  });
});

// Last: who has lost a phone cannot sign in with it.
describe('from the sign-in on', () => {
  it('a first token is enrolled with one click, and a code that is typed', async () => {
    const page = await administratorFinds('bob');
    await page.getByRole('button', { name: 'Enrol token' }).click();
    const picture = page.getByRole('img', { name: 'QR code of the new token' });
    const source = (await picture.getAttribute('src')) ?? '';
    const uri = readUri(await readQrCode(Buffer.from(source.split(',')[1] ?? '', 'base64')));
    await page.getByRole('dialog').getByRole('textbox').last().fill(codeAt(uri, Date.now()));
    await page.keyboard.press('Enter');
    await page.getByText('The token is enrolled').waitFor();
    expect(await clicksOf(page)).toBeLessThanOrEqual(1);
    await page.context().close();
  });

  it('a lost phone is out, and a new one enrolled, in four clicks', async () => {
    const page = await administratorFinds('alice');
    await page.getByRole('button', { name: 'Lost phone' }).click();
    await page.getByRole('checkbox', { name: /Token 1/ }).waitFor();
    await page.getByRole('button', { name: 'Do it' }).click();
    await page.getByText('It is shown this once').waitFor();
    expect(await clicksOf(page)).toBe(2);
    await page.getByRole('button', { name: 'Enrol the new phone' }).click();
    await page.getByRole('img', { name: 'QR code of the new token' }).waitFor();
    expect(await clicksOf(page)).toBeLessThan(6);
    await page.context().close();
  });
});
