/** Both flows of registration, as a portal and somebody with this soft token go through them. */
import { execFile } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readQrText } from '@watchword/core/testing/bed';
import { Agent, fetch, type RequestInit } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readAccount } from './account.ts';
import { codeAt } from './code.ts';
import { grounds, runServers, type Servers } from './servers.ts';

const run = promisify(execFile);
const password = 'p3ople-Pa55word';
/** Milliseconds: nobody wants to wait 30 seconds for the next code. */
const period = 5000;
/** A number as the specification writes it; the client's types want numbers. */
const written = (number: number): number => String(number) as unknown as number;
const text = {
  random: { length: written(20) },
  session: { timeout: written(300) },
  picture: { size: written(5), margin: written(4) },
};

describe.each(Object.keys(grounds))('on %s', (ground) => {
  let servers: Servers;
  let dispatcher: Agent;
  let otp: Servers['manager']['Otp'];
  beforeAll(async () => {
    servers = await runServers(ground, {
      settings: { 'Otp.TOTPTimeStep': String(period / 1000) },
    });
    dispatcher = new Agent({ connect: { ca: await readFile(servers.ca, 'utf8') } });
    otp = servers.manager.Otp;
  });
  afterAll(async () => {
    await dispatcher.close();
    await servers.close();
  });

  let people = 0;
  let [username, dn, key, account] = ['', '', '', ''];
  beforeEach(async () => {
    people += 1;
    username = `person${people}`;
    dn = `uid=${username},${servers.people}`;
    account = join(servers.folder, `${username}.json`);
    const attrs = {
      objectclass: ['inetOrgPerson', 'webadmaccount'],
      uid: [username],
      userpassword: [password],
    };
    await servers.manager.Create_LDAP_Object({ dn, attrs: { ...attrs, cn: ['P'], sn: ['P'] } });
    key = await servers.manager.Get_Random_Bytes(text.random);
  });

  const uriFor = (session: string) =>
    otp.TOTP_URI({ name: `Example ${username}`, key, userid: username, domain: 'Default', session });
  const picture = async (uri: string | false, format: 'GIF' | 'JPG' | 'PNG') => {
    const file = join(servers.folder, `${username}.${format.toLowerCase()}`);
    const drawn = await servers.manager.Get_QRCode({ uri: String(uri), format, ...text.picture });
    await writeFile(file, Buffer.from(drawn, 'base64'));
    return file;
  };
  /** What the program prints; rejects with what it complains of. */
  const softToken = async (...args: string[]) => {
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: servers.ca };
    const { stdout } = await run(
      process.execPath,
      ['scripts/example.mjs', 'soft-token/soft-token.ts', ...args, '--account', account],
      { env },
    );
    return stdout.trim();
  };
  const send = (address: string | URL, request: RequestInit = {}) =>
    fetch(address, { ...request, dispatcher });
  const logIn = async (otpPassword: string) =>
    (await servers.web.otp.normalLogin({ username, ldapPassword: password, otpPassword })).code;
  /** @returns the code that it was confirmed with */
  const confirm = async (...args: string[]) => {
    const [, code = ''] =
      /^Registration confirmed\. (\d{6}) is used up/.exec(await softToken('confirm', ...args)) ?? [];
    return code;
  };
  const nextCode = async () => {
    await sleep(period - (Date.now() % period));
    return softToken('code');
  };

  it('the interactive flow: the portal waits for the scan, and registers then', async () => {
    const session = await otp.Mobile_Session(text.session);
    const uri = await uriFor(session);
    const shown = await servers.manager.Get_QRCode({ uri: String(uri), format: 'TXT', ...text.picture });
    expect(await readQrText(Buffer.from(shown, 'base64').toString(), 'dark')).toBe(uri);
    expect(await otp.Mobile_Response({ session })).toBe(2);
    await softToken('scan', await picture(uri, 'GIF'));
    expect((await stat(account)).mode & 0o777).toBe(0o600);
    await expect(softToken('scan', await picture(uri, 'PNG'))).rejects.toThrow('already exists');
    expect(await otp.Mobile_Response({ session })).toBe(2);
    const used = await confirm();
    expect(await otp.Mobile_Response({ session })).toBe(1);
    expect(await otp.User_Tokens({ dn })).toEqual([]);
    expect(await otp.TOTP_Register({ dn, key, session })).toBe(1);
    expect(await otp.User_Tokens({ dn })).toMatchObject([{ id: 1, type: 'TOTP', model: 'Soft token' }]);
    expect(await logIn(used)).toBe(0);
    const code = await nextCode();
    expect(await logIn(code)).toBe(1);
    expect(await logIn(code)).toBe(0);
  });

  it('the detached flow: the token is registered with a PIN, and attached by the scan', async () => {
    const session = await otp.Mobile_Session({ ...text.session, pincode: '4711' });
    expect(await otp.TOTP_Register({ dn, key, session })).toBe(1);
    await softToken('scan', await picture(await uriFor(session), 'JPG'));
    expect(await otp.User_Tokens({ dn })).toEqual([]);
    expect(await logIn(await softToken('code'))).toBe(0);
    await expect(softToken('confirm')).rejects.toThrow('Invalid code');
    const used = await confirm('--pincode', '4711');
    expect(await otp.User_Tokens({ dn })).toMatchObject([{ id: 1, type: 'TOTP', model: 'Soft token' }]);
    expect(await otp.Mobile_Response({ session })).toBe(1);
    expect(await logIn(used)).toBe(0);
    expect(await logIn(await nextCode())).toBe(1);
  });

  it('five wrong PINs end the session', async () => {
    const session = await otp.Mobile_Session({ ...text.session, pincode: '4711' });
    await otp.TOTP_Register({ dn, key, session });
    await softToken('scan', await picture(await uriFor(session), 'PNG'));
    const kept = await readAccount(account);
    const answers: unknown[] = [];
    for (const pincode of ['4712', '4713', '4714', '4715', '4716']) {
      const body = JSON.stringify({ session, otp: codeAt(kept, Date.now()), pincode });
      answers.push(await (await send(`${kept.endpoint}`, { method: 'POST', body })).json());
    }
    const [refused, over] = ['Invalid code', 'Session not started or timedout'];
    const messages = [refused, refused, refused, refused, over];
    expect(answers).toEqual(messages.map((message) => ({ code: 0, message })));
    await expect(softToken('confirm', '--pincode', '4711')).rejects.toThrow(over);
    expect(await otp.Mobile_Response({ session })).toBe(0);
    expect(await otp.User_Tokens({ dn })).toEqual([]);
  });

  it('an app that knows no endpoint is confirmed on the page', async () => {
    const session = await otp.Mobile_Session({ ...text.session, pincode: '4711' });
    await otp.TOTP_Register({ dn, key, session });
    await softToken('scan', await picture(await uriFor(session), 'GIF'));
    const { endpoint } = await readAccount(account);
    const page = await send(`${endpoint}?session=${session}`);
    const [, action = ''] = /<form method="post" action="([^"]+)">/.exec(await page.text()) ?? [];
    const fill = async (otp: string) => {
      const body = new URLSearchParams({ session, otp, pincode: '4711' });
      return (await send(new URL(action, page.url), { method: 'POST', body })).text();
    };
    const used = await softToken('code');
    expect(await fill('000000')).toContain('not right');
    expect(await fill(used)).toContain('Token confirmed');
    expect(await logIn(used)).toBe(0);
    expect(await logIn(await nextCode())).toBe(1);
  });

  it('a small QR code holds a short address, which the soft token follows', async () => {
    const session = await otp.Mobile_Session(text.session);
    const label = { name: 'T', key, userid: username, domain: 'Default', session };
    await softToken('scan', await picture(await otp.TOTP_URI({ ...label, tinyurl: true }), 'GIF'));
    await confirm();
    expect(await otp.Mobile_Response({ session })).toBe(1);
  });
});
