/** The Admin Portal over HTTP: its files, who signs in, and the calls of its pages. */
import { basic, type Fixture, openFixture } from '@watchword/core/testing/bed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { managerServer } from './options.ts';

const file = (text: string, contentType: string, hashed: boolean) => ({
  bytes: Buffer.from(text),
  contentType,
  hashed,
  brotli: hashed ? Buffer.from(`br ${text}`) : undefined,
  gzip: hashed ? Buffer.from(`gz ${text}`) : undefined,
});

const files = new Map([
  ['index.html', file('<!doctype html>', 'text/html; charset=utf-8', false)],
  ['assets/main-0a1b2c3d.js', file('void 0', 'text/javascript; charset=utf-8', true)],
]);

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({ config: { manager_session: 300, manager_auth: 'UID' } });
});
afterAll(() => fixture.close());

interface Sent {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

const peer = { address: '192.0.2.1', port: 40_000 };

/** A request of a page of the portal: its browser tells where it comes from. */
function send(path: string, { method = 'GET', body, headers = {} }: Sent = {}, service = fixture.service) {
  const request = new Request(`https://localhost${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && { 'sec-fetch-site': 'same-origin', origin: 'https://localhost' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return managerServer(service, fixture.core.config, files)(request, peer);
}

const signIn = (body: object, headers: Record<string, string> = {}) =>
  send('/admin/session', { method: 'POST', body, headers });

interface SignedIn {
  readonly cookie: string;
  readonly csrf: string;
}

async function signedIn({ username, password } = fixture.admin): Promise<SignedIn> {
  const response = await signIn({ username, password });
  const { csrf } = await response.json();
  return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '', csrf };
}

const status = { jsonrpc: '2.0', id: 1, method: 'Who_Am_I' };

const call = ({ cookie, csrf }: SignedIn, body: unknown = status, headers: Record<string, string> = {}) =>
  send('/admin/rpc', { method: 'POST', body, headers: { cookie, 'x-csrf-token': csrf, ...headers } });

describe('the files of the portal', () => {
  it('are pages that run nothing but their own', async () => {
    for (const path of ['/admin/', '/admin/people/uid=alice', '/admin/index.html']) {
      const response = await send(path);
      expect([response.status, await response.text()]).toEqual([200, '<!doctype html>']);
      expect(response.headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('are kept for ever where their names say what is in them, and go packed', async () => {
    const path = '/admin/assets/main-0a1b2c3d.js';
    for (const [accepted, body, encoding] of [
      ['gzip, deflate, br', 'br void 0', 'br'],
      ['gzip;q=1.0, br;q=0', 'gz void 0', 'gzip'],
      ['identity', 'void 0', null],
    ] as const) {
      const response = await send(path, { headers: { 'accept-encoding': accepted } });
      expect([await response.text(), response.headers.get('content-encoding')]).toEqual([body, encoding]);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
    const head = await send(path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('are where the address of the server leads', async () => {
    const answer = await send('/');
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/admin/']);
  });

  it('are no others, and are only read', async () => {
    expect((await send('/admin')).headers.get('location')).toBe('/admin/');
    expect((await send('/admin/assets/main.js')).status).toBe(404);
    expect((await send('/admin/..%2f..%2fetc/passwd.txt')).status).toBe(404);
    expect((await send('/', { method: 'POST', body: {} })).status).toBe(404);
    expect((await send('/admin/', { method: 'POST', body: {} })).status).toBe(405);
  });
});

describe('a session of the portal', () => {
  it('is told what it takes to begin one', async () => {
    const response = await send('/admin/session');
    expect(await response.json()).toEqual({
      signedIn: false,
      mode: 'UID',
      fields: ['username', 'password'],
      certificate: 'none',
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('begins with a password, runs calls, and ends', async () => {
    const response = await signIn({ ...fixture.admin, dn: undefined });
    expect(response.headers.get('set-cookie')).toMatch(
      /^SVCADMIN=[0-9a-f]{32}; Path=\/admin; Secure; HttpOnly; SameSite=Strict$/,
    );
    const { csrf, ...rest } = await response.json();
    expect(rest).toEqual({ kind: 'signed-in', administrator: fixture.admin.dn });
    const session = { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '', csrf };
    const result = await send('/admin/session', { headers: { cookie: session.cookie } });
    expect(await result.json()).toMatchObject({
      ...{ signedIn: true, csrf, administrator: fixture.admin.dn, name: 'admin', mode: 'UID' },
      ...{ idleSeconds: 900, superAdmin: true },
    });
    expect(await (await call(session)).json()).toMatchObject({ result: { super_admin: true } });
    const out = await send('/admin/session', {
      method: 'DELETE',
      headers: { cookie: session.cookie, 'x-csrf-token': csrf },
    });
    expect([out.status, await out.json()]).toEqual([200, { signedIn: false }]);
    expect(out.headers.get('set-cookie')).toMatch(/^SVCADMIN=; .*Max-Age=0$/);
    expect((await call(session)).status).toBe(401);
  });

  it('answers batches, and notifications with nothing', async () => {
    const session = await signedIn();
    const both = await call(session, [status, { ...status, id: 2 }]);
    expect(await both.json()).toMatchObject([{ id: 1 }, { id: 2 }]);
    expect((await call(session, { jsonrpc: '2.0', method: 'Who_Am_I' })).status).toBe(204);
  });

  it('is for administrators with the right password', async () => {
    for (const body of [
      { username: 'admin', password: 'wrong' },
      { username: 'alice', password: fixture.users.alice.password },
      { username: 'nobody', password: 'x' },
      { ...fixture.admin, dn: undefined, domain: 'Nowhere' },
    ]) {
      const response = await signIn(body);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBeNull();
      expect(await response.json()).toEqual({
        reason: 'credentials_refused',
        message: 'Invalid username or password',
      });
    }
    expect(fixture.countEvents('to the admin portal: refused')).toBe(4);
  });
});

describe('another site', () => {
  it('begins no session, and runs nothing by one', async () => {
    const body = { username: fixture.admin.username, password: fixture.admin.password };
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ])
      expect((await signIn(body, headers)).status).toBe(403);
    const session = await signedIn();
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'x-csrf-token': '' },
      { 'x-csrf-token': '0'.repeat(64) },
    ]) {
      const response = await call(session, status, headers);
      expect([response.status, (await response.json()).error.reason]).toEqual([403, 'permission_denied']);
    }
    const out = { cookie: session.cookie, 'x-csrf-token': 'x' };
    expect((await send('/admin/session', { method: 'DELETE', headers: out })).status).toBe(403);
    expect((await call(session)).status).toBe(200);
  });

  it('is told by browsers that tell only the origin', async () => {
    const from = async (origin: string) => {
      const body = JSON.stringify({ username: 'x', password: 'x' });
      const headers = { 'content-type': 'application/json', origin };
      const request = new Request('https://localhost/admin/session', { method: 'POST', body, headers });
      return (await managerServer(fixture.service, fixture.core.config, files)(request, peer)).status;
    };
    expect(await from('https://evil.example')).toBe(403);
    expect(await from('https://localhost')).toBe(401);
    expect(await from(fixture.core.config.manager_url)).toBe(401);
  });

  it('sends no form', async () => {
    const form = { 'content-type': 'text/plain' };
    const response = await signIn({ ...fixture.admin, dn: undefined }, form);
    expect([response.status, (await response.json()).reason]).toEqual([400, 'invalid_request']);
  });
});

describe('the cookies of the two doors', () => {
  it('open the other one not', async () => {
    const session = await signedIn();
    const asManager = session.cookie.replace('SVCADMIN', 'SVCMANAG');
    const body = JSON.stringify(status);
    const manager = (headers: Record<string, string>) => send('/manag/', { method: 'POST', body, headers });
    for (const cookie of [session.cookie, asManager]) expect((await manager({ cookie })).status).toBe(401);
    const begun = await manager({ authorization: basic(fixture.admin) });
    const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await manager({ cookie })).status).toBe(200);
    const asPortal = cookie.replace('SVCMANAG', 'SVCADMIN');
    const { csrfToken } = await import('@watchword/core/testing/bed');
    const csrf = csrfToken(asPortal.split('=')[1] ?? '');
    for (const given of [cookie, asPortal]) expect((await call({ cookie: given, csrf })).status).toBe(401);
    // Basic credentials are no session of the portal.
    const withBasic = { authorization: basic(fixture.admin) };
    expect((await send('/admin/rpc', { method: 'POST', body, headers: withBasic })).status).toBe(401);
  });
});
