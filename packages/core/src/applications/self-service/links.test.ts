/** Links by which people set a lost password or register what they log in with: over the embedded directory and slapd. */
import { createSecretKey, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ServiceError } from '../../foundation/errors/errors.ts';
import { fromBase32 } from '../../foundation/oath/base32.ts';
import { totp } from '../../foundation/oath/totp.ts';
import { formatUri } from '../../foundation/oath/uri.ts';
import { encodeModules } from '../../foundation/qr/matrix.ts';
import { drawSvg } from '../../foundation/qr/svg.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { KeptSender } from '../../messaging/testing/kept-sender.ts';
import type { Mail, Sms } from '../../ports/sending/sender.ts';
import { SecurityKey } from '../../testing/bed/engines/security-key.ts';
import type { Fixture } from '../../testing/bed/fixture.ts';
import { engines, openStage, refusalOf, type Stage } from '../../testing/bed/stage.ts';
import { type Opened, open } from './testing/pages.ts';

const password = 'Correct-Horse-7';
const wanted = 'Battery-Staple-8';
const party = { id: 'localhost', origins: ['https://localhost:4443'] };
const settings = {
  ...{ 'Otp.PasswordReset': 'Yes', 'Otp.SelfRegister': 'Yes', 'SshKey.SelfRegister': 'Yes' },
} as const;

describe.each(engines)('links: %s', (engine) => {
  const mail = new KeptSender<Mail>();
  const sms = new KeptSender<Sms>();
  let stage: Stage;
  let node: Fixture;
  let manager: Stage['manager'];
  let people: string;
  let number = 0;
  beforeAll(async () => {
    stage = await openStage(engine);
    const config = { settings, clients: { wiki: {} }, relying_party: party } as const;
    const ports = () => ({ ...stage.ports, senders: { mail, sms } });
    node = await stage.fixture.another({ config, ports });
    manager = await stage.enter({ config, ports });
    people = await stage.container();
  });
  afterAll(async () => {
    await node.close();
    await stage.close();
  });

  async function person(more: Record<string, string> = {}) {
    number += 1;
    const username = `link${number}-${engine.toLowerCase()}`;
    const own = { userpassword: password, mail: `${username}@example.com`, ...more };
    return { username, dn: await stage.person(people, username, own) };
  }
  const knows = async (dn: string, text: string) =>
    (await node.ports.directory.authenticate(Dn.parse(dn), text)).granted;
  const mailTo = async (username: string, subject: string) => {
    const isIt = ({ to, subject: said }: Mail) => to === `${username}@example.com` && said === subject;
    await mail.until(() => mail.taken.some(isIt));
    return mail.taken.find(isIt)?.text ?? '';
  };
  const linkIn = (text: string) => /https:\S+token=\w+/.exec(text)?.[0] ?? '';
  const set = (link: string, page: Opened, text = wanted) =>
    open(node, link, { form: { ...page.fields, password: text, again: text } });

  describe('a lost password', () => {
    it('is set once, by one of a hundred who use the link at once, at either server, and ends what was open', async () => {
      const { dn, username } = await person();
      const comments = 'As you asked me.';
      const link = await manager.PwReset.Send_Request({ username, method: 'MAIL', comments });
      const other = await manager.PwReset.Send_Request({ username, method: 'NONE' });
      expect(link).toMatch(/^https:\/\/localhost:4443\/webapps\/pwreset\?token=[0-9A-Za-z]{32}$/);
      const text = await mailTo(username, 'Set a new password');
      expect([linkIn(text), text]).toEqual([link, expect.stringContaining(comments)]);
      const begun = await node.service.web.sso.start({ username });
      const session = 'session' in begun ? begun.session : '';
      const page = await open(node, link, { isShared: true });
      expect(page.headers).toMatchObject({
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; style-src 'sha256-[^']+'; form-action/,
        ),
        ...{ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' },
      });
      const all = await Promise.all(Array.from({ length: 100 }, () => set(link, page)));
      expect(all.filter(({ text: said }) => said.includes('Your new password is set'))).toHaveLength(1);
      expect(await knows(dn, wanted)).toBe(true);
      expect((await node.service.web.sso.check({ session })).code).toBe(0);
      for (const used of [link, other]) expect((await open(node, used)).status).toBe(404);
      expect(await mailTo(username, 'Your password was changed')).toContain(username);
      const uses = node
        .events()
        .filter(({ text: result }) => result.includes(`${username}": the password was set`));
      expect(uses).toMatchObject([{ application: 'PwReset', source: '198.51.100.7' }]);
    });

    it('keeps the link while what is entered is not taken', async () => {
      const { dn, username } = await person();
      await manager.Set_User_Settings({
        dn,
        settings: { 'PwReset.PasswordMinLength': '12', 'PwReset.PasswordSymbol': true },
      });
      const link = await manager.PwReset.Send_Request({ username, method: 'NONE' });
      const page = await open(node, link);
      const form = { ...page.fields, password: wanted, again: password };
      expect((await open(node, link, { form })).text).toContain('not the same');
      const short = await set(link, page, 'shortone1');
      expect(short.text).toContain('at least 12 characters');
      expect(short.text).toContain('neither a letter nor a digit');
      expect(await knows(dn, password)).toBe(true);
      expect((await set(link, page)).text).toContain('is set');
    });

    it.each([
      ['PasswordMaxLength', '10', wanted, 'Battery-8x', 'at most 10 characters'],
      ['PasswordAlpha', 'Yes', '9034-7712-5568', 'b034-7712-5568', 'It has a letter'],
      ['PasswordNumeric', 'Yes', 'Battery-Staple-x', wanted, 'It has a digit'],
      ['PasswordCase', 'Yes', 'battery-staple-8', wanted, 'It has a small and a capital letter'],
    ])('takes none against PwReset.%s=%s', async (name, value, wrong, right, why) => {
      const { dn, username } = await person();
      await manager.Set_User_Settings({ dn, settings: { [`PwReset.${name}`]: value } });
      const link = await manager.PwReset.Send_Request({ username, method: 'NONE' });
      const page = await open(node, link);
      expect((await set(link, page, wrong)).text).toContain(why);
      expect(await knows(dn, wrong)).toBe(false);
      expect((await set(link, page, right)).text).toContain('is set');
    });

    it('wants the strength that the settings name, and of a long password no particular characters', async () => {
      const { dn, username } = await person();
      const settings = {
        'PwReset.PasswordMinLength': '0',
        'PwReset.PasswordStrength': '60',
        'PwReset.PasswordByLength': true,
        'PwReset.PasswordSymbol': true,
      };
      await manager.Set_User_Settings({ dn, settings });
      const link = await manager.PwReset.Send_Request({ username, method: 'NONE' });
      const page = await open(node, link);
      const harder = 'harder to guess';
      expect((await set(link, page, 'aaaaaaaaaaaaaaaaaaaaaa')).text).toContain(harder);
      const short = await set(link, page, 'x9-Gh3!');
      expect(short.text).toContain(harder);
      expect(short.text).not.toContain('neither a letter nor a digit');
      const plain = await set(link, page, 'x9Gh3kQw0zTb');
      expect(plain.text).not.toContain(harder);
      expect(plain.text).toContain('neither a letter nor a digit');
      expect((await set(link, page, 'correct horse battery')).text).toContain('is set');
    });

    it('keeps the link while the directory does not let the service set passwords, and calls that no policy', async () => {
      const { dn, username } = await person();
      const link = await manager.PwReset.Send_Request({ username, method: 'NONE' });
      const page = await open(node, link);
      const denied = new ServiceError('permission_denied', { detail: 'Insufficient access rights' });
      const setting = vi.spyOn(node.ports.directory.service, 'setPassword').mockRejectedValueOnce(denied);
      const refused = await set(link, page);
      expect(setting).toHaveBeenCalledOnce();
      setting.mockRestore();
      expect([refused.status, refused.text]).toEqual([
        200,
        expect.stringContaining('does not let this server set passwords'),
      ]);
      expect(refused.text).not.toContain('does not take this password');
      expect(stage.fixture.log.lines).toContainEqual({
        ...{ level: 'error', message: 'the directory does not let the service set a password' },
        fields: expect.objectContaining({
          dn,
          cure: expect.stringMatching(/^give \S+ the right to set passwords below /),
        }),
      });
      expect((await set(link, page)).text).toContain('is set');
    });

    it('wants a code first where that is said, which counts as any other, and the link that was mailed is used up then', async () => {
      const { dn, username } = await person();
      const code = String(await stage.manager.Otp.Emerg_Register({ dn, expires: 3600 }));
      const link = await manager.PwReset.Send_Request({ username, method: 'NONE', mfa: true });
      const page = await open(node, link);
      expect(page.text).not.toContain('name="password"');
      expect((await set(link, page)).text).toContain('show who you are');
      expect(await knows(dn, password)).toBe(true);
      const show = (otp: string) => open(node, link, { form: { ...page.fields, code: otp } });
      expect((await show('000000')).text).toContain('was not right');
      const next = await show(code);
      expect(next.text).toContain('name="password"');
      expect((await open(node, link)).status).toBe(404);
      expect((await set(link, next)).text).toContain('is set');
      // A hundred codes are not tried by a link.
      const victim = await person();
      await stage.manager.Otp.Emerg_Register({ dn: victim.dn, expires: 3600 });
      const guessed = await manager.PwReset.Send_Request({
        username: victim.username,
        method: 'NONE',
        mfa: true,
      });
      const { fields } = await open(node, guessed);
      const tries = [];
      for (let one = 0; one < 7; one += 1)
        tries.push((await open(node, guessed, { form: { ...fields, code: '000000' } })).text);
      expect(tries.filter((said) => said.includes('Too many failures')).length).toBeGreaterThan(0);
    });

    it('is not set by a link of before a change, a deactivation, a block or a lock, nor of a user made anew', async () => {
      const change = {
        changed: (dn: string) => stage.manager.Set_User_Password({ dn, password: 'Another-One-9' }),
        deactivated: (dn: string) => stage.manager.Deactivate_LDAP_Object({ dn }),
        blocked: (dn: string) => stage.manager.Otp.Block_Start({ dn }),
        locked: (dn: string) =>
          stage.manager.Set_User_Settings({ dn, settings: { 'Otp.PasswordReset': false } }),
        anew: async (dn: string) => {
          await stage.manager.Remove_LDAP_Object({ dn });
          await stage.person(people, /^uid=([^,]+)/.exec(dn)?.[1] ?? '', { userpassword: password });
        },
      };
      for (const [how, happen] of Object.entries(change)) {
        const { dn, username } = await person();
        const link = await manager.PwReset.Send_Request({ username, method: 'NONE' });
        const page = await open(node, link);
        expect([how, page.status]).toEqual([how, 200]);
        await happen(dn);
        for (const after of [await open(node, link), await set(link, page)])
          expect([how, after.status]).toEqual([how, 404]);
        expect([how, await knows(dn, wanted)]).toEqual([how, false]);
      }
    });

    it('is told to whoever asks in the same words and time, and only the user is sent something', async () => {
      const { dn, username } = await person();
      const locked = await person();
      await stage.manager.Set_User_Settings({ dn: locked.dn, settings: { 'Otp.PasswordReset': false } });
      const page = await open(node, '/webapps/pwreset', { headers: { 'accept-language': 'de-AT' } });
      expect(page.text).toContain('<html lang="de">');
      const results: string[] = [];
      for (const name of [username, locked.username, 'nobody-at-all', '*', '']) {
        node.clock.slept.length = 0;
        const { status, text } = await open(node, '/webapps/pwreset', { form: { username: name } });
        results.push(`${status} ${node.clock.slept.join()} ${text}`);
      }
      expect(new Set(results).size).toBe(1);
      const link = linkIn(await mailTo(username, 'Set a new password'));
      await set(link, await open(node, link));
      expect(await knows(dn, wanted)).toBe(true);
      expect(mail.taken.filter(({ to }) => to.startsWith(locked.username))).toEqual([]);
      // Another site has a browser ask.
      const headers = { 'sec-fetch-site': 'cross-site' };
      const forged = await open(node, '/webapps/pwreset', { form: { username }, headers });
      expect(forged.status).toBe(403);
    });

    it('wants the token of who has one, whoever asks by name alone', async () => {
      const { dn, username } = await person();
      const key = Buffer.from('a secret of 20 bytes').toString('base64');
      await stage.manager.Otp.TOTP_Register({ dn, key });
      await open(node, '/webapps/pwreset', { form: { username }, address: '203.0.113.9' });
      const page = await open(node, linkIn(await mailTo(username, 'Set a new password')));
      expect(page.text).toContain('show who you are');
    });

    it('opens no link that was guessed, and not for long', async () => {
      const address = '203.0.113.77';
      const guesses = Array.from(
        { length: 250 },
        (_, one) => `/webapps/pwreset?token=${String(one).padStart(32, 'a')}`,
      );
      const answers = await Promise.all(guesses.map((link) => open(node, link, { address })));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 429]));
    });

    it('is not open by a link of a clock that was a year ahead', async () => {
      const { username } = await person();
      const year = 365 * 86_400_000;
      node.clock.advance(year);
      const link = await manager.PwReset.Send_Request({ username, method: 'NONE' });
      expect((await open(node, link)).status).toBe(200);
      node.clock.advance(-year);
      expect((await open(node, link)).status).toBe(404);
    });

    it('is open to a user for a while where an administrator says so', async () => {
      const { dn, username } = await person();
      await stage.manager.Set_User_Settings({ dn, settings: { 'Otp.PasswordReset': false } });
      const ask = () => manager.PwReset.Send_Request({ username, method: 'NONE' });
      expect(await refusalOf(ask())).toMatchObject({ reason: 'permission_denied' });
      await manager.Unlock_Application_Access({ dn, application: 'PWReset', expires: 600 });
      const link = await ask();
      const page = await open(node, link);
      expect(page.status).toBe(200);
      node.clock.advance(601_000);
      expect((await open(node, link)).status).toBe(404);
      await manager.Unlock_Application_Access({ dn, application: 'pwreset', expires: 600 });
      await manager.Unlock_Application_Access({ dn, application: 'pwreset', expires: 0 });
      expect((await open(node, link)).status).toBe(404);
      const application = 'otp';
      expect(await refusalOf(manager.Unlock_Application_Access({ dn, application, expires: 1 }))).toEqual({
        reason: 'invalid_params',
        detail: 'Parameter application is none of selfdesk, pwreset, selfreg, openid',
      });
    });
  });

  describe('a registration', () => {
    const send = (username: string, more: object) =>
      manager.SelfReg.Send_Request({ username, method: 'NONE', expires: 3600, ...more });

    it('of a token shows its secret as often as the page is opened, and takes a right code once', async () => {
      const { dn, username } = await person({ mobile: '+491512345678' });
      const link = await send(username, { item: 'Token2', method: 'MAILSMS' });
      expect(linkIn(await mailTo(username, 'Register your second factor'))).toBe(link);
      await sms.until(() => sms.taken.some(({ text }) => text.includes(link)));
      const page = await open(node, link);
      const again = await open(node, link);
      const secretIn = ({ text }: Opened) => /<code>([A-Z2-7]+)<\/code>/.exec(text)?.[1] ?? '';
      expect(secretIn(again)).toBe(secretIn(page));
      expect(page.text).toContain('<svg role="img" aria-label="QR code');
      const bytes = fromBase32(secretIn(page)) ?? new Uint8Array();
      const account = { name: username, userid: username, domain: 'Default' };
      const said = { type: 'TOTP', secret: bytes, digits: 6, moving: 30, ...account } as const;
      const uri = formatUri({ ...said, issuer: party.id, namesIssuer: true });
      expect(page.text).toContain(drawSvg(encodeModules(uri), { size: 4, margin: 4 }).slice('<svg '.length));
      const secret = createSecretKey(bytes);
      const code = totp({ secret, digits: 6, period: 30 }, node.clock.now());
      const confirm = (text: string) => open(node, link, { form: { ...page.fields, code: text } });
      expect((await confirm('000000')).text).toContain('not right');
      expect(await stage.manager.Otp.User_Tokens({ dn })).toEqual([]);
      const all = await Promise.all(Array.from({ length: 20 }, () => confirm(code)));
      expect(all.filter(({ text }) => text.includes('is set up'))).toHaveLength(1);
      expect(await stage.manager.Otp.User_Tokens({ dn })).toMatchObject([{ id: 2, type: 'TOTP' }]);
      // The code of the confirmation is used up, the next one logs in.
      const logIn = (otpPassword: string) =>
        node.service.web.otp.normalLogin({ username, ldapPassword: password, otpPassword });
      expect(await logIn(code)).toMatchObject({ code: 0 });
      node.clock.advance(30_000);
      expect(await logIn(totp({ secret, digits: 6, period: 30 }, node.clock.now()))).toMatchObject({
        code: 1,
      });
      // The audit names the user.
      expect(node.events().map(({ text }) => text)).toContainEqual(
        expect.stringMatching(new RegExp(`^${dn}: Otp.TOTP_Register .*: done$`)),
      );
    });

    it('of a list and of application passwords shows them once', async () => {
      const { dn, username } = await person();
      const list = await send(username, { item: 'OTPList' });
      const made = await open(node, list, { form: (await open(node, list)).fields });
      const codes = [...made.text.matchAll(/<li><code>(\d+)<\/code>/g)].map(([, code]) => code);
      expect(codes).toEqual(await stage.manager.Otp.List_Fetch({ dn }));
      expect((await open(node, list, { form: made.fields })).status).toBe(404);
      const keys = await send(username, { item: 'AppKeys' });
      const { text } = await open(node, keys, { form: (await open(node, keys)).fields });
      expect(text).toMatch(/<dt>wiki<\/dt><dd><code>[A-Za-z0-9]{20}<\/code>/);
    });

    it('of a security key', async () => {
      const { dn, username } = await person();
      const link = await send(username, { item: 'FIDO' });
      const page = await open(node, link);
      expect(page.headers['content-security-policy']).toMatch(/script-src 'sha256-/);
      const { challenge } = JSON.parse(page.fields.options ?? '');
      const key = new SecurityKey({ rpId: party.id, origin: party.origins[0] ?? '' });
      const register = (response: string) =>
        open(node, link, { form: { ...page.fields, response, name: 'blue' } });
      expect((await register(key.register('YWJj'))).text).toContain('cannot be registered');
      expect((await register(key.register(challenge))).text).toContain('is registered');
      expect(await stage.manager.Otp.User_Devices({ dn })).toMatchObject([{ id: 1, name: 'blue' }]);
    });

    it('takes only SSH keys of the types that the settings allow', async () => {
      const { dn, username } = await person();
      await manager.Set_User_Settings({ dn, settings: { 'SelfReg.AllowSSHKeyTypes': 'ecc, ed25519' } });
      expect(
        await refusalOf(manager.Set_User_Settings({ dn, settings: { 'SelfReg.AllowSSHKeyTypes': 'FISH' } })),
      ).toMatchObject({ detail: expect.stringContaining('is not a list of RSA, ECC, ED25519') });
      await manager.Set_User_Settings({ dn, settings: { 'SshKey.KeyType': 'RSA' } });
      const link = await send(username, { application: 'SshKey' });
      const page = await open(node, link);
      const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const pubkey = publicKey.export({ type: 'spki', format: 'pem' }).toString();
      const refused = await open(node, link, { form: { ...page.fields, pubkey } });
      expect(refused.text).toContain('the type RSA is not allowed; yours may be ECC, ED25519');
      expect(await stage.manager.SshKey.User_Key({ dn })).toBe(false);
      // RSA is what would be made; where it is not allowed, the first that is.
      const made = await open(node, link, { form: { ...page.fields, make: 'yes' } });
      expect(made.text).toContain('PRIVATE KEY');
      expect(await stage.manager.SshKey.User_Key({ dn })).toMatchObject({ type: 'ecdsa-sha2-nistp256' });
    });

    it('of an SSH key: one that is pasted, or one that is made', async () => {
      const { dn, username } = await person();
      const pasted = await send(username, { application: 'SshKey' });
      const page = await open(node, pasted);
      const wrong = await open(node, pasted, { form: { ...page.fields, pubkey: 'no key' } });
      expect(wrong.text).toContain('cannot be registered');
      const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const pubkey = publicKey.export({ type: 'spki', format: 'pem' }).toString();
      expect((await open(node, pasted, { form: { ...page.fields, pubkey } })).text).toContain(
        'is registered',
      );
      expect(await stage.manager.Get_User_Data({ dn, data: ['SshKey.KeyType'] })).toEqual({
        'SshKey.KeyType': Buffer.from('ssh-rsa').toString('base64'),
      });
      const made = await send(username, { application: 'SshKey' });
      const { fields } = await open(node, made);
      expect((await open(node, made, { form: { ...fields, make: 'yes' } })).text).toContain('-----BEGIN');
    });

    it('is refused in words where it cannot be, and where it is locked', async () => {
      const { dn, username } = await person();
      for (const more of [{ application: 'PKI' }, { item: 'Voice' }])
        expect(await refusalOf(send(username, more))).toMatchObject({ reason: 'invalid_params' });
      await stage.manager.Set_User_Settings({ dn, settings: { 'SelfReg.AllowTokenTypes': 'FIDO2, LIST' } });
      expect(await refusalOf(send(username, { item: 'Token1' }))).toMatchObject({
        reason: 'permission_denied',
      });
      const link = await send(username, { item: 'OTPList' });
      // Of one application the link is not another's.
      expect((await open(node, link.replace('selfreg', 'pwreset'))).status).toBe(404);
      expect(await refusalOf(send('nobody-at-all', {}))).toMatchObject({ reason: 'not_found' });
    });
  });
});
