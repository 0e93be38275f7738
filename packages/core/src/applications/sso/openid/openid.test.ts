/** OpenID Connect, over the embedded directory and slapd: applications have people log in here. */
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openIdEngine } from '../../../../../openid/src/index.ts';
import type { Fixture } from '../../../testing/bed/fixture.ts';
import { OpenIdBrowser, sessionIn } from '../../../testing/bed/openid-browser.ts';
import { engines, isActiveDirectory, openStage, type Stage } from '../../../testing/bed/stage.ts';

const issuer = 'https://localhost:8443/openid';
const secret = 'the-secret-of-the-wiki';
const callback = 'https://wiki.example.com/callback?from=us';
const afterwards = 'https://wiki.example.com/bye';
const password = 'Correct-Horse-7';

const verifier = randomBytes(32).toString('base64url');
const pkce = { code_challenge: hash('sha256', verifier, 'base64url'), code_challenge_method: 'S256' };
const wanted = (more: Record<string, string> = {}) => {
  const asked = {
    ...{ client_id: 'wiki', response_type: 'code', scope: 'openid profile email groups offline_access' },
    ...{ redirect_uri: callback, state: 'st-1', nonce: 'no-1', prompt: 'login', ...pkce, ...more },
  };
  const given = Object.entries(asked).filter(([, value]) => value !== '');
  return `${issuer}/authorize?${new URLSearchParams(given)}`;
};

describe.each(engines)('OpenID Connect: %s', (engine) => {
  let stage: Stage;
  let node: Fixture;
  let other: Fixture;
  let people: string;
  /** Logouts that an application was notified of. */
  const results: string[] = [];
  const closing: Fixture[] = [];
  const application = createServer((asked, answer) => {
    text(asked).then((body) => {
      results.push(body);
      if (asked.url === '/logged-out') answer.end();
    });
  });
  beforeAll(async () => {
    stage = await openStage(engine);
    const sha256 = hash('sha256', secret);
    application.listen(0, '127.0.0.1');
    await once(application, 'listening');
    const { port } = application.address() as AddressInfo;
    const options = {
      config: {
        openid_clients: {
          wiki: {
            ...{ sha256, redirect_uris: [callback], post_logout_redirect_uris: [afterwards] },
            backchannel_logout_uri: `http://127.0.0.1:${port}/logged-out`,
            groups: 'name' as const,
          },
          hanging: {
            ...{ sha256, redirect_uris: [callback], post_logout_redirect_uris: [] },
            backchannel_logout_uri: `http://127.0.0.1:${port}/hangs`,
          },
          program: {
            redirect_uris: ['http://127.0.0.1/cb', 'http://[::1]:8080/cb', 'https://app.example.com/cb'],
            post_logout_redirect_uris: [],
          },
          browser: { redirect_uris: ['https://app.example.com/'], post_logout_redirect_uris: [] },
          closed: { sha256, redirect_uris: [callback], post_logout_redirect_uris: [] },
          kiosk: { sha256, redirect_uris: [callback], post_logout_redirect_uris: [] },
          staff: { sha256, redirect_uris: [callback], post_logout_redirect_uris: [] },
        },
        clients: {
          closed: { mode: 'no_access' as const },
          kiosk: { settings: { 'Otp.LoginMode': 'OTP' } },
          Staff: { allowed_groups: ['cn=staff,ou=groups,dc=example,dc=org'] },
        },
      },
      ports: () => ({ ...stage.ports, openid: openIdEngine }),
    };
    node = await stage.fixture.another(options);
    other = await stage.fixture.another(options);
    people = await stage.container();
  });
  afterAll(async () => {
    application.closeAllConnections();
    application.close();
    for (const one of closing) await one.close();
    await other.close();
    await node.close();
    await stage.close();
  });

  let number = 0;
  async function person() {
    number += 1;
    const username = `o${number}-${engine.toLowerCase()}`;
    const more = {
      userpassword: password,
      givenname: 'Ada',
      sn: 'Lovelace',
      mail: `${username}@example.com`,
    };
    const dn = await stage.person(people, username, more);
    const code = String(await stage.manager.Otp.Emerg_Register({ dn, expires: 86_400 }));
    return { username, dn, code };
  }
  type Person = Awaited<ReturnType<typeof person>>;

  /** Logs in with both factors. @returns where the browser is sent to */
  async function logIn(
    { username, code }: Person,
    browser = new OpenIdBrowser(node),
    url = wanted(),
  ): Promise<URL> {
    const { at } = await browser.follow(url);
    const asked = await browser.follow(at, { username, password });
    const session = sessionIn(asked.response);
    const { at: to } = await browser.follow(at, { username, session, code });
    return new URL(to);
  }

  async function post(path: string, form: Record<string, string>, at = node, as = `wiki:${secret}`) {
    const authorization = `Basic ${Buffer.from(as).toString('base64')}`;
    const response = await new OpenIdBrowser(at).ask(
      `${issuer}${path}`,
      form,
      as === '' ? {} : { authorization },
    );
    return { status: response.status, ...JSON.parse(String(response.body) || '{}') };
  }
  const redeem = (code: string, more: Record<string, string> = {}, at = node, as?: string) =>
    post(
      '/token',
      { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier, ...more },
      at,
      as,
    );
  const refresh = (token: string, at = node) =>
    post('/token', { grant_type: 'refresh_token', refresh_token: token }, at);
  const userInfo = async (token: string, at = node) => {
    const response = await new OpenIdBrowser(at).ask(`${issuer}/userinfo`, undefined, {
      authorization: `Bearer ${token}`,
    });
    return { status: response.status, ...JSON.parse(String(response.body)) };
  };
  const codeIn = (url: URL): string => url.searchParams.get('code') ?? '';

  it('describes itself', async () => {
    const response = await new OpenIdBrowser(node).ask(`${issuer}/.well-known/openid-configuration`);
    expect(JSON.parse(String(response.body))).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      end_session_endpoint: `${issuer}/logout`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    });
  });

  it('lets somebody log in with both factors, and tells the application who it is, on every node', async () => {
    const ada = await person();
    const to = await logIn(ada);
    expect(to.href).toMatch(/^https:\/\/wiki\.example\.com\/callback\?from=us&/);
    expect(to.searchParams.get('state')).toBe('st-1');
    expect(to.searchParams.get('iss')).toBe(issuer);
    const tokens = await redeem(codeIn(to), {}, other);
    expect(tokens).toMatchObject({
      ...{ status: 200, token_type: 'Bearer', expires_in: 600 },
      ...{ access_token: expect.any(String), refresh_token: expect.any(String) },
    });
    const keys = await new OpenIdBrowser(other).ask(`${issuer}/jwks`);
    const jwks: JSONWebKeySet = JSON.parse(String(keys.body));
    expect(JSON.stringify(jwks)).not.toContain('"d"');
    const { payload } = await jwtVerify(tokens.id_token, createLocalJWKSet(jwks), {
      issuer,
      audience: 'wiki',
    });
    expect(payload).toMatchObject({ nonce: 'no-1', sub: expect.any(String) });
    const objectclass = engine === 'AD' ? 'group' : 'groupOfNames';
    const group = async (name: string, member: string) => {
      const dn = `cn=${name} of ${ada.username},${people}`;
      await stage.manager.Create_LDAP_Object({ dn, attrs: { objectclass, member } });
      return dn;
    };
    await group('all', await group('writers', ada.dn));
    const groups = ['writers', 'all'].map((name) => `${name} of ${ada.username}`);
    if (engine === 'AD') groups.splice(1, 0, 'Domain Users', 'Users');
    expect(await userInfo(tokens.access_token)).toEqual({
      ...{ status: 200, sub: payload.sub, preferred_username: ada.username, name: ada.username },
      ...{ given_name: 'Ada', family_name: 'Lovelace', email: `${ada.username}@example.com`, groups },
    });
    const again = await redeem(codeIn(await logIn({ ...ada, code: (await fresh(ada)).code })));
    const { payload: second } = await jwtVerify(again.id_token, createLocalJWKSet(jwks));
    expect(second.sub).toBe(payload.sub);
  });
  const fresh = async (one: Person): Promise<Person> => ({
    ...one,
    code: String(await stage.manager.Otp.Emerg_Register({ dn: one.dn, expires: 86_400 })),
  });

  it('lets nobody in with a wrong password, code or name, and says no more than that', async () => {
    const ada = await person();
    const browser = new OpenIdBrowser(node);
    const { at } = await browser.follow(wanted());
    for (const form of [
      { username: ada.username, password: 'wrong' },
      { username: 'nobody', password },
      { username: '', password: '' },
    ]) {
      const { response } = await browser.follow(at, form);
      expect(String(response.body)).toContain('The name, the password or the code was not right.');
    }
    const asked = await browser.follow(at, { username: ada.username, password });
    const session = sessionIn(asked.response);
    const message = 'Enter your EMERGENCY password';
    const wrong = await browser.follow(at, { username: ada.username, session, message, code: '00000000' });
    expect(String(wrong.response.body)).toContain('was not right');
    expect(sessionIn(wrong.response), 'it may be typed again').toBe(session);
    stage.fixture.clock.advance(300_000);
    const over = await browser.follow(at, { username: ada.username, session, message, code: ada.code });
    expect(String(over.response.body)).toContain('That took too long.');
  });

  const paths = [
    '/.well-known/openid-configuration',
    '/jwks',
    '/token',
    '/userinfo',
    '/revoke',
    '/authorize',
  ];
  const preflight = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  };
  const asks = async (path: string, headers: Record<string, string>, method: string) =>
    node.service.web.answer({
      ...{ method, url: new URL(`${issuer}${path}`), headers: new Headers(headers) },
      ...{ address: '198.51.100.7', port: 40_000, body: async () => new Uint8Array() },
    });

  it.each(paths)('lets no page of an origin that is not listed ask by script: %s', async (path) => {
    for (const origin of ['https://elsewhere.example.com', 'null', 'https://wiki.example.com.evil.example']) {
      const response = await asks(path, { origin, ...preflight }, 'OPTIONS');
      expect([response.status, response.headers]).toEqual([
        403,
        expect.not.objectContaining({ 'access-control-allow-origin': expect.anything() }),
      ]);
    }
    expect((await asks(path, {}, 'OPTIONS')).status).toBe(403);
  });

  it.each(paths)('names no origin that is not listed in an answer: %s', async (path) => {
    for (const origin of ['https://elsewhere.example.com', 'null']) {
      for (const method of ['GET', 'POST']) {
        const { headers } = await asks(path, { origin, authorization: 'Bearer x' }, method);
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    }
  });

  it('names a listed origin in an answer, also of a refusal', async () => {
    const origin = 'https://app.example.com';
    const response = await asks('/userinfo', { origin, authorization: 'Bearer x' }, 'POST');
    expect([response.status, response.headers['access-control-allow-origin']]).toEqual([401, origin]);
  });

  it.each(['/token', '/userinfo', '/revoke'])(
    'lets the pages of an application ask by script: %s',
    async (path) => {
      for (const origin of ['https://app.example.com', 'https://wiki.example.com'])
        expect(await asks(path, { origin, ...preflight }, 'OPTIONS')).toMatchObject({
          status: 204,
          headers: { 'access-control-allow-origin': origin },
        });
    },
  );

  it('answers JSON that a browser runs nothing of', async () => {
    const answers = [
      ...(await Promise.all(
        ['/.well-known/openid-configuration', '/jwks', '/userinfo'].map((path) => asks(path, {}, 'GET')),
      )),
      await asks('/token', { 'content-type': 'application/x-www-form-urlencoded' }, 'POST'),
    ];
    for (const { headers } of answers) {
      expect(headers['content-type']).toMatch(/json/);
      expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    }
  });

  it.skipIf(isActiveDirectory).each(['127.0.0.1', '::1'])(
    'counts failures where the browser is, also at %s',
    async (address) => {
      const guess = async (username: string, password: string) => {
        const browser = new OpenIdBrowser(node, 'en', address);
        const { at } = await browser.follow(wanted());
        return browser.follow(at, { username, password });
      };
      node.clock.advance(86_400_000);
      for (let nth = 0; nth < 20; nth += 1) await guess(`nobody${nth}`, 'guessed');
      const { username } = await person();
      expect(sessionIn((await guess(username, password)).response)).toBe('');
      node.clock.advance(3_600_000);
      expect(sessionIn((await guess(username, password)).response)).not.toBe('');
    },
  );

  it('blocks who guesses at it, with the limits of all logins', async () => {
    const ada = await person();
    const browser = new OpenIdBrowser(node);
    const { at } = await browser.follow(wanted());
    for (let tries = 0; tries < 5; tries += 1)
      await browser.follow(at, { username: ada.username, password: `wrong-${tries}` });
    const { response } = await browser.follow(at, { username: ada.username, password });
    expect(String(response.body)).toContain('was not right');
  });

  it.each([
    ['de', 'Anmelden'],
    ['fr-CA', 'Se connecter'],
    ['es;q=0.9, ja', 'Iniciar sesión'],
    ['ja', 'Log in'],
  ])('speaks %s', async (language, title) => {
    const browser = new OpenIdBrowser(node, language);
    const { response } = await browser.follow(wanted());
    expect(String(response.body)).toContain(`<h1>${title}</h1>`);
    expect(
      String((await new OpenIdBrowser(node, language).follow(wanted({ ui_locales: 'de en' }))).response.body),
    ).toContain('<h1>Anmelden</h1>');
  });

  it('logs in to a second application without a question, and asks where the application wants it', async () => {
    const browser = new OpenIdBrowser(node);
    await logIn(await person(), browser);
    const quiet = { client_id: 'browser', redirect_uri: 'https://app.example.com/', prompt: '' };
    const { at } = await browser.follow(wanted(quiet));
    expect(at).toMatch(/^https:\/\/app\.example\.com\/\?code=/);
    const tokens = await redeem(
      codeIn(new URL(at)),
      { client_id: 'browser', redirect_uri: 'https://app.example.com/' },
      node,
      '',
    );
    expect(tokens).toMatchObject({ status: 200, scope: expect.stringContaining('openid') });
    expect((await browser.follow(wanted({ ...quiet, prompt: 'login' }))).at).toContain('/login/');
    const unknown = await new OpenIdBrowser(node).follow(wanted({ ...quiet, prompt: 'none' }));
    expect(new URL(unknown.at).searchParams.get('error')).toBe('login_required');
  });

  it.skipIf(isActiveDirectory)(
    'of a hundred who use one code one gets tokens, and what it got is taken back',
    async () => {
      const code = codeIn(await logIn(await person()));
      const all = await Promise.all(
        Array.from({ length: 100 }, (_, at) => redeem(code, {}, at % 2 ? node : other)),
      );
      const lucky = all.filter(({ status }) => status === 200);
      expect(lucky.length).toBeLessThanOrEqual(1);
      expect(all.filter(({ error }) => error === 'invalid_grant')).toHaveLength(100 - lucky.length);
      for (const { access_token: token } of lucky) expect((await userInfo(token)).status).toBe(401);
    },
  );

  it('a code that comes again takes back what the first one got', async () => {
    const code = codeIn(await logIn(await person()));
    const tokens = await redeem(code);
    expect((await userInfo(tokens.access_token)).status).toBe(200);
    expect(await redeem(code, {}, other)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect((await userInfo(tokens.access_token)).status).toBe(401);
    expect(await refresh(tokens.refresh_token)).toMatchObject({ error: 'invalid_grant' });
  });

  it('refreshes, each token once', async () => {
    const tokens = await redeem(codeIn(await logIn(await person())));
    const next = await refresh(tokens.refresh_token, other);
    expect(next).toMatchObject({ status: 200, refresh_token: expect.any(String) });
    expect(await refresh(tokens.refresh_token)).toMatchObject({ error: 'invalid_grant' });
    expect(await refresh(next.refresh_token), 'all of it is taken back').toMatchObject({
      error: 'invalid_grant',
    });
  });

  it.skipIf(isActiveDirectory)('of many who refresh with one token one gets the next', async () => {
    const { refresh_token: token } = await redeem(codeIn(await logIn(await person())));
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, at) => refresh(token, at % 2 ? node : other)),
    );
    expect(all.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it.each<[string, (dn: string) => Promise<unknown>]>([
    ['is deactivated', (dn) => stage.manager.Deactivate_LDAP_Object({ dn })],
    ['is blocked', (dn) => stage.manager.Otp.Block_Start({ dn })],
    ['has a new password', (dn) => stage.manager.Set_User_Password({ dn, password: 'Another-Horse-8' })],
    ['is removed', (dn) => stage.manager.Remove_LDAP_Object({ dn })],
  ])('ends on every node when the user %s', async (_, end) => {
    const ada = await person();
    const browser = new OpenIdBrowser(node);
    const tokens = await redeem(codeIn(await logIn(ada, browser)));
    await end(ada.dn);
    expect((await userInfo(tokens.access_token, other)).status).toBe(401);
    expect(tokens.refresh_token).toEqual(expect.any(String));
    expect(await refresh(tokens.refresh_token, other)).toMatchObject({ error: 'invalid_grant' });
    expect((await browser.follow(wanted({ prompt: '' }))).at).toContain('/login/');
  });

  it('ends when somebody logs out, and goes back to the application', async () => {
    const ada = await person();
    const browser = new OpenIdBrowser(node);
    const tokens = await redeem(codeIn(await logIn(ada, browser)));
    const query = new URLSearchParams({
      ...{ id_token_hint: tokens.id_token, post_logout_redirect_uri: afterwards, state: 'bye-1' },
    });
    const { response } = await browser.follow(`${issuer}/logout?${query}`);
    const [, action = '', xsrf = ''] =
      /action="([^"]+)">\n<input type="hidden" name="xsrf" value="([^"]+)"/.exec(String(response.body)) ?? [];
    results.splice(0);
    expect((await browser.follow(action, { xsrf, logout: 'yes' })).at).toBe(`${afterwards}?state=bye-1`);
    const jwks: JSONWebKeySet = JSON.parse(String((await browser.ask(`${issuer}/jwks`)).body));
    const sent = new URLSearchParams(results[0]).get('logout_token') ?? '';
    const { payload } = await jwtVerify(sent, createLocalJWKSet(jwks), { issuer, audience: 'wiki' });
    const { payload: own } = await jwtVerify(tokens.id_token, createLocalJWKSet(jwks));
    expect(payload).toMatchObject({
      ...{ sub: own.sub, sid: own.sid },
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    });
    expect((await userInfo(tokens.access_token)).status).toBe(401);
    expect(await refresh(tokens.refresh_token)).toMatchObject({ error: 'invalid_grant' });
    expect((await browser.follow(wanted({ prompt: '' }))).at).toContain('/login/');
    const sessions = await stage.manager.Sso.User_Sessions({ dn: ada.dn });
    expect(Object.keys(Object(sessions))).toEqual([]);
  });

  it.skipIf(isActiveDirectory)('logs somebody out though an application hangs', async () => {
    const browser = new OpenIdBrowser(node);
    await logIn(await person(), browser, wanted({ client_id: 'hanging' }));
    const { response } = await browser.follow(`${issuer}/logout`);
    const [, action = '', xsrf = ''] =
      /action="([^"]+)">\n<input type="hidden" name="xsrf" value="([^"]+)"/.exec(String(response.body)) ?? [];
    const out = await browser.follow(action, { xsrf, logout: 'yes' });
    expect(String(out.response.body)).toContain('You have logged out.');
    expect((await browser.follow(wanted({ prompt: '' }))).at).toContain('/login/');
  });

  it('has one session of a browser, however often somebody logs in there', async () => {
    const ada = await person();
    const browser = new OpenIdBrowser(node);
    const first = await redeem(codeIn(await logIn(ada, browser)));
    await logIn(await fresh(ada), browser);
    expect(Object(await stage.manager.Sso.User_Sessions({ dn: ada.dn }))).toHaveLength(1);
    expect((await userInfo(first.access_token)).status, 'the same user goes on').toBe(200);
    const { href } = await logIn(await person(), browser);
    const form = String((await browser.ask(href)).body);
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(form) ?? [];
    const { at } = await browser.follow(`${issuer}/logout/confirm`, { xsrf, logout: 'yes' });
    expect(at, 'the login goes on').toMatch(/^https:\/\/wiki\.example\.com\/callback\?from=us&code=/);
    expect((await userInfo(first.access_token)).status, 'another one does not').toBe(401);
    expect(Object(await stage.manager.Sso.User_Sessions({ dn: ada.dn }))).toHaveLength(0);
  });

  it('goes on where the web service sso is turned off', async () => {
    const config = {
      openid_clients: { wiki: { redirect_uris: [callback] } },
      websrvs: { sso: { enabled: false } },
    };
    const off = await stage.fixture.another({
      config,
      ports: () => ({ ...stage.ports, openid: openIdEngine }),
    });
    expect((await new OpenIdBrowser(off).ask(wanted())).status).toBe(303);
    expect((await new OpenIdBrowser(off).ask('https://localhost:8443/sso/json/ssoStatus/', {})).status).toBe(
      404,
    );
    closing.push(off);
  });

  it('does not start without what it needs', async () => {
    const config = { openid_clients: { wiki: { redirect_uris: [callback] } } };
    await expect(stage.fixture.another({ config })).rejects.toThrow('no engine was handed in');
  });

  it('admits nobody whom the policy of the application does not', async () => {
    const ada = await person();
    const browser = new OpenIdBrowser(node);
    const { at } = await browser.follow(wanted({ client_id: 'closed' }));
    const { response } = await browser.follow(at, { username: ada.username, password });
    expect(String(response.body)).toContain('was not right');
  });

  it('lets nobody past the policy of an application by a login to another one', async () => {
    const ada = await person();
    const browser = new OpenIdBrowser(node);
    const kiosk = await browser.follow(wanted({ client_id: 'kiosk' }));
    const { at: entered } = await browser.follow(kiosk.at, { username: ada.username, password: ada.code });
    expect(entered, 'by the code alone').toContain('code=');
    for (const client_id of ['wiki', 'staff', 'closed']) {
      expect((await browser.follow(wanted({ client_id, prompt: '' }))).at, client_id).toContain('/login/');
      const { at } = await browser.follow(wanted({ client_id, prompt: 'none' }));
      expect(new URL(at).searchParams.get('error'), client_id).toBe('login_required');
    }
    await logIn(await fresh(ada), browser);
    expect(
      (await browser.follow(wanted({ client_id: 'kiosk', prompt: '' }))).at,
      'its own goes on',
    ).toContain('code=');
    const staff = await browser.follow(wanted({ client_id: 'staff', prompt: '' }));
    const refused = await browser.follow(staff.at, { username: ada.username, password });
    expect(String(refused.response.body), 'not of the group').toContain('was not right');
    const { response } = await browser.follow(`${issuer}/logout`);
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(String(response.body)) ?? [];
    await browser.follow(`${issuer}/logout/confirm`, { xsrf, logout: 'yes' });
    expect(Object(await stage.manager.Sso.User_Sessions({ dn: ada.dn })), 'both are ended').toHaveLength(0);
  });

  it('takes no code for a login that another page, or another system, has begun', async () => {
    const ada = await person();
    const browser = new OpenIdBrowser(node);
    const kiosk = await browser.follow(wanted({ client_id: 'kiosk' }));
    const asked = await browser.follow(kiosk.at, { username: ada.username, password: '' });
    const elsewhere = await node.service.web.otp.normalLogin({
      username: ada.username,
      ldapPassword: password,
    });
    const wiki = await browser.follow(wanted());
    for (const session of [
      sessionIn(asked.response),
      'session' in elsewhere ? String(elsewhere.session) : '',
    ]) {
      expect(session).toMatch(/^[A-Za-z0-9]{16}$/);
      const { response } = await browser.follow(wiki.at, { username: ada.username, session, code: ada.code });
      expect(String(response.body)).toContain('That took too long.');
    }
  });

  it.each(['http://127.0.0.1:49152/cb', 'http://127.0.0.1/cb', 'http://[::1]:51004/cb'])(
    'sends back to a program on the machine of its user at any port: %s',
    async (redirect_uri) => {
      const more = { client_id: 'program', redirect_uri, prompt: '' };
      const browser = new OpenIdBrowser(node);
      await logIn(await person(), browser);
      const { at } = await browser.follow(wanted(more));
      expect(at.startsWith(`${redirect_uri}?code=`)).toBe(true);
      const tokens = await redeem(codeIn(new URL(at)), more, node, '');
      expect(tokens.status).toBe(200);
    },
  );

  it.each([
    'http://127.0.0.1:49152/other',
    'http://127.0.0.2:49152/cb',
    'http://localhost:49152/cb',
    'https://127.0.0.1:49152/cb',
    'https://app.example.com:8443/cb',
  ])('sends no program back to %s', async (redirect_uri) => {
    const { at, response } = await new OpenIdBrowser(node).follow(
      wanted({ client_id: 'program', redirect_uri }),
    );
    expect([at.startsWith(issuer), response.status]).toEqual([true, 400]);
  });

  it.each<[string, Record<string, string>, string]>([
    ['an address that is not the one, to the letter', { redirect_uri: `${callback}&x=1` }, 'redirect_uri'],
    ['another host', { redirect_uri: 'https://wiki.example.com.evil.example/callback' }, 'redirect_uri'],
    ['another case', { redirect_uri: 'https://wiki.example.com/Callback?from=us' }, 'redirect_uri'],
    ['an unknown application', { client_id: 'nobody' }, 'client'],
  ])('sends nobody to %s', async (_, more, word) => {
    const { at, response } = await new OpenIdBrowser(node).follow(wanted(more));
    expect(at.startsWith(issuer)).toBe(true);
    expect(response.status).toBe(400);
    expect(String(response.body)).toContain(word);
  });

  it.each<[string, Record<string, string>, string]>([
    ['PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['PKCE of value', { code_challenge: verifier, code_challenge_method: 'plain' }, 'invalid_request'],
    ['the code flow', { response_type: 'id_token' }, 'unsupported_response_type'],
    ['a known request form', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
  ])('wants %s', async (_, more, error) => {
    const { at } = await new OpenIdBrowser(node).follow(wanted(more));
    expect(
      new URL(at).searchParams.get('error') ?? new URLSearchParams(new URL(at).hash.slice(1)).get('error'),
    ).toBe(error);
  });

  it.each<[string, Record<string, string>, string?]>([
    ['another verifier', { code_verifier: randomBytes(32).toString('base64url') }],
    ['no verifier', { code_verifier: '' }],
    ['another address', { redirect_uri: 'https://app.example.com/' }],
    ['a wrong secret', {}, 'wiki:wrong'],
    ['no secret', { client_id: 'wiki' }, ''],
    ['another application', {}, `closed:${secret}`],
  ])('gives no tokens for a code with %s', async (_, more, as) => {
    const code = codeIn(await logIn(await person()));
    expect((await redeem(code, more, node, as)).status).toBeGreaterThanOrEqual(400);
  });

  it('has nobody else’s login finished, and no form of another origin', async () => {
    const ada = await person();
    const { at } = await new OpenIdBrowser(node).follow(wanted());
    const thief = await new OpenIdBrowser(node).follow(at, { username: ada.username, password });
    expect(thief.response.status).toBe(400);
    const browser = new OpenIdBrowser(node);
    const own = await browser.follow(wanted());
    const forged = await browser.ask(
      own.at,
      { username: ada.username, password },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    );
    expect(forged.status).toBe(403);
  });

  it('has cookies that no script reads, no other site sends, and that come over HTTPS only', async () => {
    const { cookies = [] } = await new OpenIdBrowser(node).ask(wanted());
    expect(cookies.length).toBeGreaterThan(1);
    for (const cookie of cookies)
      expect(cookie).toMatch(/; secure; httponly|; samesite=lax; secure; httponly/i);
  });

  it.skipIf(isActiveDirectory)('begins so many logins from one place, and no more', async () => {
    const flood = (address: string) =>
      node.service.web.answer({
        ...{ method: 'GET', url: new URL(wanted()), headers: new Headers(), address, port: 1 },
        body: async () => new Uint8Array(),
      });
    for (let begun = 0; begun < 600; begun += 1) await flood(`2001:db8::${begun.toString(16)}`);
    expect((await flood('2001:db8::ffff')).status).toBe(429);
    expect((await flood('2001:db8:1::1')).status).toBe(303);
    stage.fixture.clock.advance(61_000);
    expect((await flood('2001:db8::1')).status).toBe(303);
  });

  it('answers nonsense in words', async () => {
    const browser = new OpenIdBrowser(node);
    for (const path of ['', '/', '/nothing', '/login/x', '/login/aaaaaaaaaaaaaaaaaaaaa', '/%zz'])
      expect((await browser.ask(`${issuer}${path}`)).status, path).toBeGreaterThanOrEqual(400);
  });

  it('keeps nothing in the clear', async () => {
    const tokens = await redeem(codeIn(await logIn(await person())));
    const kept = [];
    for await (const values of stage.ports.store.family('openid')) kept.push(...values);
    expect(kept.length).toBeGreaterThan(3);
    const text = kept.map(({ key, value }) => `${key} ${Buffer.from(value).toString('latin1')}`).join();
    for (const hidden of [tokens.access_token, tokens.refresh_token, 'accountId', 'wiki'])
      expect(text).not.toContain(hidden);
  });
});
