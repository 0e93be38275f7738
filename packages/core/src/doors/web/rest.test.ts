/** The four forms of REST, the content of the answers, and what is refused before an operation runs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Echo, openEcho, type WebAsking } from '../../testing/bed/children/echo.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';

let fixture: Fixture;
let echo: Echo;
beforeAll(async () => {
  fixture = await openFixture();
  echo = openEcho(fixture.core);
});
afterAll(() => fixture.close());

const form = (body: string | Uint8Array): WebAsking => ({
  body,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});
const json = (value: unknown): WebAsking => ({
  body: typeof value === 'string' ? value : JSON.stringify(value),
  headers: { 'content-type': 'application/json' },
});

const multipart = (body: string | Uint8Array, type = 'multipart/form-data; boundary=x'): WebAsking => ({
  body,
  headers: { 'content-type': type },
});
const part = (name: string, value: string, more = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const parts = (fields: object) =>
  `${Object.entries(fields)
    .map(([name, value]) => part(name, value))
    .join('')}--x--\r\n`;

/** Returns what the operation got. */
async function understood(path: string, asking?: WebAsking) {
  expect((await echo.ask(path, asking)).status).toBe(200);
  const [request] = echo.taken();
  return Object.fromEntries(Object.entries(request ?? {}).filter(([, value]) => value !== undefined));
}

async function refused(path: string, asking?: WebAsking) {
  const { status, body } = await echo.ask(path, asking);
  expect(echo.taken()).toEqual([]);
  return { status, ...JSON.parse(String(body)) };
}

const alice = { username: 'alice', password: 'ä b+&' };
const encoded = 'username=alice&password=%C3%A4+b%2B%26';

describe('an operation is asked for', () => {
  it.each<[string, string, WebAsking | undefined]>([
    ['by GET', `/otp/json/otpEcho/?${encoded}`, undefined],
    ['by GET without the slash', `/otp/json/otpEcho?${encoded}`, undefined],
    ['by GET, named in the query', `/otp/json/?method=otpEcho&${encoded}`, undefined],
    ['by GET, named in the query, without the slash', `/otp/json?${encoded}&Method=OTPECHO`, undefined],
    ['by a form', '/otp/json/otpEcho/', form(encoded)],
    ['by a form, named in the query', '/otp/json/?method=otpEcho', form(encoded)],
    ['by a form, named in it', '/otp/json', form(`method=otpEcho&${encoded}`)],
    ['by a form in parts', '/otp/json/otpEcho/', multipart(parts(alice))],
    ['by a form in parts, named in it', '/otp/json', multipart(parts({ method: 'otpEcho', ...alice }))],
    [
      'by a form in parts, with a type in other words',
      '/otp/json/otpEcho/',
      multipart(parts(alice), 'Multipart/Form-Data; charset=UTF-8; boundary="x"'),
    ],
    ['by JSON', '/otp/json/otpEcho', json(alice)],
    ['by JSON, named in the query', '/otp/json/?method=otpEcho', json(alice)],
    ['by JSON, named in it', '/otp/json/', json({ method: 'otpEcho', ...alice })],
    [
      'by JSON with a charset',
      '/otp/json/otpEcho',
      { ...json(alice), headers: { 'content-type': 'Application/JSON; charset=utf-8' } },
    ],
    ['by GET, by position', '/otp/json/otpEcho?param2=%C3%A4+b%2B%26&param0=alice&_=1', undefined],
    ['by a form, by position', '/otp/json', form('method=otpEcho&PARAM0=alice&param2=%C3%A4+b%2B%26')],
    ['by JSON, by position', '/otp/json/otpEcho', json({ param0: 'alice', param1: null, param2: 'ä b+&' })],
    ['by JSON without a type', '/otp/json/otpEcho', { body: ` ${JSON.stringify(alice)}` }],
    ['by a form without a type', '/otp/json/otpEcho', { body: encoded }],
    [
      'in another case',
      `/OTP/JSON/OTPecho/?USERNAME=alice&${encoded.replace('username=alice&', '')}`,
      undefined,
    ],
  ])('%s', async (_, path, asking) => {
    expect(await understood(path, asking)).toEqual(alice);
  });

  it('with values of all types', async () => {
    const values = { timeout: 7, sendPush: true, file: Buffer.from('hello'), mobile: ['1', '2'] };
    const text = { timeout: '07', sendPush: 'True', file: 'aGVsbG8=' };
    expect(await understood('/otp/json/otpEcho', json({ ...text, mobile: ['1', '2'] }))).toEqual(values);
    expect(
      await understood('/otp/json/otpEcho', json({ timeout: 7, sendPush: true, mobile: [1, 2] })),
    ).toEqual({ ...values, file: undefined });
    const query = new URLSearchParams({ ...text, mobile: '1' });
    expect(await understood(`/otp/json/otpEcho?${query}&mobile=2`)).toEqual(values);
  });

  it('with no position where a name is known, or that no field has', async () => {
    expect(await understood('/otp/json/otpEcho?param2=x&username=alice')).toEqual({ username: 'alice' });
    expect(await understood('/otp/json/otpEcho?param7=x&param=y&param00=z')).toEqual({});
  });

  it('with nothing, with what is empty, and with what is unknown', async () => {
    expect(await understood('/otp/json/otpEcho')).toEqual({});
    expect(await understood('/otp/json/otpEcho', form(''))).toEqual({});
    expect(await understood('/otp/json/otpEcho', json({}))).toEqual({});
    expect(await understood('/otp/json/otpEcho', json({ username: '', domain: null, x: { y: 1 } }))).toEqual(
      {},
    );
    expect(await understood('/otp/json/otpEcho?username=&_=1')).toEqual({});
  });

  it('with a body that counts alone', async () => {
    expect(await understood('/otp/json/otpEcho?domain=x', form('username=alice'))).toEqual({
      username: 'alice',
    });
  });
});

it.each([
  ['a form', form('username=alice')],
  ['JSON', json({ Username: 'alice' })],
  ['a form in parts', multipart(parts({ username: 'alice' }))],
])('refuses a name that is in the query and in the body: %s', async (_, asking) => {
  expect(await refused('/otp/json/otpEcho?username=bob&domain=x', asking)).toMatchObject({
    ...{ status: 400, reason: 'invalid_params' },
    data: expect.stringMatching(/^Parameter username is in the query and in the body$/i),
  });
  expect(await refused('/otp/json/?method=otpEcho', form('method=otpEcho'))).toMatchObject({
    data: 'Parameter method is in the query and in the body',
  });
});

describe('the answer', () => {
  it('is JSON in the order of the WSDL, without what does not apply', async () => {
    const query = 'mobile=1&file=aGVsbG8&sendPush=1&timeout=07&username=ä"';
    expect(await echo.ask(`/otp/json/otpEcho?${query}`)).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: '{"code":1,"error":"","username":"ä\\"","timeout":7,"sendPush":true,"file":"aGVsbG8=","mobile":["1"]}',
    });
    echo.taken();
  });

  it.each<[string, object]>([
    ['a number that is none', { timeout: -1 }],
    ['a boolean that is none', { sendPush: 'maybe' }],
    ['a text that is an object', { username: { $ne: '' } }],
    ['a text that is a list', { username: ['alice'] }],
    ['half a character', { username: '\ud800' }],
    ['a field in two cases', { username: 'a', USERNAME: 'b' }],
    ['a number in the place of a text, which may have had zeros in front', { password: 61727 }],
    ['a number that is not what was written', { timeout: 2 ** 53 }],
  ])('to %s is in the words of the service', async (_, fields) => {
    expect(await refused('/otp/json/otpEcho', json(fields))).toEqual({
      status: 200,
      code: 0,
      error: 'invalid_params',
    });
  });
});

it('what is wrong with a field stands in the log with its name', async () => {
  await refused('/otp/json/otpEcho', json({ timeout: 'soon' }));
  expect(fixture.log.lines.at(-1)).toMatchObject({
    message: 'a request was refused',
    fields: {
      operation: 'otpEcho',
      reason: 'invalid_params',
      detail: 'Parameter timeout is not a non-negative integer',
    },
  });
});

it('a part that stands twice is refused as a field that does', async () => {
  const twice = multipart(`${part('username', 'a')}${part('username', 'b')}--x--\r\n`);
  expect(await refused('/otp/json/otpEcho', twice)).toMatchObject({ error: 'invalid_params' });
});

describe('what reaches no operation', () => {
  const path = '/otp/json/otpEcho/';
  it.each<[string, number, string, string, WebAsking | undefined]>([
    ['an unknown operation', 404, 'method_not_found', '/otp/json/otpFly/', undefined],
    ['a name of every object', 404, 'method_not_found', '/otp/json/constructor', undefined],
    ['an unknown operation in the query', 404, 'method_not_found', '/otp/json/?method=__proto__', undefined],
    ['no operation', 400, 'invalid_request', '/otp/json/', undefined],
    ['an operation that is no text', 400, 'invalid_request', '/otp/json/', json({ method: ['otpEcho'] })],
    ['no JSON', 400, 'parse_error', path, json('{"username": alice}')],
    ['JSON that breaks off', 400, 'parse_error', path, json('{"username": "al')],
    ['JSON in UTF-16', 400, 'parse_error', path, { ...json(''), body: Buffer.from('{}', 'utf16le') }],
    ['a JSON list', 400, 'invalid_request', path, json(['alice'])],
    ['a JSON text', 400, 'invalid_request', path, json('"alice"')],
    ['a JSON null', 400, 'invalid_request', path, json('null')],
    [
      'a name that stands twice',
      400,
      'invalid_request',
      path,
      json('{"username":"a","x":{"username":1},"username":"b"}'),
    ],
    ['a name that stands twice below', 400, 'invalid_request', path, json('{"x":[{"a":1,"a":1}]}')],
    [
      'a number that would be rounded',
      400,
      'invalid_request',
      path,
      json('{"username":0.12345678901234567}'),
    ],
    [
      'a name that stands twice, once escaped',
      400,
      'invalid_request',
      path,
      json('{"username":"a","\\u0075sername":"b"}'),
    ],
    ['a form that is not in UTF-8', 400, 'parse_error', path, form(Buffer.from('username=\xe4', 'latin1'))],
    ['a form in parts that breaks off', 400, 'parse_error', path, multipart(part('username', 'alice'))],
    ['a form in parts that has none', 400, 'parse_error', path, multipart('alice')],
    ['parts without a boundary', 400, 'parse_error', path, multipart(parts(alice), 'multipart/form-data')],
    [
      'parts of another kind',
      400,
      'parse_error',
      path,
      multipart(parts(alice), 'multipart/mixed; boundary=x'),
    ],
    [
      'parts that are not in UTF-8',
      400,
      'parse_error',
      path,
      multipart(Buffer.from(parts({ username: 'ä' }), 'latin1')),
    ],
    [
      'a file',
      400,
      'invalid_request',
      path,
      multipart(`${part('username', 'alice', '; filename="a.txt"')}--x--\r\n`),
    ],
    ['many parts', 413, 'too_large', path, multipart(`${part('a', '1').repeat(300)}--x--\r\n`)],
    [
      'many parts whose headers are written with blanks',
      413,
      'too_large',
      path,
      multipart(`${part('a', '1').replace('Disposition', 'Disposition\t ').repeat(300)}--x--\r\n`),
    ],
    ['deep JSON', 413, 'too_large', path, json(`{"x":${'['.repeat(40)}${']'.repeat(40)}}`)],
    ['a wide form', 413, 'too_large', path, form('a=1&'.repeat(300))],
    [
      'wide JSON',
      413,
      'too_large',
      path,
      json(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`a${index}`, 1]))),
    ],
    ['a wide query', 413, 'too_large', `${path}?${'a&'.repeat(300)}`, undefined],
  ])('%s: %i %s', async (_, status, reason, at, asking) => {
    expect(await refused(at, asking)).toMatchObject({ status, reason, message: expect.any(String) });
  });

  it('is not __proto__ either', async () => {
    expect(await understood(path, json('{"__proto__":{"username":"bob"},"constructor":1}'))).toEqual({});
    expect(Object.hasOwn(Object.prototype, 'username')).toBe(false);
  });
});
