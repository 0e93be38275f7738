/**
 * What is done with somebody on their page; that in which a directory has a part, on both kinds of directories. Each act is looked at through
 * another door: a login over REST, or the Manager. The clock of the servers is moved, as each code is good once.
 */
import { createSecretKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createManager, type Manager } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { hotp } from '@watchword/core/otp';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readUri } from '../../../examples/soft-token/account.ts';
import { codeAt, type Token } from '../../../examples/soft-token/code.ts';
import type { Page, Route } from '../../core/src/testing/bed/engines/browser.ts';
import { readQrCode } from '../../core/src/testing/bed/engines/qr-reader.ts';
import { Yubikey } from '../../core/src/testing/bed/engines/yubico/yubikey.ts';
import { openGround, type Portal } from './ground.ts';
import { openSlapdGround } from './slapd-ground.ts';

const clerks = 'cn=clerks,ou=groups,dc=example,dc=org';
const minute = 60_000;
/** More than are let through in a row. */
const mostGuesses = 12;

const secret = Buffer.from('12345678901234567890');
/** Codes are good once for a secret, whatever token has it. */
const otherSecret = Buffer.from('09876543210987654321');
const press = (counter: number, of = secret) => hotp({ secret: createSecretKey(of), digits: 6 }, counter);

const directories = { 'the embedded directory': openGround, OpenLDAP: openSlapdGround } as const;

describe.each(Object.entries(directories))('on %s', (kind, openOn) => {
  /** An act of the page and the servers alone, whatever the directory is. */
  const ofPage = (title: string, act: () => Promise<void>) => {
    if (kind === 'the embedded directory') it(title, act);
  };
  let ground: Portal;
  let manager: Manager;
  let page: Page;
  let password: string;
  const complaints: string[] = [];

  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    ground = await openOn();
    password = ground.bob.password;
    const { fetch } = nodeTransport({ ca: await readFile(ground.ca, 'utf8') });
    const { username, password: own } = ground.administrator;
    manager = createManager({ url: ground.manager, username, password: own, fetch });
    page = await signedIn();
    page.on('pageerror', (error) => complaints.push(String(error)));
    await openBob();
  });
  afterAll(async () => {
    await ground.close();
    vi.useRealTimers();
  });
  afterEach(async () => {
    // What went wrong in one act is not to stand in the way of the next.
    await page.keyboard.press('Escape');
    expect(complaints).toEqual([]);
  });

  async function signedIn(): Promise<Page> {
    const { username, password: own } = ground.administrator;
    const window = await ground.open({ locale: 'en-US' });
    await window.goto(ground.admin);
    await window.getByLabel('User name').fill(username);
    await window.getByLabel('Password').fill(own);
    await window.keyboard.press('Enter');
    await window.getByRole('searchbox', { name: 'Find somebody' }).waitFor();
    return window;
  }

  async function openBob(): Promise<void> {
    await page.goto(`${ground.admin}people?dn=${encodeURIComponent(ground.bob.dn)}`);
    await card('Identity').waitFor();
  }

  const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
  const card = (name: string) => page.getByRole('region', { name, exact: true });
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const dialog = () => page.getByRole('dialog');
  const said = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const fill = (name: string, text: string) => dialog().getByLabel(name, { exact: true }).fill(text);

  async function choose(label: RegExp, option: string): Promise<void> {
    await page.getByRole('button', { name: label }).click();
    await page.getByRole('option', { name: option }).click();
  }

  async function chooseAct(of: string, act: string): Promise<void> {
    await button(of).click();
    await page.getByRole('menuitem', { name: act, exact: true }).click();
  }

  async function agree(act: string): Promise<void> {
    await page.getByRole('alertdialog').getByRole('button', { name: act }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  }

  /** True if bob logs in so, over REST. */
  async function letsIn(otpPassword: string): Promise<boolean> {
    const data = { username: ground.bob.username, ldapPassword: password, otpPassword };
    const answer = await page.request.post(new URL('/otp/json/otpNormalLogin/', ground.self).href, { data });
    return (await answer.json()).code === 1;
  }

  async function enrol(kind: string): Promise<void> {
    await button('Enrol token').click();
    await choose(/Kind of token$/, kind);
  }

  async function isEnrolled(): Promise<void> {
    await dialog().waitFor({ state: 'detached' });
  }

  /** As on a slow server: what the page reads of the tokens comes when the function that is returned is called. */
  async function holdTokens(): Promise<() => Promise<void>> {
    const held: Route[] = [];
    let isHolding = true;
    await page.route('**/admin/rpc', async (route) => {
      if (isHolding && route.request().postData()?.includes('"Otp.User_Tokens"')) held.push(route);
      else await route.fallback();
    });
    const goOn = async () => {
      isHolding = false;
      await Promise.all(held.splice(0).map((route) => route.continue()));
    };
    onTestFinished(goOn);
    return goOn;
  }

  it('a token with a button lets in by its key, and is found again when it is far ahead', async () => {
    await enrol('Token with a button');
    await fill('Key, in hexadecimal or Base32', 'key 1');
    await dialog().getByRole('button', { name: 'Enrol' }).click();
    await said('That is not such a key.');
    await fill('Key, in hexadecimal or Base32', secret.toString('hex'));
    await dialog().getByRole('button', { name: 'Enrol' }).click();
    await isEnrolled();
    expect(await letsIn(press(0))).toBe(true);
    await chooseAct('Acts for Token 1', 'Resynchronise');
    await fill('Code', press(300));
    await fill('Next code', press(302));
    const goOn = await holdTokens();
    await dialog().getByRole('button', { name: 'Resynchronise' }).click();
    await said(/No such code was found/);
    await fill('Next code', press(301));
    await dialog().getByRole('button', { name: 'Resynchronise' }).click();
    await isEnrolled();
    await goOn();
    expect(await letsIn(press(302))).toBe(true);
  });

  ofPage('a disabled token lets nobody in, an enabled one does, a removed one is gone', async () => {
    await button('Disable').click();
    await said('Token 1 is disabled');
    expect(await letsIn(press(303))).toBe(false);
    await button('Enable').click();
    await said('Token 1 is enabled');
    expect(await letsIn(press(304))).toBe(true);
    await chooseAct('Acts for Token 1', 'Remove');
    await agree('Remove token');
    await card('Tokens').getByText('No token yet.').waitFor();
    expect(await manager.Otp.User_Tokens({ dn: ground.bob.dn })).toEqual([]);
  });

  ofPage('a Yubikey with a key of its own lets in by a touch', async () => {
    const yubikey = new Yubikey();
    await enrol('Yubikey');
    const typed = yubikey.touch();
    await fill('Public id (as the key types it, or in hexadecimal)', typed.slice(0, 12));
    await fill('Private id (12 hexadecimal digits)', yubikey.privateId.toString('hex'));
    await fill('AES key (32 hexadecimal digits)', yubikey.key.toString('hex'));
    await dialog().getByRole('button', { name: 'Enrol' }).click();
    await isEnrolled();
    await card('Tokens').getByText('Yubikey').first().waitFor();
    expect(await letsIn(yubikey.touch())).toBe(true);
  });

  ofPage('a token of the inventory goes to who is handed it, by its number and a code', async () => {
    const reference = '47-0001';
    const data = {
      TokenType: Buffer.from('HOTP').toString('base64'),
      TokenKey: otherSecret.toString('base64'),
    };
    await manager.Import_Inventory_Item({ type: 'OTP Token', reference, description: 'Blue token', data });
    await enrol('From the inventory');
    await fill('Serial number, or what the Yubikey types', reference);
    await fill('A code of it', press(0, otherSecret));
    await dialog().getByRole('button', { name: 'Enrol' }).click();
    await isEnrolled();
    const item = await manager.Get_Inventory_Item({ type: 'OTP Token', reference });
    expect(item.dn?.toLowerCase()).toBe(ground.bob.dn.toLowerCase());
    expect(await letsIn(press(1, otherSecret))).toBe(true);
  });

  /** The app that has scanned the code which is shown. */
  async function scanned(): Promise<Token> {
    const picture = await dialog().getByRole('img', { name: 'QR code of the new token' }).getAttribute('src');
    return readUri(await readQrCode(Buffer.from(picture?.split(',')[1] ?? '', 'base64')));
  }

  ofPage(
    'what was scanned and what was typed stays good while the page reads what the act before has changed',
    async () => {
      const { dn } = ground.bob;
      const goOn = await holdTokens();
      await enrol('Token with a button');
      await fill('Key, in hexadecimal or Base32', Buffer.from('abcdefghijklmnopqrst').toString('hex'));
      await dialog().getByRole('button', { name: 'Enrol' }).click();
      await isEnrolled();
      await enrol('App on a phone');
      const own = await scanned();
      await fill('Code in the app', codeAt(own, Date.now()));
      await goOn();
      await dialog().getByRole('button', { name: '4: free Slot' }).waitFor();
      await dialog().getByRole('button', { name: 'Enrol' }).click();
      await isEnrolled();
      const tokens = await manager.Otp.User_Tokens({ dn });
      expect(tokens.map(({ id, type }) => `${id} ${type}`)).toEqual([
        '1 YUBIKEY',
        '2 HOTP',
        '3 HOTP',
        '4 TOTP',
      ]);
      await manager.Otp.Token_Unregister({ dn, id: 4 });
      await openBob();
    },
  );

  let app: Token;

  it('an app that confirms nothing is enrolled by the code that it shows, and found again where its clock is off', async () => {
    await enrol('App on a phone');
    app = await scanned();
    const goOn = await holdTokens();
    await fill('Code in the app', '000000');
    await dialog().getByRole('button', { name: 'Enrol' }).click();
    await said(/That is not the code of this app now/);
    await fill('Code in the app', codeAt(app, Date.now()));
    await dialog().getByRole('button', { name: 'Enrol' }).click();
    await isEnrolled();
    await goOn();
    later(minute);
    expect(await letsIn(codeAt(app, Date.now()))).toBe(true);
    const off = 20 * minute;
    later(minute);
    expect(await letsIn(codeAt(app, Date.now() + off))).toBe(false);
    const [token] = (await manager.Otp.User_Tokens({ dn: ground.bob.dn })).filter(
      ({ type }) => type === 'TOTP',
    );
    await chooseAct(`Acts for Token ${token?.id}`, 'Resynchronise');
    await fill('Code', codeAt(app, Date.now() + off));
    await dialog().getByRole('button', { name: 'Resynchronise' }).click();
    await isEnrolled();
    later(minute);
    expect(await letsIn(codeAt(app, Date.now() + off))).toBe(true);
  });

  ofPage('each code of a printed list lets in once, and an emergency code as often as was said', async () => {
    const takeCodesOf = (type: 'LIST' | null) =>
      manager.Set_User_Settings({ dn: ground.bob.dn, settings: { 'Otp.OTPType': type } });
    await takeCodesOf('LIST');
    await button('Make a list').click();
    await said('A list of 20 codes');
    const [code = ''] = await dialog().getByRole('listitem').allTextContents();
    await dialog().getByRole('button', { name: 'Close' }).click();
    expect(await letsIn(code.trim())).toBe(true);
    expect(await letsIn(code.trim())).toBe(false);
    await takeCodesOf(null);
    await button('Give emergency code').click();
    await dialog().getByRole('button', { name: 'Give emergency code' }).click();
    await said('It is shown this once');
    const emergency = (await dialog().getByRole('status').locator('code').textContent()) ?? '';
    await dialog().getByRole('button', { name: 'Close' }).click();
    await card('Emergency code and printed list').getByText('19 of 20 codes are left').waitFor();
    expect(await letsIn(emergency)).toBe(true);
    expect(await letsIn(emergency)).toBe(false);
  });

  it('who is blocked gets in no more, until the block is taken away', async () => {
    await chooseAct('More acts', 'Block');
    await card('Blocks and known sources')
      .getByText(/^Blocked/)
      .waitFor();
    later(minute);
    expect(await letsIn(codeAt(app, Date.now() + 20 * minute))).toBe(false);
    await chooseAct('More acts', 'Unblock');
    await card('Blocks and known sources').getByText('Not blocked').waitFor();
    later(minute);
    expect(await letsIn(codeAt(app, Date.now() + 20 * minute))).toBe(true);
  });

  it('a password that was made up lets in, and the one before no more', async () => {
    await button('Set password').click();
    await dialog().getByRole('button', { name: 'Make one up' }).click();
    const made = await dialog().getByLabel('New password').inputValue();
    await dialog().getByRole('button', { name: 'Set password' }).click();
    await said(/The password is set/);
    later(minute);
    expect(await letsIn(codeAt(app, Date.now() + 20 * minute))).toBe(false);
    password = made;
    later(minute);
    expect(await letsIn(codeAt(app, Date.now() + 20 * minute))).toBe(true);
  });

  it('a setting comes from the group, then from the user, and from the group again', async () => {
    const { dn } = ground.bob;
    const objectClass = ['groupOfNames', 'webadmGroup'];
    await manager.Create_LDAP_Object({ dn: clerks, attrs: { objectClass, member: dn } });
    await manager.Set_User_Settings({ dn: clerks, settings: { 'Otp.MaxTries': '7' } });
    // Whether any group has settings is asked once a second.
    later(minute);
    await openBob();
    const row = page.getByRole('row', { name: /Otp.MaxTries/ });
    await row.getByText('group clerks', { exact: true }).waitFor();
    await button('Change Otp.MaxTries').click();
    await fill('Value', '9');
    await button('Save').click();
    await row.getByText('this user').waitFor();
    await row.getByText('Covers 7 from group clerks').waitFor();
    const inForce = async () => (await manager.Get_User_Settings({ dn }))['Otp.MaxTries'];
    expect(await inForce()).toBe('9');
    await button('Change Otp.MaxTries').click();
    await fill('Value', '');
    await button('Save').click();
    await row.getByText('group clerks', { exact: true }).waitFor();
    expect(await inForce()).toBe('7');
  });

  it('who is deactivated gets in no more, and has the tokens still when activated again', async () => {
    await chooseAct('More acts', 'Deactivate');
    await said('Not activated');
    later(minute);
    expect(await letsIn(codeAt(app, Date.now() + 20 * minute))).toBe(false);
    await chooseAct('More acts', 'Activate');
    await page.getByText('Activated', { exact: true }).waitFor();
    later(minute);
    expect(await letsIn(codeAt(app, Date.now() + 20 * minute))).toBe(true);
  });

  ofPage('a certificate that was issued stands on the page, until it is revoked', async () => {
    await page.goto(`${ground.admin}configuration/certificates`);
    await choose(/Whose$/, 'A user');
    await page.getByLabel('DN of the entry', { exact: true }).fill(ground.bob.dn);
    await page.keyboard.press('Enter');
    await button('Make the key and sign').click();
    await button('Save the certificate').waitFor();
    await openBob();
    await card('Certificates').getByText('Valid').waitFor();
    await card('Certificates').getByRole('button', { name: 'Revoke' }).click();
    await agree('Revoke');
    await card('Certificates').getByText('Revoked').waitFor();
    expect(await manager.List_Certificates({ dn: ground.bob.dn })).toMatchObject([{ status: 'revoked' }]);
  });

  ofPage('a session of the portal that is ended from the list is over at once', async () => {
    const other = await signedIn();
    await page.goto(`${ground.admin}configuration/sessions`);
    await page
      .getByRole('row')
      .filter({ hasNotText: 'this one' })
      .getByRole('button', { name: 'End' })
      .click();
    await agree('End');
    await other.getByRole('searchbox').fill(ground.bob.username);
    await other.getByText('Your session is over.').waitFor();
    await other.context().close();
    expect(await manager.Admin_Sessions()).toHaveLength(1);
  });

  ofPage('whoever guesses at the door is told how long to wait', async () => {
    const window = await ground.open({ locale: 'en-US' });
    await window.goto(ground.admin);
    await window.getByLabel('User name').fill(ground.carol.username);
    const wait = window.getByRole('alert').getByText(/^You may try again in \d+ seconds?\.$/);
    // By the answer, not by what is shown meanwhile: the notice of the guess before is still there, and that of a short wait is soon gone.
    for (let guesses = 0, isRefused = false; guesses < mostGuesses && !isRefused; guesses += 1) {
      const answered = window.waitForResponse('**/admin/session');
      await window.getByLabel('Password').fill(`wrong ${guesses}`);
      await window.keyboard.press('Enter');
      const answer = await answered;
      const { retryAfter } = await answer.json();
      isRefused = Number(retryAfter ?? answer.headers()['retry-after'] ?? 0) > 0;
      await window.locator('form button[type=submit]').waitFor(); // it takes the next guess
    }
    await wait.waitFor();
    await window.context().close();
  });
});
