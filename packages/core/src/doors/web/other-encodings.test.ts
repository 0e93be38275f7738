/** Forms of old clients and pages that are not in UTF-8, and bodies that are packed: refused in words, and nothing is judged. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webHandler } from '../../../../node/src/http/index.ts';
import { webRequest } from '../../testing/bed/children/echo.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  const webapps = { pwreset: { enabled: true }, selfreg: { enabled: true } };
  fixture = await openFixture({ config: { webapps } });
});
afterAll(() => fixture.close());

const type = { 'content-type': 'application/x-www-form-urlencoded' };

describe.each([
  ['escaped', 'username=alice&ldapPassword=gr%FCn'],
  ['as bytes', Buffer.from('username=alice&ldapPassword=gr\u00fcn', 'latin1')],
])('a form in Latin-1, %s', (_, body) => {
  it('is no login', async () => {
    const before = fixture.events().length;
    const { status, body: result } = await fixture.service.web.answer(
      webRequest('/otp/json/otpNormalLogin/', { body, headers: type }),
    );
    expect([status, JSON.parse(String(result))]).toMatchObject([
      400,
      { data: expect.stringContaining('UTF-8') },
    ]);
    expect(
      fixture
        .events()
        .slice(before)
        .map(({ text }) => text),
    ).not.toContainEqual(expect.stringContaining('wrong'));
  });

  it.each(['/otp/extern', '/webapps/pwreset/', '/webapps/selfreg/'])(
    'is refused in words at the page %s',
    async (path) => {
      const response = await fixture.service.web.answer(webRequest(path, { body, headers: type }));
      expect([response.status, String(response.body)]).toEqual([400, expect.stringContaining('UTF-8')]);
    },
  );

  it('confirms nothing at the door of phones', async () => {
    const response = await fixture.service.web.answer(webRequest('/otp/mobile', { body, headers: type }));
    expect(response).toMatchObject({ status: 400, body: '{"code":0,"message":"Invalid request"}' });
  });
});

it('a query in Latin-1 is no login', async () => {
  const path = '/otp/json/otpNormalLogin/?username=alice&ldapPassword=gr%FCn';
  const { status } = await fixture.service.web.answer(webRequest(path, { method: 'GET' }));
  expect(status).toBe(400);
});

it('a number in a field that nothing acts on is no mistake, in the place of a password it is', async () => {
  const login = async (fields: object) => {
    const body = JSON.stringify({ username: 'alice', ldapPassword: 'wrong', ...fields });
    const headers = { 'content-type': 'application/json' };
    const response = await fixture.service.web.answer(
      webRequest('/otp/json/otpNormalLogin/', { body, headers }),
    );
    return JSON.parse(String(response.body)).error;
  };
  expect(await login({ context: 0, virtual: 1 })).toBe('AuthFailed');
  expect(await login({ otpPassword: 61_727 })).toBe('BadRequest');
});

describe('a body with a Content-Encoding', () => {
  const handler = webHandler((request) => fixture.service.web.answer(request));
  const ask = (encoding: string, body: Uint8Array) =>
    handler(
      new Request('https://login.example.org:8443/otp/json/otpStatus/', {
        ...{ method: 'POST', body: Uint8Array.from(body) },
        headers: { 'content-type': 'application/json', 'content-encoding': encoding },
      }),
      { address: '192.0.2.1', port: 1 },
    );

  it.each(['gzip', 'br', 'identity, gzip', 'x'])('%s is refused in words', async (encoding) => {
    const answer = await ask(encoding, gzipSync('{}'));
    expect([answer.status, await answer.text()]).toEqual([415, expect.stringContaining('Content-Encoding')]);
    expect(answer.headers.get('accept-encoding')).toBe('identity');
  });

  it('identity is read', async () => {
    expect((await ask('identity', Buffer.from('{}'))).status).toBe(200);
  });
});
