/** The web services over HTTP: paths, methods and headers; the core tests the rest. */
import { type Fixture, openFixture } from '@watchword/core/testing/bed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webServiceServer } from './options.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const peer = { address: '192.0.2.1', port: 40_000 };

interface Sent {
  readonly method?: string;
  readonly body?: string;
  readonly type?: string;
}

/** Sends a request to the whole server. */
function send(path: string, { body, type, method = body === undefined ? 'GET' : 'POST' }: Sent = {}) {
  const request = new Request(`https://login.example.org:8443${path}`, {
    method,
    ...(body !== undefined && { body }),
    ...(type !== undefined && { headers: { 'content-type': type } }),
  });
  return webServiceServer(fixture.service)(request, peer);
}

const status = (operation: string) =>
  `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><${operation}/></e:Body></e:Envelope>`;

describe('the web services', () => {
  it.each(['/otp', '/otp/'])('answer SOAP at %s', async (path) => {
    const response = await send(path, { body: status('otpStatus'), type: 'text/xml' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/xml; charset=utf-8']);
    expect(await response.text()).toContain('<status>true</status>');
  });

  it.each<[string, string, Sent]>([
    ['GET', '/otp/json/otpStatus/', {}],
    ['GET', '/otp/json/?method=otpStatus', {}],
    ['POST of a form', '/otp/json/otpStatus', { body: 'x=1', type: 'application/x-www-form-urlencoded' }],
    ['POST of JSON', '/otp/json/otpStatus/', { body: '{}', type: 'application/json' }],
  ])('answer REST: %s %s', async (_, path, sent) => {
    const response = await send(path, sent);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ status: true });
  });

  it.each(['/otp?wsdl', '/otp/?wsdl', '/otp/?WSDL=1', '/websrvs/wsdl.php?websrv=otp'])(
    'describe themselves at %s',
    async (path) => {
      const response = await send(path);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/xml; charset=utf-8',
      ]);
      expect(await response.text()).toMatch(/<soap:address location="https:\/\/[^"]+\/otp\/"\/>/);
    },
  );

  it('limit the body', async () => {
    const long = await send('/otp/', { body: 'x'.repeat(65_537) });
    expect([long.status, await long.text()]).toEqual([500, expect.stringContaining('at most 65536 bytes')]);
    const rest = await send('/otp/json/otpStatus/', { body: 'x'.repeat(65_537) });
    expect([rest.status, await rest.json()]).toEqual([413, expect.objectContaining({ reason: 'too_large' })]);
  });

  it('say what there is', async () => {
    const page = await (await send('/')).text();
    expect(page).toMatch(/^Watchword web services \d+\.\d+\.\d+\n/);
    expect(page).toContain('https://login.example.org:8443/otp?wsdl');
  });

  it('are watched', async () => {
    expect((await send('/healthz')).status).toBe(200);
    expect(await (await send('/readyz')).json()).toMatchObject({ status: 'ok' });
  });
});

describe('anything else', () => {
  it.each([
    '/manag/',
    '/openid/',
    '/openid?wsdl',
    '/otp/jso/',
    '/otp/json/a/b',
    '/websrvs/wsdl.php?websrv=x',
    '//otp/',
    '/otp//',
  ])('%s is not there', async (path) => {
    expect((await send(path)).status).toBe(404);
  });

  it.each([
    ['GET', '/otp/', 'POST'],
    ['PUT', '/otp/', 'POST'],
    ['POST', '/otp/?wsdl', 'GET, HEAD'],
    ['HEAD', '/otp/json/otpStatus/', 'GET, POST'],
    ['DELETE', '/otp/json/otpStatus/', 'GET, POST'],
    ['POST', '/', 'GET, HEAD'],
  ])('%s %s is refused', async (method, path, allow) => {
    const response = await send(path, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
  });

  it('HEAD has no body', async () => {
    const response = await send('/otp?wsdl', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});
