/** The Manager over HTTP: methods, paths, headers, cookies and bodies; the core tests the rest. */

import { bundled } from '@watchword/core';
import { basic, type Fixture, openFixture } from '@watchword/core/testing/bed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManagerHandler } from './handler.ts';
import { managerServer } from './options.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({ config: { manager_session: 300 } });
});
afterAll(() => fixture.close());

const peer = { address: '192.0.2.1', port: 40_000 };
const status = JSON.stringify({ jsonrpc: '2.0', method: 'Server_Status', id: 0 });

interface Sent {
  readonly path?: string;
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly authorized?: boolean;
}

/** Sends a request to the whole server, as the administrator unless `authorized` is false. */
function send(
  { path = '/manag/', method = 'POST', body = status, ...more }: Sent = {},
  service = fixture.service,
): Promise<Response> {
  const limits = { ...fixture.core.config.limits, body_bytes: 2000 };
  const authorization: Record<string, string> =
    more.authorized === false ? {} : { authorization: basic(fixture.admin) };
  const headers = { ...authorization, ...more.headers };
  const request = new Request(`https://localhost${path}`, {
    method,
    headers,
    ...(method !== 'GET' && method !== 'HEAD' && { body }),
  });
  return managerServer(service, { limits })(request, peer);
}

const cookieOf = (response: Response): string => response.headers.get('set-cookie')?.split(';')[0] ?? '';

describe('POST /manag/', () => {
  it('answers JSON that nobody keeps', async () => {
    const response = await send();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', result: { status: 1 }, id: 0 });
  });

  it('makes a dry run where one is asked for, however', async () => {
    const dn = fixture.users.alice.dn;
    const call = { jsonrpc: '2.0', id: 1, method: 'Remove_LDAP_Object', params: { dn } };
    for (const said of ['1', 'true', 'yes, please']) {
      const response = await send({ body: JSON.stringify(call), headers: { 'x-dry-run': said } });
      expect(await response.json()).toEqual({
        ...{ jsonrpc: '2.0', id: 1 },
        result: { dryRun: true, would: [{ operation: 'remove', dn, changes: [] }] },
      });
    }
    const asked = JSON.stringify({ ...call, method: 'Check_LDAP_Object' });
    const real = await send({ body: asked, headers: { 'x-dry-run': '0' } });
    expect(await real.json()).toMatchObject({ result: true });
  });

  it.each([
    'application/json',
    'application/x-www-form-urlencoded',
    'text/plain',
    'application/json; charset=utf-16',
  ])('does not mind the content type %s', async (type) => {
    const response = await send({ headers: { 'content-type': type } });
    expect(await response.json()).toMatchObject({ result: { status: 1 } });
  });

  it('answers a notification with 204 and no body', async () => {
    const response = await send({ body: '{"jsonrpc": "2.0", "method": "Server_Status"}' });
    expect([response.status, await response.text()]).toEqual([204, '']);
  });

  it('answers without the slash at the end as well', async () => {
    expect((await send({ path: '/manag' })).status).toBe(200);
    expect((await send({ path: '/manag/?x=1' })).status).toBe(200);
  });

  it('asks for a login', async () => {
    const response = await send({ authorized: false });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Basic realm="[^"]+"/);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ error: { code: -32001 }, id: null });
  });

  it('limits the body', async () => {
    const response = await send({ body: `"${'x'.repeat(2000)}"` });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      error: {
        code: -32029,
        message: 'Too large',
        data: 'a request body has at most 2000 bytes',
        reason: 'too_large',
      },
      id: null,
    });
  });

  it('keeps a session by its cookie, wherever that stands among others', async () => {
    const cookie = cookieOf(await send());
    for (const header of [cookie, `a=b; ${cookie}`, `SVCMANAGER=x;${cookie}; c="d"`, `=; ;${cookie}`]) {
      const response = await send({ headers: { cookie: header }, authorized: false });
      expect([response.status, cookieOf(response)]).toEqual([200, '']);
    }
    const wrong = await send({ headers: { cookie: cookie.toLowerCase() }, authorized: false });
    expect(wrong.status).toBe(401);
  });

  it.each([
    ['close', true],
    ['Close', true],
    ['TE, close', true],
    ['keep-alive', false],
    ['closed', false],
  ])('ends the session with Connection: %s: %s', async (connection, ends) => {
    const cookie = cookieOf(await send());
    await send({ headers: { cookie, connection } });
    const { status } = await send({ headers: { cookie }, authorized: false });
    expect(status).toBe(ends ? 401 : 200);
  });
});

describe('a request of a browser', () => {
  it.each([
    ['a form of another site', 'cross-site', 'text/plain', 403],
    ['a form of another host', 'same-site', 'application/x-www-form-urlencoded', 403],
    ['a form that says it is JSON', 'cross-site', 'text/plain; application/json', 403],
    ['a page whose origin a proxy allows', 'cross-site', 'application/json', 200],
    ['a page of its own', 'same-origin', 'text/plain', 200],
    ['the address bar', 'none', 'text/plain', 200],
  ])('from %s', async (_, site, type, expected) => {
    const result = fixture.countEvents('by a page of another site');
    const response = await send({ headers: { 'sec-fetch-site': site, 'content-type': type } });
    expect(response.status).toBe(expected);
    expect(fixture.countEvents('by a page of another site') - result).toBe(expected === 403 ? 1 : 0);
  });
});

describe('a script of another origin', () => {
  const portal = 'https://portal.example.com';
  const json = { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' };
  const preflight = {
    method: 'OPTIONS',
    headers: { 'access-control-request-method': 'POST', 'sec-fetch-site': 'cross-site' },
    authorized: false,
  };
  const credentialed = {
    vary: 'Origin',
    'access-control-allow-origin': portal,
    'access-control-allow-credentials': 'true',
  };

  let listing: Awaited<ReturnType<typeof fixture.another>>;
  beforeAll(async () => {
    listing = await fixture.another({ config: { manager_origins: [portal] } });
  });
  afterAll(() => listing.close());

  const ask = async (origin: string, { headers, ...more }: Sent, service = listing.service) => {
    const response = await send({ ...more, headers: { ...headers, origin } }, service);
    return { status: response.status, headers: Object.fromEntries(response.headers) };
  };
  const permissions = (headers: object) =>
    Object.keys(headers).filter((name) => /^access-control/.test(name));

  it('is told before it asks what it may send, and may read what it is answered', async () => {
    expect(await ask(portal, preflight)).toMatchObject({
      status: 204,
      headers: {
        ...credentialed,
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': expect.stringMatching(/^authorization, content-type/),
      },
    });
    expect(await ask(portal, { headers: json })).toMatchObject({ status: 200, headers: credentialed });
    expect(await ask(portal, { headers: json, authorized: false })).toMatchObject({
      status: 401,
      headers: credentialed,
    });
  });

  it.each(['https://stranger.example.com', 'null'])(
    'that is not listed learns nothing: %s',
    async (origin) => {
      const refused = await ask(origin, preflight);
      expect(refused).toMatchObject({ status: 405, headers: { allow: 'POST', vary: 'Origin' } });
      expect(permissions(refused.headers)).toEqual([]);
      const form = await ask(origin, { headers: { ...json, 'content-type': 'text/plain' } });
      expect(form).toMatchObject({ status: 403, headers: { vary: 'Origin' } });
      expect(permissions(form.headers)).toEqual([]);
      expect(permissions((await ask(origin, { headers: json })).headers)).toEqual([]);
    },
  );

  it('is unknown where no origin is listed', async () => {
    expect((await ask(portal, preflight, fixture.service)).status).toBe(405);
    const { headers } = await ask(portal, { headers: json }, fixture.service);
    expect([permissions(headers), 'vary' in headers]).toEqual([[], false]);
  });
});

describe('anything else', () => {
  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s /manag/ is refused', async (method) => {
    const response = await send({ method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect(fixture.events().at(-1)?.text).toBe(`Refused: ${method} JSON-RPC is not answered there`);
  });

  it.each([
    '/',
    '/manag/x',
    '/manager/',
    '//manag/',
    '/otp/',
    '/otp/json/otpNormalLogin/',
    '/otp?wsdl',
    '/websrvs/wsdl.php?websrv=openid',
    '/ws/otp/?action=nothing',
  ])('%s is not there', async (path) => {
    expect((await send({ path })).status).toBe(404);
  });

  it('is not there for SOAP, and is no XML', async () => {
    const response = await send({
      path: '/otp/',
      body: '<?xml version="1.0"?><Envelope/>',
      headers: { 'content-type': 'text/xml', soapaction: '"urn:otp#otpNormalLogin"' },
    });
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await response.text()).toBe('Not Found');
  });

  it('is the description of a web service, with the address that SOAP is sent to', async () => {
    const response = await send({ path: '/websrvs/wsdl.php?websrv=otp', method: 'GET', authorized: false });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/xml; charset=utf-8']);
    expect(await response.text()).toContain('<soap:address location="https://localhost:8443/otp/"/>');
    expect((await send({ path: '/websrvs/wsdl.php?websrv=otp' })).status).toBe(405);
  });

  it('is whether it is well', async () => {
    expect((await send({ path: '/healthz', method: 'GET' })).status).toBe(200);
    const ready = await send({ path: '/readyz', method: 'GET' });
    expect(await ready.json()).toMatchObject({ status: 'ok' });
  });
});

describe('createManagerHandler', () => {
  it('answers at any path that it is mounted at', async () => {
    const handler = createManagerHandler(fixture.service);
    const headers = { authorization: basic(fixture.admin) };
    const request = new Request('https://localhost/admin/rpc', { method: 'POST', body: status, headers });
    expect(await (await handler(request, peer)).json()).toMatchObject({ result: { status: 1 } });
  });
});

describe('descriptions', () => {
  const read = (path: string) => send({ path, method: 'GET', authorized: false });

  it('are listed, one for the core and one for each application, and each can be read', async () => {
    const listed: string[] = await (await read('/manag/descriptions/')).json();
    expect(listed.sort()).toEqual(
      [...Object.keys(bundled).map((name) => `${name}.json`), 'core.json'].sort(),
    );
    for (const name of listed) {
      const response = await read(`/manag/descriptions/${name}`);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await response.json()).toMatchObject({
        version: expect.any(String),
        methods: expect.any(Array),
      });
    }
  });

  it('tell all methods, operations, settings and data of an application', async () => {
    const { Otp: otp } = bundled;
    const result = await (await read('/manag/descriptions/Otp.json')).json();
    expect(result).toMatchObject({ application: 'Otp', service: 'otp' });
    const names = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name);
    expect(names(result.methods)).toEqual(Object.keys(otp.methods).map((name) => `Otp.${name}`));
    expect(names(result.operations)).toEqual(expect.arrayContaining(Object.keys(otp.operations)));
    expect(names(result.settings)).toEqual(Object.keys(otp.settings).map((name) => `Otp.${name}`));
    expect(result.data).toContain('Otp.TokenType');
    const mode = result.settings.find(({ name }: { readonly name: string }) => name === 'Otp.LoginMode');
    expect(mode).toMatchObject({ default: 'LDAPOTP', schema: { enum: expect.arrayContaining(['LDAPMFA']) } });
  });

  it('tell the core’s methods, and what its schema is here', async () => {
    const result = await (await read('/manag/descriptions/core.json')).json();
    expect(result.schema).toMatchObject({ account_class: 'webadmaccount', data_attribute: 'webadmData' });
    expect(result.methods[0]).toMatchObject({ name: 'Create_LDAP_Object' });
  });

  it('are the same by rpc.discover, over HTTP, and in a batch', async () => {
    const discover = { jsonrpc: '2.0', method: 'rpc.discover', id: 1 };
    const { result } = await (await send({ body: JSON.stringify(discover) })).json();
    expect(result).toEqual(await (await read('/manag/openrpc.json')).json());
    const [first] = await (await send({ body: JSON.stringify([discover]) })).json();
    expect(first.result).toEqual(result);
    const wrong = await (await send({ body: JSON.stringify({ ...discover, params: { all: true } }) })).json();
    expect(wrong.error).toMatchObject({ code: -32602 });
    expect((await send({ body: JSON.stringify(discover), authorized: false })).status).toBe(401);
  });

  it('are in the words of the installation', async () => {
    const node = await fixture.another({ config: { names: { Otp: 'ExampleOTP', otp: 'exampleotp' } } });
    const get = async (path: string) =>
      (await send({ path, method: 'GET', authorized: false }, node.service)).json();
    expect(await get('/manag/descriptions/')).toContain('ExampleOTP.json');
    expect((await get('/manag/descriptions/ExampleOTP.json')).methods[0].name).toMatch(/^ExampleOTP\./);
    expect(Object.keys((await get('/openapi.json')).paths)[0]).toMatch(/^\/exampleotp\/json\/exampleotp/);
    await node.close();
  });

  it('are read by those who may ask the Manager, and changed by nobody', async () => {
    const node = await fixture.another({ config: { manager_clients: ['198.51.100.7'] } });
    const status = async (path: string, method = 'GET') =>
      (await send({ path, method }, node.service)).status;
    expect(await status('/manag/openrpc.json')).toBe(403);
    expect(await status('/openapi.json')).toBe(200);
    await node.close();
    expect((await send({ path: '/manag/openrpc.json', method: 'PUT' })).status).toBe(405);
    expect((await read('/manag/descriptions/../../etc/passwd')).status).toBe(404);
    expect((await read('/manag/descriptions/None.json')).status).toBe(404);
    const head = await send({ path: '/openapi.json', method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});
