/** Signing keys over a hundred days, as applications see them: on two nodes, with key sets that were fetched the day before. */
import { createHmac, hash, randomBytes } from 'node:crypto';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openIdEngine } from '../../../../../openid/src/index.ts';
import { type Fixture, openFixture } from '../../../testing/bed/fixture.ts';
import { OpenIdBrowser } from '../../../testing/bed/openid-browser.ts';

const issuer = 'https://localhost:8443/openid';
const [callback, afterwards] = ['https://wiki.example.com/callback', 'https://wiki.example.com/bye'];
const secret = 'the-secret-of-the-wiki';
const hour = 3_600_000;
const day = 24 * hour;

let fixture: Fixture;
let nodes: readonly [Fixture, Fixture];
beforeAll(async () => {
  fixture = await openFixture();
  await fixture.call('Activate_LDAP_Object', { dn: fixture.users.alice.dn });
  const wiki = {
    ...{ sha256: hash('sha256', secret), redirect_uris: [callback] },
    post_logout_redirect_uris: [afterwards],
  };
  const options = {
    config: { openid_clients: { wiki }, settings: { 'Otp.LoginMode': 'LDAP' } },
    ports: () => ({ openid: openIdEngine }),
  };
  nodes = [await fixture.another(options), await fixture.another(options)];
});
afterAll(async () => {
  for (const node of nodes) await node.close();
  await fixture.close();
});

async function keySet(node: Fixture): Promise<JSONWebKeySet> {
  return JSON.parse(String((await new OpenIdBrowser(node).ask(`${issuer}/jwks`)).body));
}

/** Logs alice in at a node. @returns her browser there, and what the application got */
async function logIn(node: Fixture) {
  const browser = new OpenIdBrowser(node);
  const verifier = randomBytes(32).toString('base64url');
  const asked = new URLSearchParams({
    ...{ client_id: 'wiki', response_type: 'code', scope: 'openid offline_access', redirect_uri: callback },
    ...{ code_challenge: hash('sha256', verifier, 'base64url'), code_challenge_method: 'S256' },
  });
  const { at } = await browser.follow(`${issuer}/authorize?${asked}`);
  const { username, password } = fixture.users.alice;
  const { at: back } = await browser.follow(at, { username, password });
  const code = new URL(back).searchParams.get('code') ?? '';
  const grant = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier };
  return { browser, tokens: await redeem(grant, node) };
}

async function redeem(form: Record<string, string>, node: Fixture): Promise<Record<string, string>> {
  const authorization = `Basic ${Buffer.from(`wiki:${secret}`).toString('base64')}`;
  const response = await new OpenIdBrowser(node).ask(`${issuer}/token`, form, { authorization });
  return JSON.parse(String(response.body));
}

const refresh = (token = '', node = nodes[0]) =>
  redeem({ grant_type: 'refresh_token', refresh_token: token }, node);

const kidOf = (token = '') => decodeProtectedHeader(token).kid;

it('signs on both nodes with keys that were shown the day before, for a hundred days', async () => {
  let before = await Promise.all(nodes.map(keySet));
  const signing: (string | undefined)[] = [];
  for (let passed = 0; passed < 100 * day; passed += 20 * hour) {
    fixture.clock.advance(20 * hour);
    for (const [index, node] of nodes.entries()) {
      const { tokens } = await logIn(node);
      const shownByTheOther = createLocalJWKSet(before[1 - index] ?? { keys: [] });
      const { payload } = await jwtVerify(tokens.id_token ?? '', shownByTheOther, {
        issuer,
        audience: 'wiki',
      });
      expect(payload.sub).toBeTruthy();
      signing.push(kidOf(tokens.id_token));
    }
    before = await Promise.all(nodes.map(keySet));
    expect(before[0]?.keys.map(({ kid }) => kid)).toEqual(before[1]?.keys.map(({ kid }) => kid));
    for (const { keys } of before) expect(JSON.stringify(keys)).not.toMatch(/"(?:d|p|q|dp|dq|qi)":/);
  }
  expect(new Set(signing).size).toBe(2);
});

it('refreshes a login, and asks for its logout, after the key that signed it was followed by another', async () => {
  const [node] = nodes;
  const known = (await keySet(node)).keys.map(({ kid }) => kid);
  const isNew = ({ keys }: JSONWebKeySet) => keys.some(({ kid }) => !known.includes(kid));
  // The next key is shown a day before it signs, and a session lives for an hour after its last use.
  while (!isNew(await keySet(node))) fixture.clock.advance(12 * hour);
  const begun = await logIn(node);
  const first = kidOf(begun.tokens.id_token);
  let refreshed = begun.tokens;
  for (let passed = 0; passed < day && kidOf(refreshed.id_token) === first; passed += hour / 2) {
    fixture.clock.advance(hour / 2);
    refreshed = await refresh(refreshed.refresh_token);
  }
  expect(kidOf(refreshed.id_token)).not.toBe(first);
  const asked = new URLSearchParams({
    ...{ id_token_hint: begun.tokens.id_token ?? '', post_logout_redirect_uri: afterwards },
  });
  const { response } = await begun.browser.follow(`${issuer}/logout?${asked}`);
  expect(response.status).toBe(200);
});

it.each<[string, (header: object, payload: string, keys: JSONWebKeySet) => string]>([
  ['without a signature', (_, payload) => `${encoded({ alg: 'none' })}.${payload}.`],
  [
    'signed with a public key as the secret',
    (header, payload, keys) => {
      const start = `${encoded({ ...header, alg: 'HS256' })}.${payload}`;
      const key = Buffer.from(String(keys.keys[0]?.n), 'base64url');
      return `${start}.${createHmac('sha256', key).update(start).digest('base64url')}`;
    },
  ],
  [
    'signed with the secret of the application',
    (_, payload) => {
      const start = `${encoded({ alg: 'HS256' })}.${payload}`;
      return `${start}.${createHmac('sha256', secret).update(start).digest('base64url')}`;
    },
  ],
  [
    'of a key that there never was',
    (header, payload) => `${encoded({ ...header, kid: 'x' })}.${payload}.AAAA`,
  ],
])('refuses a logout by an ID token %s', async (_, forge) => {
  const [node] = nodes;
  const { browser, tokens } = await logIn(node);
  const [, payload = ''] = (tokens.id_token ?? '').split('.');
  const forged = forge(decodeProtectedHeader(tokens.id_token ?? ''), payload, await keySet(node));
  const asked = new URLSearchParams({ id_token_hint: forged, post_logout_redirect_uri: afterwards });
  const { response } = await browser.follow(`${issuer}/logout?${asked}`);
  expect(response.status).toBe(400);
  expect(await refresh(tokens.refresh_token)).toHaveProperty('id_token');
});

const encoded = (header: object): string => Buffer.from(JSON.stringify(header)).toString('base64url');
