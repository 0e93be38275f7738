/** The contract of engines of OpenID Connect, with a login and a state of ours. */
import { generateKeyPairSync, hash, randomBytes } from 'node:crypto';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { type HttpResponse, plainText } from '../../foundation/http/index.ts';
import type { OpenIdEngine, OpenIdOptions, OpenIdServer, OpenIdState } from '../../ports/openid.ts';
import { OpenIdBrowser } from '../bed/openid-browser.ts';

const issuer = 'https://localhost:8443/openid';
const secret = 'the-secret-of-the-wiki';
const callback = 'https://wiki.example.com/callback?from=us';
const afterwards = 'https://wiki.example.com/bye';
const verifier = randomBytes(32).toString('base64url');
const asked = {
  ...{ client_id: 'wiki', response_type: 'code', scope: 'openid profile offline_access' },
  ...{ redirect_uri: callback, state: 'st-1', nonce: 'no-1', login_hint: 'alice', ui_locales: 'de en' },
  ...{ code_challenge: hash('sha256', verifier, 'base64url'), code_challenge_method: 'S256' },
};
const wanted = (more: Record<string, string | undefined> = {}): string => {
  const given = Object.entries({ ...asked, ...more }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return `${issuer}/authorize?${new URLSearchParams(given)}`;
};

/** A state like a store's: values end in time, and one of many callers uses a value up. */
class KeptState implements OpenIdState {
  readonly values = new Map<string, { payload: Record<string, unknown>; used: boolean; end: number }>();
  /** The time in seconds. */
  now = 0;
  isDown = false;

  async put(kind: string, id: string, payload: object, seconds: number): Promise<void> {
    if (this.isDown) throw new Error('secret at /var/lib');
    this.values.set(`${kind} ${id}`, { payload: { ...payload }, used: false, end: this.now + seconds });
  }

  async get(kind: string, id: string): Promise<Record<string, unknown> | undefined> {
    const found = this.values.get(`${kind} ${id}`);
    if (!found || found.end <= this.now) return undefined;
    return found.used ? { ...found.payload, consumed: 1 } : { ...found.payload };
  }

  async consume(kind: string, id: string): Promise<boolean> {
    const found = this.values.get(`${kind} ${id}`);
    if (!found || found.used) return false;
    found.used = true;
    return true;
  }

  async remove(kind: string, id: string): Promise<void> {
    this.values.delete(`${kind} ${id}`);
  }

  async revoke(grant: string): Promise<void> {
    for (const [key, { payload }] of this.values)
      if (payload.grantId === grant || key.endsWith(` ${grant}`)) this.values.delete(key);
  }
}

const jsonOf = ({ body }: HttpResponse): Record<string, unknown> => JSON.parse(String(body) || '{}');

export function describeOpenIdEngine(name: string, engine: OpenIdEngine): void {
  describe(`an engine of OpenID Connect: ${name}`, () => {
    const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
    let state: KeptState;
    let server: OpenIdServer;
    /** Logins that the engine asked for. */
    let logins: Parameters<OpenIdOptions['login']>[0][];
    let ended: string[];
    let failures: unknown[];
    /** Sessions that last. */
    let sessions: Set<string>;
    beforeEach(() => {
      [state, logins, ended, failures, sessions] = [new KeptState(), [], [], [], new Set()];
      const policies = { wiki: 'wiki', notes: 'wiki', program: 'program' };
      server = engine({
        ...{
          issuer,
          state,
          keys: [{ ...key, kid: 'k1', alg: 'RS256', use: 'sig' }],
          cookieSecrets: ['c'.repeat(32)],
        },
        applications: Object.entries(policies).map(([id, policy]) => ({
          ...{ id, policy, sha256: id === 'program' ? undefined : hash('sha256', secret) },
          redirectUris: [id === 'program' ? 'http://127.0.0.1/cb' : callback],
          postLogoutRedirectUris: [afterwards],
        })),
        claims: async (session) => (sessions.has(session) ? { sub: 'sub-alice', name: 'Ada' } : undefined),
        login: async (login, request) => {
          logins.push(login);
          if (request.method !== 'POST') return { page: plainText(200, 'who are you?') };
          const session =
            new URLSearchParams(Buffer.from(await request.body(1000)).toString()).get('session') ?? '';
          sessions.add(session);
          return { subject: 'sub-alice', session };
        },
        end: async (session) => {
          sessions.delete(session);
          ended.push(session);
        },
        logoutPage: ({ action, xsrf }) => plainText(200, JSON.stringify({ action, xsrf })),
        loggedOutPage: () => plainText(200, 'logged out'),
        errorPage: ({ error }) => plainText(400, error),
        failed: (error) => failures.push(error),
      });
    });

    const newBrowser = () => new OpenIdBrowser({ service: { web: server } });

    /** @returns where the browser is sent to */
    async function logIn({
      browser = newBrowser(),
      session = 'session-1',
      url = wanted(),
    } = {}): Promise<URL> {
      const { at } = await browser.follow(url);
      return new URL((await browser.follow(at, { session })).at);
    }
    const codeOf = async (how?: Parameters<typeof logIn>[0]): Promise<string> =>
      (await logIn(how)).searchParams.get('code') ?? '';

    async function post(path: string, form: Record<string, string>, as = `wiki:${secret}`) {
      const authorization = `Basic ${Buffer.from(as).toString('base64')}`;
      const response = await newBrowser().ask(`${issuer}${path}`, form, as === '' ? {} : { authorization });
      return { status: response.status, ...jsonOf(response) } as { status: number } & Record<string, string>;
    }
    const redeem = (code: string, more: Record<string, string> = {}, as?: string) => {
      const form = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: callback,
        code_verifier: verifier,
      };
      return post('/token', { ...form, ...more }, as);
    };
    const refresh = (token = '') => post('/token', { grant_type: 'refresh_token', refresh_token: token });
    const userInfo = (token = '') =>
      newBrowser().ask(`${issuer}/userinfo`, undefined, { authorization: `Bearer ${token}` });

    it('describes itself, and shows what its signatures are checked with', async () => {
      const result = jsonOf(await newBrowser().ask(`${issuer}/.well-known/openid-configuration`));
      expect(result).toMatchObject({
        ...{ issuer, response_types_supported: ['code'], code_challenge_methods_supported: ['S256'] },
        ...{ authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
      });
      const { keys } = jsonOf(await newBrowser().ask(String(result.jwks_uri)));
      expect(keys).toMatchObject([{ kty: 'RSA', kid: 'k1', n: key.n }]);
      expect(JSON.stringify(keys)).not.toContain(`"d"`);
    });

    it('has somebody log in, and tells the application who it is', async () => {
      const to = await logIn();
      expect(`${to.origin}${to.pathname}`).toBe('https://wiki.example.com/callback');
      expect(Object.fromEntries(to.searchParams)).toMatchObject({ from: 'us', state: 'st-1', iss: issuer });
      expect(logins[0]).toMatchObject({
        client: 'wiki',
        redirectUri: callback,
        languages: 'de en',
        hint: 'alice',
      });
      const tokens = await redeem(to.searchParams.get('code') ?? '');
      const keys = jsonOf(await newBrowser().ask(`${issuer}/jwks`)) as unknown as JSONWebKeySet;
      const { payload } = await jwtVerify(tokens.id_token ?? '', createLocalJWKSet(keys), {
        issuer,
        audience: 'wiki',
      });
      expect(payload).toMatchObject({ sub: 'sub-alice', nonce: 'no-1' });
      expect(jsonOf(await userInfo(tokens.access_token))).toEqual({ sub: 'sub-alice', name: 'Ada' });
      expect(failures).toEqual([]);
    });

    it('asks no more where somebody has logged in under the same policy', async () => {
      const browser = newBrowser();
      await logIn({ browser });
      const { at } = await browser.follow(wanted({ client_id: 'notes' }));
      expect(new URL(at).searchParams.get('code')).toMatch(/./);
      const other = await browser.follow(
        wanted({ client_id: 'program', redirect_uri: 'http://127.0.0.1:5000/cb' }),
      );
      expect(String(other.response.body)).toBe('who are you?');
    });

    it('gives tokens for a code once, and takes them back where it comes again', async () => {
      const code = await codeOf();
      const { access_token } = await redeem(code);
      expect((await userInfo(access_token)).status).toBe(200);
      expect(await redeem(code)).toMatchObject({ status: 400, error: 'invalid_grant' });
      expect((await userInfo(access_token)).status).toBe(401);
    });

    it('gives tokens once where a code comes many times at once', async () => {
      const code = await codeOf();
      const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(code)));
      const given = answers.filter(({ status }) => status === 200);
      expect(given.length).toBeLessThanOrEqual(1);
      expect((await userInfo(given[0]?.access_token)).status).toBe(401);
    });

    it('gives none after a minute', async () => {
      const code = await codeOf();
      state.now += 61;
      expect(await redeem(code)).toMatchObject({ status: 400, error: 'invalid_grant' });
    });

    it.each<[string, Record<string, string>, string | undefined, string]>([
      [
        'another verifier',
        { code_verifier: randomBytes(32).toString('base64url') },
        undefined,
        'invalid_grant',
      ],
      ['another address', { redirect_uri: 'https://wiki.example.com/other' }, undefined, 'invalid_grant'],
      ['another application', {}, `notes:${secret}`, 'invalid_grant'],
      ['a wrong secret', {}, 'wiki:wrong', 'invalid_client'],
      ['the digest in place of the secret', {}, `wiki:${hash('sha256', secret)}`, 'invalid_client'],
      ['no secret', { client_id: 'wiki' }, '', 'invalid_client'],
    ])('gives none with %s', async (_, more, as, error) => {
      expect(await redeem(await codeOf(), more, as)).toMatchObject({ error });
    });

    it('refreshes tokens once, and takes all back where one comes again', async () => {
      const { refresh_token } = await redeem(await codeOf());
      const next = await refresh(refresh_token);
      expect(next).toMatchObject({
        status: 200,
        refresh_token: expect.not.stringMatching(`^${refresh_token}$`),
      });
      expect(await refresh(refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
      expect(await refresh(next.refresh_token)).toMatchObject({ error: 'invalid_grant' });
    });

    it('ends with the session: nobody is told anything, and a new login is asked for', async () => {
      const browser = newBrowser();
      const { access_token, refresh_token } = await redeem(await codeOf({ browser }));
      sessions.clear();
      expect((await userInfo(access_token)).status).toBe(401);
      expect(await refresh(refresh_token)).toMatchObject({ error: 'invalid_grant' });
      expect(String((await browser.follow(wanted())).response.body)).toBe('who are you?');
    });

    it('ends the session of before where somebody logs in anew in the same browser', async () => {
      const browser = newBrowser();
      await logIn({ browser });
      await logIn({ browser, session: 'session-2', url: wanted({ prompt: 'login' }) });
      expect([ended, [...sessions]]).toEqual([['session-1'], ['session-2']]);
    });

    it('logs out by a form of ours, and not by an address alone', async () => {
      const browser = newBrowser();
      const { id_token = '' } = await redeem(await codeOf({ browser }));
      const back = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: afterwards });
      const { action, xsrf } = jsonOf((await browser.follow(`${issuer}/logout?${back}`)).response);
      expect(ended).toEqual([]);
      await browser.follow(String(action), { xsrf: 'wrong', logout: 'yes' });
      expect(ended).toEqual([]);
      expect((await browser.follow(String(action), { xsrf: String(xsrf), logout: 'yes' })).at).toBe(
        afterwards,
      );
      expect(ended).toEqual(['session-1']);
    });

    it.each([
      ['another address', { redirect_uri: 'https://evil.example/' }],
      ['one that begins alike', { redirect_uri: `${callback}&more=1` }],
      ['an unknown application', { client_id: 'nobody' }],
    ])('sends nobody on to %s', async (_, more) => {
      const { at, response } = await newBrowser().follow(wanted(more));
      expect(new URL(at).origin).toBe(new URL(issuer).origin);
      expect([response.status, response.headers.location]).toEqual([400, undefined]);
    });

    it.each([
      ['without a challenge', { code_challenge: undefined, code_challenge_method: undefined }],
      ['with a challenge in the clear', { code_challenge_method: 'plain' }],
      ['for tokens in the address', { response_type: 'id_token' }],
    ])('begins no login %s', async (_, more) => {
      const { at } = await newBrowser().follow(wanted(more));
      expect(new URL(at).searchParams.get('code')).toBeNull();
      expect(at).toContain('error=');
      expect(logins).toEqual([]);
    });

    it('lets nobody go on with the login of another browser', async () => {
      const { at } = await newBrowser().follow(wanted());
      const stolen = await newBrowser().follow(at, { session: 'session-1' });
      expect([stolen.response.status, stolen.at]).toEqual([400, at]);
      const stranger = newBrowser();
      const own = await stranger.follow(wanted());
      expect((await stranger.follow(at, { session: 'session-1' })).response.status).toBe(400);
      expect(logins.map(({ uid }) => [at, own.at].findIndex((one) => one.endsWith(uid)))).toEqual([0, 1]);
      expect(sessions.size).toBe(0);
    });

    it('keeps no secret of an application', async () => {
      await redeem(await codeOf());
      expect(JSON.stringify([...state.values])).not.toContain(secret);
    });

    it('grants nothing where the state cannot be kept, and tells our side, not the browser', async () => {
      const code = await codeOf();
      state.isDown = true;
      const answer = await redeem(code);
      expect(answer).toMatchObject({ status: 500, error: 'server_error' });
      expect(JSON.stringify(answer)).not.toContain('/var/lib');
      expect(failures.map(String).join()).toContain('/var/lib');
    });
  });
}
