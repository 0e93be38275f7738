/** Callers and names of the web services, and what is served beside the operations. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../../node/src/machine/index.ts';
import { createAuthority } from '../../../../pki/src/index.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import type { PageRequest } from '../../table/page.ts';
import { openEcho, type WebAsking, webRequest } from '../../testing/bed/children/echo.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const secret = '0123456789abcdef0123456789abcdef01234567';
const sha256 = createHash('sha256').update(secret).digest('hex');
const ports = { clock: systemClock, random: systemRandom };
const elsewhere = await createAuthority({ commonName: 'Another authority', days: 9 }, ports);
const soapBody =
  '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><otpEcho/></e:Body></e:Envelope>';

describe('a service that wants to know who calls', () => {
  const config = {
    api_keys: { '7': { sha256 } },
    websrvs: { otp: { require: 'either' } },
    // Of authorities that the operator names; those of ours are judged in `caller-certificates.ts`.
    caller_certificates: 'any',
  } as const;
  const certificate = { pem: elsewhere.certificate, authorized: true };

  async function answerTo(asking: WebAsking & { readonly certificate?: typeof certificate }) {
    const node = await fixture.another({ config });
    const echo = openEcho(node.core);
    let bodies = 0;
    const request = webRequest('/otp/json/otpEcho/', asking);
    const response = await echo.door.answer({
      ...request,
      ...(asking.certificate && { certificate: asking.certificate }),
      body: async (most) => {
        bodies += 1;
        return request.body(most);
      },
    });
    await node.close();
    return { ...response, caller: echo.calls[0]?.caller, bodies };
  }

  it.each(['X-API-Key', 'WA-API-Key'])('takes a key in %s', async (header) => {
    const { status, caller } = await answerTo({ body: '{}', headers: { [header]: `7_${secret}` } });
    expect([status, caller]).toEqual([200, { address: '192.0.2.1', apiKey: '7', trusted: true }]);
  });

  it('takes a certificate that TLS has checked', async () => {
    expect((await answerTo({ body: '{}', certificate })).status).toBe(200);
  });

  it.each<[string, Parameters<typeof answerTo>[0]]>([
    ['nothing', { body: '{}' }],
    ['a wrong key', { body: '{}', headers: { 'x-api-key': `7_${secret.replace('0', '1')}` } }],
    ['the key of nobody', { body: '{}', headers: { 'x-api-key': `8_${secret}` } }],
    [
      'a certificate that anybody can make',
      { body: '{}', certificate: { ...certificate, authorized: false } },
    ],
  ])('answers %s with 401, and reads no body for it', async (_, asking) => {
    const { status, body, bodies, caller, headers } = await answerTo(asking);
    expect({ status, bodies, caller }).toEqual({ status: 401, bodies: 0, caller: undefined });
    expect(JSON.parse(String(body))).toMatchObject({ reason: 'credentials_refused' });
    expect(headers['www-authenticate']).toBe('ApiKey realm="otp"');
  });

  it('answers SOAP with 401 and a fault', async () => {
    const node = await fixture.another({ config });
    const response = await openEcho(node.core).ask('/otp/', { body: soapBody });
    expect([response.status, response.headers['www-authenticate']]).toEqual([401, 'ApiKey realm="otp"']);
    expect(response.body).toContain('<faultcode>SOAP-ENV:Client</faultcode>');
    await node.close();
  });

  it('describes itself to everybody', async () => {
    const node = await fixture.another({ config });
    expect((await openEcho(node.core).ask('/otp?wsdl')).status).toBe(200);
    await node.close();
  });
});

describe('names of the installation', () => {
  const config = { names: { otp: 'exampleotp', Otp: 'ExampleOTP' } };

  it('are in every word of the interface, and ours are understood', async () => {
    const node = await fixture.another({ config });
    const { ask } = openEcho(node.core);
    for (const path of [
      '/exampleotp/json/exampleotpEcho/',
      '/otp/json/otpEcho',
      '/exampleotp/json?method=otpEcho',
    ])
      expect((await ask(path)).status).toBe(200);
    const description = (await ask('/otp?wsdl')).body;
    expect(description).toContain('name="exampleotp" targetNamespace="urn:exampleotp"');
    expect(description).toContain('<operation name="exampleotpEcho">');
    expect(description).not.toMatch(/\botpEcho|"otp"|urn:otp/);
    for (const path of ['/exampleotp/', '/otp/'])
      expect((await ask(path, { body: soapBody })).body).toContain(
        '<ns1:exampleotpEchoResponse xmlns:ns1="urn:exampleotp">',
      );
    await node.close();
  });

  it('are not needed in process', async () => {
    const node = await fixture.another({ config });
    expect(await node.service.web.otp.status()).toMatchObject({ status: true });
    await node.close();
  });
});

describe('in process', () => {
  it('an operation is a function, with values of its types', async () => {
    const echo = openEcho(fixture.core);
    const request = {
      username: 'alice',
      domain: '',
      timeout: 7,
      sendPush: false,
      file: Buffer.from('x'),
      mobile: ['1'],
    };
    // The types of `calls` are those of the applications; here another one replaces `otp`.
    const calls: Readonly<Record<string, Readonly<Record<string, unknown>>>> = echo.door.calls;
    const call = calls.otp?.echo;
    const answer = typeof call === 'function' ? await call(request) : undefined;
    expect(answer).toEqual({ code: 1, error: '', ...request, domain: undefined });
    expect(echo.calls[0]).toMatchObject({
      caller: { address: 'in-process' },
      transaction: { id: expect.stringMatching(/^[0-9A-Z]{8}$/), client: '-' },
    });
  });

  it.each([5, {}, ['x'], '*'])('bytes that are none, such as %j, are a bad request', async (voiceSample) => {
    const calls: Readonly<Record<string, unknown>> = fixture.service.web.otp;
    const { challenge } = calls;
    const answer = typeof challenge === 'function' ? await challenge({ voiceSample }) : undefined;
    expect(answer).toMatchObject({ code: 0, error: 'BadRequest' });
  });

  it('is what a service offers', async () => {
    expect(Object.keys(fixture.service.web.otp).sort()).toEqual([
      'cancelConfirm',
      'cancelSign',
      'challenge',
      'checkBadging',
      'checkConfirm',
      'checkSign',
      'confirmQRCode',
      'externConfirm',
      'externSign',
      'list',
      'listConfirm',
      'listLogin',
      'login',
      'normalConfirm',
      'normalLogin',
      'normalSign',
      'offlineConfirm',
      'offlineQRCode',
      'pkiLogin',
      'seal',
      'signQRCode',
      'simpleLogin',
      'startBadging',
      'status',
      'touchConfirm',
      'touchSign',
    ]);
  });
});

describe('a service that is turned off', () => {
  it('is not there', async () => {
    const node = await fixture.another({ config: { websrvs: { otp: { enabled: false } } } });
    const { ask } = openEcho(node.core);
    for (const path of ['/otp/json/otpEcho/', '/otp?wsdl', '/websrvs/wsdl.php?websrv=otp'])
      expect((await ask(path)).status).toBe(404);
    expect((await ask('/')).body).not.toContain('otp');
    await node.close();
  });
});

describe('an operation by GET', () => {
  const paths = ['/otp/json/otpEcho/?username=alice', '/otp/json/?method=otpEcho'];

  it('is answered, where nothing else is said', async () => {
    for (const path of paths) expect((await openEcho(fixture.core).ask(path)).status).toBe(200);
  });

  it('is refused with the way to ask where rest_get is false, and nothing else is', async () => {
    const node = await fixture.another({ config: { rest_get: false } });
    const { ask, taken } = openEcho(node.core, {
      page: async () => ({ status: 200, headers: {}, body: '' }),
    });
    for (const path of paths)
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await ask(path, { method });
        expect([status, headers.allow]).toEqual([405, 'POST']);
      }
    expect(taken()).toEqual([]);
    expect((await ask('/otp/json/otpEcho/', { body: '{}' })).status).toBe(200);
    for (const path of ['/', '/otp?wsdl', '/cacert', '/otp/page']) expect((await ask(path)).status).toBe(200);
    await node.close();
  });
});

describe('a request that a browser sends', () => {
  const page = async () => ({ status: 200, headers: {}, body: 'page' });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const json = { 'content-type': 'application/json' };
  const asked = (path: string, site: string, { headers, ...more }: WebAsking = {}) =>
    openEcho(fixture.core, { page }).ask(path, { ...more, headers: { 'sec-fetch-site': site, ...headers } });

  it.each<[string, string, WebAsking]>([
    ['an image of a login', '/otp/json/otpEcho/?username=alice', {}],
    ['a form', '/otp/json/otpEcho/', { body: 'username=alice', headers: form }],
    [
      'a form that says it is JSON',
      '/otp/json/otpEcho/',
      { body: '{}', headers: { 'content-type': 'text/plain' } },
    ],
    ['a form with an envelope', '/otp/', { body: soapBody, headers: { 'content-type': 'text/plain' } }],
    ['a form for a page of ours', '/otp/page', { body: 'x=1', headers: form }],
    ['and by its short address', '/ws/otp/?action=page', { body: 'x=1', headers: form }],
  ])('for a page of another site is refused: %s', async (_, path, asking) => {
    for (const site of ['cross-site', 'same-site'])
      expect(await asked(path, site, asking)).toMatchObject({ status: 403, body: 'Forbidden' });
    for (const site of ['same-origin', 'none']) expect((await asked(path, site, asking)).status).toBe(200);
  });

  it('and what it asks for runs nothing', async () => {
    const echo = openEcho(fixture.core);
    await echo.ask('/otp/json/otpEcho/?username=alice', { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(echo.taken()).toEqual([]);
  });

  it.each(['/', '/otp?wsdl', '/websrvs/wsdl.php?websrv=otp', '/cacert', '/crl', '/otp/page'])(
    'from a link elsewhere opens %s',
    async (path) => expect((await asked(path, 'cross-site')).status).toBe(200),
  );

  it('for a page elsewhere is answered where a proxy has told the browser that it is welcome', async () => {
    expect((await asked('/otp/json/otpEcho/', 'cross-site', { body: '{}', headers: json })).status).toBe(200);
  });
});

describe('a script of another origin', () => {
  const [portal, stranger] = ['https://portal.example.com', 'https://stranger.example.com'];
  const json = { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' };
  const credentialed = {
    vary: 'Origin',
    'access-control-allow-origin': portal,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'retry-after, www-authenticate',
  };
  const preflight = (origin: string) => ({
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'sec-fetch-site': 'cross-site' },
  });

  async function ask(path: string, asking: WebAsking, config: object = { ws_origins: [`${portal}/`] }) {
    const node = await fixture.another({ config });
    const echo = openEcho(node.core, { page: async () => ({ status: 200, headers: {}, body: 'page' }) });
    const response = await echo.ask(path, asking);
    await node.close();
    return { ...response, taken: echo.taken() };
  }

  it('is told before it asks what it may send, where it is listed', async () => {
    for (const [path, methods] of [
      ['/otp/', 'POST'],
      ['/otp/json/otpEcho/', 'GET, POST'],
    ] as const)
      expect(await ask(path, preflight(portal))).toMatchObject({
        status: 204,
        headers: {
          ...credentialed,
          'access-control-allow-methods': methods,
          'access-control-allow-headers': expect.stringContaining('content-type, soapaction'),
        },
        taken: [],
      });
  });

  it.each<[string, string, WebAsking]>([
    ['JSON', '/otp/json/otpEcho/', { body: '{}', headers: json }],
    ['SOAP', '/otp/', { body: soapBody, headers: { ...json, 'content-type': 'text/xml' } }],
    ['GET', '/otp/json/otpEcho/?username=alice', { headers: { 'sec-fetch-site': 'cross-site' } }],
  ])('is answered, and may read it: %s', async (_, path, asking) => {
    const answer = await ask(path, { ...asking, headers: { ...asking.headers, origin: portal } });
    expect(answer).toMatchObject({ status: 200, headers: credentialed });
    expect(answer.taken).toHaveLength(1);
  });

  it('may read why it is refused', async () => {
    const config = { ws_origins: [portal], websrvs: { otp: { require: 'api_key' } } };
    const headers = { ...json, origin: portal };
    const answer = await ask('/otp/json/otpEcho/', { body: '{}', headers }, config);
    expect(answer).toMatchObject({ status: 401, headers: credentialed });
  });

  it.each([
    stranger,
    'null',
    'https://portal.example.com.stranger.example',
    'http://portal.example.com',
    '*',
  ])('that is not listed learns nothing: %s', async (origin) => {
    const refused = await ask('/otp/json/otpEcho/', preflight(origin));
    expect(refused).toMatchObject({ status: 405, headers: { vary: 'Origin' }, taken: [] });
    const asked = await ask('/otp/json/otpEcho/', { body: '{}', headers: { ...json, origin } });
    expect(asked.headers).toMatchObject({ vary: 'Origin' });
    for (const { headers } of [refused, asked])
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    const form = { 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site', origin };
    expect(await ask('/otp/json/otpEcho/', { body: '{}', headers: form })).toMatchObject({
      status: 403,
      taken: [],
    });
  });

  it('has no leave by a page or a document', async () => {
    for (const path of ['/otp/page', '/otp?wsdl', '/cacert'])
      expect((await ask(path, preflight(portal))).status).toBe(405);
  });

  it('is unknown where no origin is listed', async () => {
    const headers = { ...json, origin: portal };
    const asked = await ask('/otp/json/otpEcho/', { body: '{}', headers }, {});
    expect(Object.keys(asked.headers).filter((name) => /^(?:vary|access-control)/.test(name))).toEqual([]);
    expect((await ask('/otp/json/otpEcho/', preflight(portal), {})).status).toBe(405);
  });
});

describe('a page of an application', () => {
  const asked: PageRequest[] = [];
  const mobile = async (request: PageRequest) => {
    asked.push(request);
    if (request.session === 'gone') throw new ServiceError('not_found');
    return { status: 200, headers: { 'content-type': 'text/html' }, body: 'page' };
  };
  const open = () => openEcho(fixture.core, { mobile });

  it.each(['/otp/mobile?session=abc', '/otp/mobile/?session=abc', '/ws/otp/?action=mobile&session=abc'])(
    'stands at %s',
    async (path) => {
      expect(await open().ask(path)).toEqual({
        status: 200,
        headers: { 'content-type': 'text/html', 'cache-control': 'no-store' },
        body: 'page',
      });
      expect(asked.pop()).toMatchObject({ method: 'GET', session: 'abc', address: '192.0.2.1' });
    },
  );

  it('stands on the port of the Manager by its action alone', async () => {
    const { door } = open();
    expect(await door.answerShared(webRequest('/ws/otp?action=mobile'))).toMatchObject({ body: 'page' });
    expect(await door.answerShared(webRequest('/otp/mobile'))).toBeUndefined();
  });

  it('is given what is posted', async () => {
    await open().ask('/otp/mobile', { body: 'otp=1', headers: { 'content-type': 'text/plain' } });
    const { method, contentType, body } = asked.pop() ?? {};
    expect([method, contentType, String(await body?.())]).toEqual(['POST', 'text/plain', 'otp=1']);
  });

  it('is not there under another name, or answers an error in JSON', async () => {
    const { ask } = open();
    for (const path of ['/otp/toString', '/ws/otp/?action=constructor', '/ws/otp/', '/ws/sso/?action=mobile'])
      expect((await ask(path)).status).toBe(404);
    expect((await ask('/otp/mobile', { method: 'PUT' })).status).toBe(405);
    const { status, body } = await ask('/otp/mobile?session=gone');
    expect([status, JSON.parse(String(body))]).toEqual([
      404,
      { reason: 'not_found', message: 'No such object' },
    ]);
  });
});
