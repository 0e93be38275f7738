/** Both sites in German, from wrong passwords to the event log: nothing of it is said in English. */
import { reasons } from '@watchword/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from '../../core/src/testing/bed/engines/browser.ts';
import { errorTexts } from '../src/texts/errors/index.ts';
import { adminPaths } from './admin-paths.ts';
import { englishOn } from './english.ts';
import { type Ground, openGround } from './ground.ts';
import { selfSettings } from './scenes/self.ts';

let ground: Ground;
let page: Page;
beforeAll(async () => {
  ground = await openGround(selfSettings);
});
afterAll(() => ground.close());

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByLabel(name, { exact: true });
const go = (path: string) => page.goto(new URL(path, ground.admin).href);
const isGerman = async () => expect(await englishOn(page)).toEqual([]);

describe('self-service in German', () => {
  it('says why not, what it asks for, and what happened', async () => {
    page = await ground.open({ locale: 'en-US' });
    await page.goto(ground.self);
    await field('User name').waitFor();
    expect(await englishOn(page)).not.toEqual([]);
    await page.context().close();
    page = await ground.open({ locale: 'de-DE' });
    await page.goto(ground.self);
    await field('Benutzername').fill('alice');
    await button('Anmelden').click();
    await page.getByText('Bitte ausfüllen.').waitFor();
    await field('Passwort').fill('falsch');
    await button('Anmelden').click();
    await page.getByRole('alert').getByText('Name, Passwort oder Code sind nicht richtig.').waitFor();
    await field('Passwort').fill(ground.alice.password);
    await button('Anmelden').click();
    await page.getByText('Geben Sie den Code Ihres Tokens oder Ihrer Authenticator-App ein.').waitFor();
    await isGerman();
    await field('Code').fill(ground.alice.code());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /^Guten Tag/ }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await isGerman();
    await page.goto(new URL('activity', ground.self).href);
    const logins = page.locator('.entry');
    await logins
      .filter({ hasText: 'Angemeldet mit: Passwort und Token' })
      .filter({ hasText: 'Gewährt' })
      .waitFor();
    await logins.filter({ hasText: 'Das Passwort war falsch.' }).filter({ hasText: 'Abgelehnt' }).waitFor();
    await logins.filter({ hasText: 'Selbstbedienung' }).first().waitFor();
    expect(await page.locator('.entry [lang="en"]').count()).toBe(0);
    await isGerman();
  });

  it('refuses in German', async () => {
    await page.goto(new URL('factors', ground.self).href);
    await button('Aktionen für Authenticator-App 1').click();
    await page.getByRole('menuitem', { name: 'Entfernen' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Entfernen' }).click();
    await page.getByText('Der letzte zweite Faktor bleibt').waitFor();
    await isGerman();
    await page.context().close();
  });
});

describe('the Admin Portal in German', () => {
  it('has every page in German', async () => {
    page = await ground.open({ locale: 'de-DE' });
    const data = { username: 'alice', ldapPassword: 'falsch', otpPassword: '000000' };
    await page.request.post(new URL('/otp/json/otpNormalLogin/', ground.self).href, { data });
    await go('people');
    await field('Benutzername').fill(ground.administrator.username);
    await field('Passwort').fill(ground.administrator.password);
    await page.keyboard.press('Enter');
    await page.getByRole('searchbox').fill('alice');
    await page.keyboard.press('Enter');
    await page
      .getByRole('region', { name: 'Einstellungen' })
      .or(page.getByText('Otp.MaxTries'))
      .first()
      .waitFor();
    await page.getByText('Das Passwort war falsch.').first().waitFor();
    await isGerman();
    for (const path of adminPaths) {
      await go(path);
      await page.locator('main h1').waitFor();
      await page.waitForFunction(() => document.querySelector('[aria-busy]') === null);
      expect([path, await englishOn(page)]).toEqual([path, []]);
    }
  });

  it('refuses in German', async () => {
    const dn = encodeURIComponent('ou=people,dc=example,dc=org');
    await go(`directory?dn=${dn}`);
    await button('Neuer Eintrag').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('alice');
    for (const name of ['cn', 'sn']) await dialog.getByLabel(name, { exact: true }).fill('x');
    await dialog.getByRole('button', { name: 'Neuer Eintrag' }).click();
    await page
      .getByText(/Das gibt es schon|lehnt es ab|nicht angenommen/)
      .first()
      .waitFor();
    await isGerman();
    await page.context().close();
  });
});

it('every reason has a sentence; of SOAP alone, pages hear nothing', () => {
  const unsaid = reasons.filter((reason) => !Object.hasOwn(errorTexts.en, reason));
  expect(unsaid).toEqual(['version_mismatch', 'must_understand']);
});
