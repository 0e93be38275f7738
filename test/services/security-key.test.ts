/** Logins with FIDO2 devices: every row over every door, on both directories; and Chromium with a device of its own. */
import { randomBytes } from 'node:crypto';
import { type Fixture, openFixture } from '@watchword/core/testing/bed';
import { type Listener, serve } from '@watchword/node/http';
import { webServiceServer } from '@watchword/server-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Browser,
  launchBrowser,
  type Page,
  plugInDevice,
} from '../../packages/core/src/testing/bed/engines/browser.ts';
import { SecurityKey, type Twist } from '../../packages/core/src/testing/bed/engines/security-key.ts';
import { directories, type Ground } from '../login/directories.ts';
import { addUser, dnOf, isActiveDirectory, rowsOver } from '../login/people.ts';
import { type Answer, type Door, doorNames, openDoor, system } from './doors.ts';

const password = 'Correct-Hörse-7';
const origin = 'https://login.example.com';
const refused = { code: 0, error: 'AuthFailed', message: 'Invalid username or password' };
const over = { code: 0, error: 'NoSession', message: 'Session not started or timedout' };

interface Row {
  readonly title: string;
  readonly mode: 'LDAPU2F' | 'LDAPMFA';
  readonly twist?: Twist;
  readonly otp?: string;
  readonly code: 0 | 1;
}

const rows: readonly Row[] = [
  { title: 'the password and the device', mode: 'LDAPU2F', code: 1 },
  { title: 'the password and the device, where a code would do', mode: 'LDAPMFA', code: 1 },
  { title: 'the password and a code, where a device would do', mode: 'LDAPMFA', otp: '246810', code: 1 },
  { title: 'the password and a code', mode: 'LDAPU2F', otp: '246810', code: 0 },
  { title: 'a page elsewhere', mode: 'LDAPU2F', twist: { origin: 'https://evil.test' }, code: 0 },
  { title: 'another relying party', mode: 'LDAPU2F', twist: { rpId: 'evil.test' }, code: 0 },
  { title: 'nobody present', mode: 'LDAPU2F', twist: { isPresent: false }, code: 0 },
];

describe.each(Object.keys(directories) as (keyof typeof directories)[])('on %s', (directory) => {
  let ground: Ground;
  const keys = new Map<string, SecurityKey>();
  beforeAll(async () => {
    ground = await directories[directory]({
      trusted_callers: [system],
      relying_party: { id: 'example.com' },
      settings: { 'Otp.MaxTries': '1000000' },
    });
    for (const mode of ['LDAPU2F', 'LDAPMFA']) {
      await addUser(ground, mode.toLowerCase(), password);
      const dn = dnOf(ground, mode.toLowerCase());
      await ground.call('Set_User_Settings', { dn, settings: { 'Otp.LoginMode': mode } });
      const key = new SecurityKey({ rpId: 'example.com', origin, hasCounter: true });
      const random = randomBytes(32).toString('base64url');
      const response = Buffer.from(key.register(random)).toString('base64');
      expect(await ground.call('Otp.FIDO_Register', { dn, response, random })).toMatchObject({ result: 1 });
      await ground.call('Otp.Emerg_Register', { dn, otp: '246810', expires: 86_400 });
      keys.set(mode, key);
    }
  });
  afterAll(() => ground.close());

  describe.each(doorNames)('over %s', (name) => {
    let door: Door;
    beforeAll(() => {
      door = openDoor(name, ground.service);
    });

    it.each(rowsOver(name, doorNames, rows))('$title: $code', async ({ mode, twist = {}, otp, code }) => {
      const username = mode.toLowerCase();
      const asked = await door('otpNormalLogin', { username, ldapPassword: password });
      expect(asked).toMatchObject({ code: 2, error: '', timeout: 90 });
      const { challenge, rpId, credentialIds } = JSON.parse(String(asked.u2fChallenge));
      const key = keys.get(mode);
      expect([rpId, credentialIds]).toEqual(['example.com', [key?.id.toString('base64')]]);
      const session = String(asked.session);
      const u2fResponse = key?.sign(challenge, twist) ?? '';
      const shown: Answer = otp === undefined ? { u2fResponse } : { otpPassword: otp };
      const answer = { username, session, ...(shown as Record<string, string>) };
      const answered = await door('otpChallenge', answer);
      if (code === 0) expect(answered).toEqual(refused);
      else {
        expect(answered).toMatchObject({ code: 1, message: 'Authentication success' });
        expect(await door('otpChallenge', answer)).toEqual(over);
      }
    });

    it('the password alone, and a wrong one', async () => {
      expect(await door('otpNormalLogin', { username: 'ldapu2f', ldapPassword: 'wrong' })).toEqual(refused);
      const asked = await door('otpSimpleLogin', { username: 'ldapu2f', anyPassword: password });
      expect(asked).toMatchObject({ code: 2, message: 'Use your security key' });
      expect(asked).not.toHaveProperty('otpChallenge');
    });
  });
});

describe.runIf(!isActiveDirectory)('Chromium', () => {
  let fixture: Fixture;
  let listener: Listener;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    const config = { relying_party: { id: 'localhost' }, settings: { 'Otp.LoginMode': 'LDAPU2F' } };
    fixture = await openFixture({ config });
    await fixture.call('Activate_LDAP_Object', { dn: fixture.users.alice.dn });
    // Browsers take localhost for safe without TLS.
    listener = await serve(webServiceServer(fixture.service), { host: 'localhost', port: 0 });
    browser = await launchBrowser();
    page = await (await browser.newContext()).newPage();
    await plugInDevice(page);
    await page.goto(listener.url);
  });
  afterAll(async () => {
    await browser?.close();
    await listener?.close();
    await fixture?.close();
  });

  async function logIn(): Promise<object> {
    const ask = async (operation: string, fields: Record<string, string>) => {
      const body = new URLSearchParams(fields);
      return (await fetch(`${listener.url}otp/json/${operation}/`, { method: 'POST', body })).json();
    };
    const { username, password: ldapPassword } = fixture.users.alice;
    const { session, u2fChallenge } = await ask('otpNormalLogin', { username, ldapPassword });
    const u2fResponse = await page.evaluate(async (text) => {
      const bytes = (base64: string) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      const base64 = (buffer: ArrayBuffer | null) =>
        btoa(String.fromCharCode(...new Uint8Array(buffer ?? new ArrayBuffer(0))));
      const { challenge, rpId, credentialIds } = JSON.parse(text);
      const allowCredentials = credentialIds.map((id: string) => ({
        type: 'public-key' as const,
        id: bytes(id),
      }));
      const publicKey = { challenge: bytes(challenge), rpId, allowCredentials };
      const credential = await navigator.credentials.get({ publicKey });
      const { response } = credential as PublicKeyCredential & { response: AuthenticatorAssertionResponse };
      return JSON.stringify({
        authenticatorData: base64(response.authenticatorData),
        clientDataJSON: base64(response.clientDataJSON),
        signature: base64(response.signature),
        userHandle: base64(response.userHandle),
      });
    }, u2fChallenge);
    return ask('otpChallenge', { username, session, u2fResponse });
  }

  it('registers its device and logs in with it, again and again', async () => {
    const random = randomBytes(32).toString('base64url');
    const { username, dn } = fixture.users.alice;
    const { result } = await fixture.call('Otp.FIDO_Challenge', { username, domain: 'Default', random });
    const made = await page.evaluate(async (text) => {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(text));
      const credential = await navigator.credentials.create({ publicKey });
      return JSON.stringify((credential as PublicKeyCredential).toJSON());
    }, String(result));
    const response = Buffer.from(made).toString('base64url');
    const registered = await fixture.call('Otp.FIDO_Register', { dn, response, random, name: 'Chromium' });
    expect(registered).toMatchObject({ result: 1 });
    for (const _ of [1, 2, 3])
      expect(await logIn()).toMatchObject({ code: 1, message: 'Authentication success' });
    const { result: devices } = await fixture.call('Otp.User_Devices', { dn });
    expect(devices).toMatchObject([{ id: 1, name: 'Chromium', enabled: true, transports: ['usb'] }]);
  });

  it('makes no second credential for the same user', async () => {
    const random = randomBytes(32).toString('base64url');
    const { username } = fixture.users.alice;
    const { result } = await fixture.call('Otp.FIDO_Challenge', { username, domain: 'Default', random });
    const made = page.evaluate(async (text) => {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(text));
      await navigator.credentials.create({ publicKey });
    }, String(result));
    await expect(made).rejects.toThrow(/InvalidStateError|already/);
  });
});
