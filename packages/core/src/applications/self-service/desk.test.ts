/** The page of their own for users: sign-in by the one login, calls about the own entry and no other, over the embedded directory and slapd. */
import { createSecretKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { totp } from '../../foundation/oath/totp.ts';
import type { Fixture } from '../../testing/bed/fixture.ts';
import { engines, openStage, type Stage } from '../../testing/bed/stage.ts';
import { Browser } from './testing/browser.ts';

const password = 'Correct-Horse-7';
const wanted = 'Battery-Staple-8';
const key = Buffer.from('a secret of 20 bytes');
const minute = 60_000;

const idsIn = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.map(({ id }) => String(id)) : [];

describe.each(engines)('the own page: %s', (engine) => {
  let stage: Stage;
  let node: Fixture;
  let people: string;
  const others: Fixture[] = [];
  let number = 0;
  beforeAll(async () => {
    stage = await openStage(engine);
    const settings = { 'Otp.SelfRegister': 'Yes' } as const;
    node = await stage.fixture.another({ config: { settings }, ports: () => stage.ports });
    people = await stage.container();
  });
  afterAll(async () => {
    for (const one of [...others, node]) await one.close();
    await stage.close();
  });

  async function person(settings: Record<string, string> = {}) {
    number += 1;
    const username = `desk${number}-${engine.toLowerCase()}`;
    const dn = await stage.person(people, username, {
      userpassword: password,
      mail: `${username}@example.com`,
    });
    if (Object.keys(settings).length > 0) await stage.manager.Set_User_Settings({ dn, settings });
    return { username, dn };
  }
  /** Opens the desk of a user with a token in slot 1; each code is used once. */
  async function owner() {
    const one = await person();
    await stage.manager.Otp.TOTP_Register({ dn: one.dn, key: key.toString('base64') });
    return one;
  }
  function code(): string {
    node.clock.advance(minute);
    return totp({ secret: createSecretKey(key), digits: 6, period: 30 }, node.clock.now());
  }
  async function signedIn({ username }: { username: string }) {
    const browser = new Browser(node);
    expect((await browser.signIn({ username, password, otp: code() })).body).toMatchObject({
      kind: 'signed-in',
    });
    return browser;
  }

  it('takes no password of an application, also where its own client has one', async () => {
    const config = { clients: { SelfDesk: {} }, relying_party: { id: 'localhost' } };
    const options = { config, ports: () => stage.ports };
    const strict = await stage.fixture.another(options);
    others.push(strict);
    const manager = await stage.enter(options);
    const { username, dn } = await person();
    await manager.Set_User_Settings({ dn, settings: { 'Otp.LoginMode': 'LDAPU2F' } });
    await manager.Otp.AppKey_Register({ dn });
    const { SelfDesk } = Object(await manager.Otp.AppKey_Fetch({ dn }));
    expect(SelfDesk).toMatch(/^\w{10,}$/);
    for (const shown of [{ password: SelfDesk }, { password, otp: SelfDesk }])
      expect((await new Browser(strict).signIn({ username, ...shown })).status).toBe(401);
  });

  it('counts failures where the browser stands, at the loopback of a proxy too', async () => {
    const browser = new Browser(node, '127.0.0.1');
    const reasons: unknown[] = [];
    for (let nth = 0; nth < 22; nth += 1) {
      const { body } = await browser.signIn({ username: `nobody${nth}`, password: 'guessed' });
      reasons.push(body.reason);
    }
    expect(reasons[0]).toBe('credentials_refused');
    expect(reasons.at(-1)).toBe('too_many_attempts');
  });

  it('names where a lost password is asked for, where the installation lets people do so', async () => {
    const named = async (settings: Record<string, string>, webapps = {}) => {
      const other = await stage.fixture.another({ config: { settings, webapps }, ports: () => stage.ports });
      const { body } = await new Browser(other).ask('GET', '/self/session');
      others.push(other);
      return body.resetUrl;
    };
    expect(await named({})).toBeUndefined();
    expect(await named({ 'Otp.PasswordReset': 'Yes' })).toBe('/webapps/pwreset');
    expect(await named({ 'Otp.PasswordReset': 'Yes' }, { pwreset: { locked: true } })).toBeUndefined();
  });

  it('lets in by the one login, in a step or with a challenge, and out again', async () => {
    const one = await owner();
    const browser = new Browser(node);
    expect((await browser.ask('GET', '/self/session')).body).toMatchObject({ signedIn: false, mode: 'SELF' });
    expect((await browser.signIn({ username: one.username, password: 'wrong' })).status).toBe(401);
    const asked = await browser.signIn({ username: one.username, password });
    expect(asked.body).toMatchObject({ kind: 'challenge', otpChallenge: 'TOKEN' });
    const answer = { username: one.username, session: String(asked.body.session), otp: code() };
    expect((await browser.signIn(answer)).body).toMatchObject({ kind: 'signed-in', administrator: one.dn });
    expect((await browser.ask('GET', '/self/session')).body).toMatchObject({
      signedIn: true,
      isFresh: true,
      username: one.username,
    });
    expect(node.countEvents('signed in to the page of their own')).toBeGreaterThan(0);
    const before = browser.cookie;
    await browser.ask('DELETE', '/self/session');
    browser.cookie = before;
    expect((await browser.call('Otp.User_Tokens', { dn: one.dn })).status).toBe(401);
  });

  it('calls what the settings let it, about the own entry only, as the user', async () => {
    const [one, other] = [await owner(), await owner()];
    const browser = await signedIn(one);
    expect((await browser.call('Otp.User_Tokens', { dn: one.dn })).body.result).toMatchObject([{ id: 1 }]);
    const { result } = (await browser.call('SelfDesk.Overview', { dn: one.dn })).body;
    expect(result).toMatchObject({
      factors: 1,
      mail: `${one.username}@example.com`,
      parts: { register: true },
    });
    const secret = key.toString('base64');
    for (const [method, params] of [
      ['Otp.User_Tokens', { dn: other.dn }],
      ['Otp.TOTP_Register', { dn: other.dn, key: secret, id: 2 }],
      ['Otp.TOTP_Register', { dn: people, key: secret }],
      ['SelfDesk.Overview', { dn: other.dn }],
      ['SelfDesk.Remove_Factor', { dn: other.dn, factor: 'TOKEN' }],
      ['SelfDesk.Recent_Logins', { dn: other.dn }],
      ['SelfDesk.End_Sessions', { dn: other.dn }],
      ['Otp.FIDO_Challenge', { username: other.username, domain: 'Default', random: secret }],
      // Rows without a use of their own for users, and those that a setting closes.
      ['Set_User_Attrs', { dn: one.dn, attrs: { mail: 'x@example.com' } }],
      ['Set_User_Password', { dn: one.dn, password: wanted }],
      ['Get_User_Data', { dn: one.dn }],
      ['Otp.Token_Unregister', { dn: one.dn }],
      ['Otp.List_Unregister', { dn: one.dn }],
      ['SshKey.Key_Import', { dn: one.dn, pubkey: 'ssh-rsa AAAA' }],
    ] as const) {
      const { error } = (await browser.call(method, params)).body;
      expect([method, params, error?.reason]).toEqual([
        method,
        params,
        expect.stringMatching(/permission_denied|not_found|unavailable/),
      ]);
    }
    await browser.call('Otp.TOTP_Register', { dn: one.dn, key: secret, id: 3 });
    expect(await stage.manager.Otp.User_Tokens({ dn: one.dn })).toMatchObject([{ id: 1 }, { id: 3 }]);
    expect(node.events().map(({ text }) => text)).toContainEqual(
      expect.stringMatching(new RegExp(`^${one.dn}: Otp.TOTP_Register dn="${one.dn}".*: done$`)),
    );
    const { result: logins } = (await browser.call('SelfDesk.Recent_Logins', { dn: one.dn })).body;
    expect(logins).toContainEqual(
      expect.objectContaining({
        client: '198.51.100.7:40000',
        text: expect.stringContaining('granted'),
      }),
    );
  });

  it('offers what the settings let be registered and the installation has, and refuses the rest', async () => {
    const offered = async (settings: Record<string, string>, at = node) => {
      const one = await person(settings);
      const browser = new Browser(at);
      await browser.signIn({ username: one.username, password });
      const call = async (method: string, params: object) =>
        (await browser.call(method, { dn: one.dn, ...params })).body;
      return { types: (await call('SelfDesk.Overview', {})).result, call };
    };
    const mode = { 'Otp.LoginMode': 'LDAP' };
    expect((await offered(mode)).types).toMatchObject({ types: ['TOTP', 'HOTP', 'LIST', 'APPKEY'] });
    const few = {
      ...mode,
      'SelfDesk.AllowTokenTypes': 'totp, LIST, hotp',
      'SelfDesk.DefaultTokenType': 'HOTP',
    };
    const { types, call } = await offered(few);
    expect(types).toMatchObject({ types: ['HOTP', 'TOTP', 'LIST'] });
    expect((await call('Otp.AppKey_Register', {})).error).toMatchObject({ reason: 'permission_denied' });
    expect((await offered({ ...mode, 'Otp.SelfRegister': 'No' })).types).toMatchObject({ types: [] });
    const party = await stage.fixture.another({
      config: { settings: { 'Otp.SelfRegister': 'Yes' }, relying_party: { id: 'localhost' } },
      ports: () => stage.ports,
    });
    others.push(party);
    expect((await offered(mode, party)).types).toMatchObject({
      types: ['TOTP', 'HOTP', 'FIDO2', 'LIST', 'APPKEY'],
    });
  });

  it('takes only SSH keys of the types that the settings allow, and names the type of one that is made', async () => {
    const one = await person({
      ...{ 'SshKey.SelfRegister': 'Yes', 'SshKey.KeyType': 'RSA' },
      'SelfDesk.AllowSSHKeyTypes': 'ED25519',
    });
    await stage.manager.Otp.TOTP_Register({ dn: one.dn, key: key.toString('base64') });
    const browser = await signedIn(one);
    const { body } = await browser.call('SelfDesk.Overview', { dn: one.dn });
    expect(body.result).toMatchObject({ sshKeyType: 'ED25519' });
    const make = (type: string) => browser.call('SshKey.Key_Register', { dn: one.dn, type });
    expect((await make('RSA')).body.error).toMatchObject({
      reason: 'invalid_params',
      data: 'the type RSA is not allowed; yours may be ED25519',
    });
    expect((await make('ED25519')).body.result).toContain('PRIVATE KEY');
    // An administrator registers any.
    await stage.manager.SshKey.Key_Register({ dn: one.dn, type: 'ECC' });
  });

  it('judges the first code of what is to be registered, and only where it may be', async () => {
    const one = await owner();
    const browser = await signedIn(one);
    const secret = Buffer.from('another one of twenty').toString('base64');
    const shown = totp(
      { secret: createSecretKey(Buffer.from(secret, 'base64')), digits: 6, period: 30 },
      node.clock.now(),
    );
    const check = (otp: string) => browser.call('Otp.TOTP_Verify', { otp, key: secret, length: 6 });
    expect((await check(shown)).body.result).toMatch(/^\d+:0$/);
    expect((await check('000000')).body.result).toBe(false);
    await stage.manager.Set_User_Settings({ dn: one.dn, settings: { 'SelfDesk.AllowTokenTypes': 'HOTP' } });
    expect((await check(shown)).body.error).toMatchObject({ reason: 'permission_denied' });
  });

  it('names what there is to sign in with, and changes nothing else of it', async () => {
    const one = await owner();
    await stage.manager.Otp.List_Register({ dn: one.dn, size: 3 });
    const browser = await signedIn(one);
    const rename = async (name: string | undefined, params = {}) =>
      (await browser.call('Otp.Factor_Rename', { dn: one.dn, factor: 'TOKEN', name, ...params })).body;
    const kept = () =>
      stage.manager.Get_User_Data({ dn: one.dn, data: ['Otp.TokenKey', 'Otp.TokenType', 'Otp.ListKey'] });
    const before = await kept();
    // An e followed by an accent: the same text in NFC.
    expect((await rename('  ma cle\u0301 de test ')).result).toBe(1);
    expect((await rename('in the safe', { factor: 'LIST' })).result).toBe(1);
    expect(await stage.manager.Otp.User_Tokens({ dn: one.dn })).toMatchObject([
      { name: 'ma cl\u00e9 de test' },
    ]);
    expect(await stage.manager.Otp.List_State({ dn: one.dn })).toEqual({
      size: 3,
      used: 0,
      name: 'in the safe',
    });
    expect(await kept()).toEqual(before);
    for (const name of ['two\nlines', 'x'.repeat(65), 'turned \u202e round'])
      expect([name, (await rename(name)).error?.reason]).toEqual([name, 'invalid_params']);
    expect((await rename('none', { id: 2 })).result).toBe(false);
    expect((await rename('none', { factor: 'FIDO2' })).result).toBe(false);
    // Its code is as good as before; a token in its place has no name.
    expect((await browser.signIn({ username: one.username, password, otp: code() })).status).toBe(200);
    expect((await rename(undefined)).result).toBe(1);
    expect(await stage.manager.Otp.User_Tokens({ dn: one.dn })).not.toMatchObject([
      { name: expect.anything() },
    ]);
    await rename('old phone');
    await browser.call('Otp.TOTP_Register', { dn: one.dn, key: key.toString('base64') });
    expect(await stage.manager.Otp.User_Tokens({ dn: one.dn })).not.toMatchObject([
      { name: expect.anything() },
    ]);
    await stage.manager.Otp.List_Register({ dn: one.dn, size: 2 });
    expect(await stage.manager.Otp.List_State({ dn: one.dn })).toEqual({ size: 2, used: 0 });
  });

  it('changes factors only soon after a second factor, and the last one stays', async () => {
    const one = await owner();
    const browser = await signedIn(one);
    const add = (id: number) =>
      browser.call('Otp.TOTP_Register', { dn: one.dn, key: key.toString('base64'), id });
    const remove = (id: number) =>
      browser.call('SelfDesk.Remove_Factor', { dn: one.dn, factor: 'TOKEN', id });
    expect((await remove(1)).body.error).toMatchObject({
      reason: 'permission_denied',
      data: expect.stringContaining('last'),
    });
    await add(2);
    // Both at once: one of them is the last one.
    const both = await Promise.all([remove(1), remove(2)]);
    expect(both.filter(({ body }) => body.result === 1)).toHaveLength(1);
    expect(await stage.manager.Otp.User_Tokens({ dn: one.dn })).toHaveLength(1);
    node.clock.advance(11 * minute);
    expect((await add(3)).body.error).toMatchObject({
      reason: 'insufficient_user_authentication',
      data: expect.stringContaining('sign in again'),
    });
    expect((await browser.call('Otp.User_Tokens', { dn: one.dn })).body.result).toHaveLength(1);
    // A password alone is not enough for who has a token, where the mode of logins wants no more.
    await stage.manager.Set_User_Settings({ dn: one.dn, settings: { 'Otp.LoginMode': 'LDAP' } });
    await browser.signIn({ username: one.username, password });
    expect((await add(3)).body.error).toMatchObject({ reason: 'insufficient_user_authentication' });
    await browser.signIn({ username: one.username, password, otp: code() });
    expect((await add(3)).body.result).toBe(1);
  });

  it('lists where one is signed in, and ends one session, or all but this one', async () => {
    const one = await owner();
    const [here, there] = [await signedIn(one), new Browser(node, '192.0.2.44')];
    node.clock.advance(minute);
    const shown = { username: one.username, password, otp: code() };
    const more = { 'user-agent': 'Tester/1.0 (X11; \u00e9)' };
    there.csrf = String((await there.ask('POST', '/self/session', shown, more)).body.csrf);
    const list = async () => (await here.call('SelfDesk.User_Sessions', { dn: one.dn })).body.result;
    const ids = idsIn(await list());
    const moment = expect.stringMatching(/^\d{4}-\d\d-\d\d /);
    expect(await list()).toMatchObject([
      { own: true, address: '198.51.100.7', program: '', begun: moment, used: moment, expires: moment },
      { own: false, address: '192.0.2.44', program: 'Tester/1.0 (X11; )' },
    ]);
    // What it is known by opens nothing, and is nobody else's to end.
    expect(here.cookie).not.toContain(ids[0]);
    const other = await signedIn(await owner());
    const [, id = ''] = ids;
    expect((await other.call('SelfDesk.End_Session', { dn: one.dn, id })).body.error).toBeDefined();
    expect((await there.call('Otp.User_Tokens', { dn: one.dn })).status).toBe(200);
    expect((await here.call('SelfDesk.End_Session', { dn: one.dn, id: 'f'.repeat(16) })).body.result).toBe(
      false,
    );
    expect((await here.call('SelfDesk.End_Session', { dn: one.dn, id })).body.result).toBe(1);
    expect((await there.call('Otp.User_Tokens', { dn: one.dn })).status).toBe(401);
    await there.signIn({ username: one.username, password, otp: code() });
    const started = await node.service.web.sso.start({ username: one.username, client: 'Wiki' });
    const shared = async () => (await here.call('Sso.User_Sessions', { dn: one.dn })).body.result;
    expect([started.code, await shared()]).toMatchObject([1, [{ client: 'Wiki' }]]);
    expect((await here.call('SelfDesk.End_Sessions', { dn: one.dn, others: true })).body.result).toBe(1);
    expect(await list()).toMatchObject([{ own: true }]);
    expect(await shared()).toEqual([]);
    expect((await there.call('Otp.User_Tokens', { dn: one.dn })).status).toBe(401);
    await here.call('SelfDesk.End_Sessions', { dn: one.dn });
    expect((await here.call('Otp.User_Tokens', { dn: one.dn })).status).toBe(401);
  });

  it('tells what a new password must be like before it is typed, as far as that can be read', async () => {
    const one = await owner();
    const browser = await signedIn(one);
    const rules = async () => (await browser.call('SelfDesk.Password_Rules', { dn: one.dn })).body.result;
    // The policy of all, that of the configuration, is to be read nowhere.
    expect(await rules()).toEqual({});
    expect(
      (await browser.call('SelfDesk.Password_Rules', { dn: (await owner()).dn })).body.error,
    ).toMatchObject({ reason: 'permission_denied' });
    if (engine === 'embedded') return;
    const policy = `cn=strict,${people}`;
    const quality = { pwdMinLength: '14', pwdCheckQuality: '1', pwdInHistory: '2' };
    const objectclass = ['organizationalRole', 'pwdPolicy'];
    await stage.manager.Create_LDAP_Object({
      ...{ dn: policy, attrs: { objectclass, pwdAttribute: 'userPassword', ...quality } },
    });
    await stage.manager.Set_User_Attrs({ dn: one.dn, attrs: { pwdPolicySubentry: policy } });
    expect(await rules()).toEqual({ minLength: 14, history: 2 });
    const { error } = (
      await browser.call('SelfDesk.Change_Password', { dn: one.dn, old: password, password: 'Thirteen-1234' })
    ).body;
    expect(error).toMatchObject({ reason: 'password_refused' });
  });

  it('changes the password by the old one, and ends all sessions', async () => {
    const one = await owner();
    const browser = await signedIn(one);
    const change = (old: string) =>
      browser.call('SelfDesk.Change_Password', { dn: one.dn, old, password: wanted });
    expect((await change('wrong')).body.result).toBe(false);
    expect((await change(password)).body.result).toBe(1);
    expect((await browser.call('Otp.User_Tokens', { dn: one.dn })).status).toBe(401);
    expect(await stage.manager.Check_User_Password({ dn: one.dn, password: wanted })).toBe(true);
  });

  it('makes a dry run where one is asked for, with the same rights', async () => {
    const [one, other] = [await owner(), await owner()];
    const browser = await signedIn(one);
    const ask = (dn: string) => {
      const body = { jsonrpc: '2.0', id: 1, method: 'SelfDesk.End_Sessions', params: { dn } };
      return browser.ask('POST', '/self/rpc', body, { 'x-dry-run': '1' });
    };
    expect((await ask(one.dn)).body.result).toMatchObject({
      ...{ dryRun: true, would: expect.arrayContaining([expect.objectContaining({ operation: 'store' })]) },
    });
    expect((await ask(other.dn)).body).toMatchObject({ error: { reason: 'permission_denied' } });
    expect((await browser.call('Otp.User_Tokens', { dn: one.dn })).status).toBe(200);
  });

  it('believes no page of another site, no cookie without its token, and no token of another session', async () => {
    const [one, other] = [await owner(), await owner()];
    const browser = await signedIn(one);
    const { csrf } = await signedIn(other);
    const body = { jsonrpc: '2.0', id: 1, method: 'Otp.User_Tokens', params: { dn: one.dn } };
    for (const headers of [
      { 'x-csrf-token': '' },
      { 'x-csrf-token': csrf },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ])
      expect([headers, (await browser.ask('POST', '/self/rpc', body, headers)).status]).toEqual([
        headers,
        403,
      ]);
    expect(
      (
        await browser.ask(
          'POST',
          '/self/session',
          { username: one.username, password },
          { 'sec-fetch-site': 'cross-site' },
        )
      ).status,
    ).toBe(403);
    expect((await browser.ask('DELETE', '/self/session', undefined, { 'x-csrf-token': csrf })).status).toBe(
      403,
    );
    expect((await browser.call('Otp.User_Tokens', { dn: one.dn })).status).toBe(200);
  });

  it('is over when it idles, when its user is deactivated or blocked, where it is locked, and where it began ahead', async () => {
    const happen = {
      idles: async () => node.clock.advance(16 * minute),
      deactivated: (dn: string) => stage.manager.Deactivate_LDAP_Object({ dn }),
      blocked: (dn: string) => stage.manager.Otp.Block_Start({ dn }),
    };
    for (const [how, end] of Object.entries(happen)) {
      const one = await owner();
      const browser = await signedIn(one);
      await end(one.dn);
      expect([how, (await browser.call('Otp.User_Tokens', { dn: one.dn })).status]).toEqual([how, 401]);
    }
    const one = await owner();
    const locked = await stage.fixture.another({
      config: { webapps: { selfdesk: { locked: true } } },
      ports: () => stage.ports,
    });
    const browser = new Browser(locked);
    locked.clock.advance(minute);
    const shown = () => ({ username: one.username, password, otp: code() });
    expect((await browser.signIn(shown())).status).toBe(403);
    await stage.manager.Unlock_Application_Access({ dn: one.dn, application: 'selfdesk', expires: 600 });
    expect((await browser.signIn(shown())).body).toMatchObject({ kind: 'signed-in' });
    // Nobody logs in with the token any more, whose step is claimed a year ahead by now.
    const [ahead, year] = [await owner(), 365 * 24 * 60 * minute];
    node.clock.advance(year);
    const early = await signedIn(ahead);
    const isOpen = async () => (await early.call('Otp.User_Tokens', { dn: ahead.dn })).status;
    expect(await isOpen()).toBe(200);
    node.clock.advance(-year);
    expect(await isOpen()).toBe(401);
    await locked.close();
  });
});
