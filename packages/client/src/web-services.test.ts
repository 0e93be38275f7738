/** Requests of operations, and results of answers, wrong ones too. */
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { WebServices } from './calls.ts';
import type { WebServicesOptions } from './options.ts';
import { json, listen, type RpcServer } from './testing/rpc-server.ts';
import { createWebServices } from './web-services.ts';

const granted = { code: 1, error: '', message: 'Authentication success', data: '', concat: 0 };

const webOf = ({ url }: Pick<RpcServer, 'url'>, options: Partial<WebServicesOptions> = {}) =>
  createWebServices({ url, ...options });

const granting = () => listen((response) => json(response, granted));

describe('an operation', () => {
  it('is a POST of its fields to its address', async () => {
    const server = await granting();
    const fields = { username: 'alice', ldapPassword: 'ä " €', otpPassword: '012345' };
    await expect(webOf(server).otp.normalLogin(fields)).resolves.toEqual({ ...granted, outcome: 'granted' });
    expect(server.heard).toMatchObject([
      {
        method: 'POST',
        path: '/manag/otp/json/otpNormalLogin/',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: fields,
      },
    ]);
    expect(server.heard[0]?.headers).not.toHaveProperty('authorization');
    expect(server.heard[0]?.headers).not.toHaveProperty('x-api-key');
  });

  it.each([
    [{ code: 0 }, 'refused'],
    [{ code: 1 }, 'granted'],
    [{ code: 2 }, 'challenge'],
    [{ code: 3 }, undefined],
    [{ code: '1' }, undefined],
    [{ code: true }, undefined],
    [{ status: true }, undefined],
  ])('that answers %j says so in a word: %s', async (answer, outcome) => {
    const server = await listen((response) => json(response, answer));
    const result = await webOf(server).otp.normalLogin();
    expect(result).toEqual({ ...answer, ...(outcome !== undefined && { outcome }) });
  });

  it('without fields sends none', async () => {
    const server = await granting();
    await webOf(server).otp.status();
    expect(server.heard).toMatchObject([{ path: '/manag/otp/json/otpStatus/', body: {} }]);
  });

  it('sends bytes in base64', async () => {
    const server = await granting();
    const voiceSample = Uint8Array.from([0, 127, 128, 255]);
    await webOf(server).otp.challenge({ username: 'alice', voiceSample });
    await webOf(server).otp.challenge({ voiceSample: Buffer.from('hello') });
    expect(server.heard.map(({ body }) => body)).toEqual([
      { username: 'alice', voiceSample: 'AH+A/w==' },
      { voiceSample: 'aGVsbG8=' },
    ]);
  });

  it('has the name that the installation gives it', async () => {
    const server = await granting();
    await webOf(server, { names: { otp: 'exampleotp' } }).otp.simpleLogin();
    expect(server.heard[0]?.path).toBe('/manag/exampleotp/json/exampleotpSimpleLogin/');
  });

  it('is found below an address without a slash, or with a query', async () => {
    const server = await granting();
    for (const url of [server.url.slice(0, -1), `${server.url}?x=1#y`]) await webOf({ url }).otp.status();
    expect(new Set(server.heard.map(({ path }) => path))).toEqual(new Set(['/manag/otp/json/otpStatus/']));
  });

  it('works taken off the object, as a callback too', async () => {
    const { normalLogin } = webOf(await granting()).otp;
    const users = [{ username: 'alice' }, { username: 'bob' }];
    await expect(Promise.all(users.map((user) => normalLogin(user)))).resolves.toMatchObject([
      granted,
      granted,
    ]);
  });
});

describe('an API key', () => {
  const apiKey = `7_${'0123456789abcdef'.repeat(3).slice(0, 40)}`;

  it('goes with every request', async () => {
    const server = await granting();
    await webOf(server, { apiKey, headers: { 'X-Api-Key': 'other', 'X-Trace': '1' } }).otp.status();
    expect(server.heard[0]?.headers).toMatchObject({ 'x-api-key': apiKey, 'x-trace': '1' });
  });

  it.each(['geheim', `${apiKey}0`, `${apiKey}\r\nx: geheim`, ''])(
    'is refused without repeating it: %j',
    (bad) => {
      const make = () => webOf({ url: 'https://localhost/' }, { apiKey: bad });
      expect(make).toThrow(/^apiKey: not an id, an underscore and 40 hex digits$/);
    },
  );

  it('is not shown', async () => {
    const { inspect } = await import('node:util');
    const web = webOf({ url: 'https://localhost/' }, { apiKey });
    expect(inspect([web, web.otp], { showProxy: true, showHidden: true, depth: 9 })).not.toContain(apiKey);
  });
});

describe('the object', () => {
  it('is sent for by nothing but an operation', async () => {
    const server = await granting();
    const web = webOf(server);
    expect(await web).toBe(web);
    expect(JSON.stringify([web, await web.otp])).toBe('[{},{}]');
    expect(`${web}${web.otp}`).toBe('[object Object][object Object]');
    expect(web.otp).not.toEqual({ code: 1 });
    for (const key of ['then', 'toJSON', Symbol.iterator, Symbol.toPrimitive]) {
      expect(Reflect.get(web, key), String(key)).toBeUndefined();
      expect(Reflect.get(web.otp, key), String(key)).toBeUndefined();
    }
    expect(server.heard).toEqual([]);
  });
});

describe('an answer', () => {
  /** Asks a server that responds so, and gives the answer or the error. */
  async function outcome(
    respond: (response: ServerResponse) => void,
    call: (web: WebServices) => Promise<unknown> = (web) => web.otp.normalLogin({ ldapPassword: 'geheim' }),
    options: Partial<WebServicesOptions> = {},
  ) {
    const web = webOf(await listen(respond), options);
    const ended: unknown = await call(web).catch((error: unknown) => error);
    expect(JSON.stringify([ended, String(ended)])).not.toContain('geheim');
    return ended;
  }

  const status = (code: number, value: unknown) => (response: ServerResponse) => {
    response.statusCode = code;
    response.setHeader('retry-after', '20');
    json(response, value);
  };

  it('of a login that is refused is no error', async () => {
    const refused = { code: 0, error: 'AuthFailed', message: 'Invalid username or password' };
    expect(await outcome(status(200, refused))).toEqual({ ...refused, outcome: 'refused' });
  });

  it('that no operation gave is an error with all that it says', async () => {
    const said = { reason: 'method_not_found', message: 'Method not found', data: 'no otpNormalLogin' };
    expect(await outcome(status(404, said))).toMatchObject({
      ...{ name: 'CallError', reason: 'method_not_found', message: 'Method not found: no otpNormalLogin' },
      ...{ data: 'no otpNormalLogin', httpStatus: 404, retryAfter: 20, method: 'otpNormalLogin' },
    });
  });

  it.each([
    [401, 'credentials_refused'],
    [413, 'too_large'],
    [500, 'internal'],
    [503, 'unavailable'],
    [418, 'protocol'],
  ])('that gives no reason is understood by its status: %i', async (httpStatus, reason) => {
    expect(await outcome(status(httpStatus, {}))).toMatchObject({ reason, httpStatus });
    const page = (response: ServerResponse) => response.writeHead(httpStatus).end('<h1>geheim</h1>');
    expect(await outcome(page)).toMatchObject({ reason, httpStatus });
  });

  it.each([null, 1, 'x', [granted]])('that is no object is a breach of protocol: %j', async (value) => {
    expect(await outcome(status(200, value))).toMatchObject({
      reason: 'protocol',
      method: 'otpNormalLogin',
    });
  });

  it('that does not come is given up', async () => {
    const never = () => undefined;
    expect(await outcome(never, undefined, { timeout: 300 })).toMatchObject({ reason: 'timeout' });
    const signal = AbortSignal.abort('enough');
    expect(await outcome(never, (web) => web.otp.status({}, { signal }))).toMatchObject({
      reason: 'aborted',
    });
    expect(await outcome(never, (web) => web.otp.status({}, { timeout: 20 }))).toMatchObject({
      message: 'No answer within 20 ms',
    });
  });
});
