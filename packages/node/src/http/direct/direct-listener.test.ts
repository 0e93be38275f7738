import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2 } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../core/src/foundation/errors/errors.ts';
import type { DirectHandler, HttpResponse } from '../../../../core/src/foundation/http/http.ts';
import { plainText } from '../../../../core/src/foundation/http/response.ts';
import { peersOf } from '../peers.ts';
import { BodyReader } from './body-reader.ts';
import { directListener } from './direct-listener.ts';

const limit = 1000;
const logged: unknown[] = [];
let read: string[] = [];

/** Handlers by path. */
const answers: Readonly<Record<string, DirectHandler>> = {
  '/echo': async ({ body }) => plainText(200, Buffer.from(await body(limit)).toString()),
  '/unread': async () => plainText(401, 'who are you?'),
  '/href': async ({ url }) => plainText(200, url.href),
  '/told': async ({ headers, method, address, port }) =>
    plainText(200, JSON.stringify([method, headers.get('X-Told'), headers.get('cookie'), address, port > 0])),
  '/cookies': async () => ({ ...plainText(200, 'ü'), cookies: ['a=1', 'b=2'] }),
  '/bytes': async () => ({ status: 200, headers: {}, body: Uint8Array.of(0, 255) }),
  '/none': async () => plainText(204, ''),
  '/pieces': async () => ({ status: 200, headers: {}, body: pieces() }),
  '/fails': () => Promise.reject(new TypeError('secret at /etc/passwd')),
};

function* pieces(): Generator<string, void, undefined> {
  for (let nth = 0; nth < 100; nth += 1) {
    read.push(String(nth));
    yield 'x'.repeat(100_000);
  }
}

const handler: DirectHandler = async (request): Promise<HttpResponse> => {
  try {
    return (await answers[request.url.pathname]?.(request)) ?? plainText(404, 'none');
  } catch (error) {
    if (error instanceof ServiceError) return plainText(413, error.message);
    throw error;
  }
};

const log = { info() {}, warn() {}, error: (_: string, fields?: object) => logged.push(fields) };
const listeners = [undefined, 300].map((timeout) =>
  directListener(handler, { peers: peersOf(undefined), log, bodies: new BodyReader(timeout) }),
);
const isImpatient = ({ url }: IncomingMessage) => url?.endsWith('?impatient') ?? false;
const server = createServer({ requireHostHeader: false }, (request, response: ServerResponse) =>
  listeners[isImpatient(request) ? 1 : 0]?.(request, response),
);

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
const port = () => (server.address() as AddressInfo).port;

type Part = Uint8Array | string | number;

/** Sends parts (numbers are pauses in ms), chunked unless a length is given. */
function send(path: string, parts: readonly Part[] = [], headers = {}, method = 'POST'): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const options = { port: port(), host: '127.0.0.1', method, path, headers };
    const request = httpRequest(options, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString('latin1');
      resolve({ status: response.statusCode, text, headers: response.headers });
    });
    request.on('error', reject);
    void (async () => {
      for (const part of parts) await (typeof part === 'number' ? sleep(part) : request.write(part));
      request.end();
    })();
  });
}

type Sent = Pick<IncomingMessage, 'headers'> & { readonly status: number | undefined; readonly text: string };

/** Returns all bytes of a socket until the server closes it. */
const raw = (text: string): Promise<string> =>
  new Promise((resolve) => {
    let answer = '';
    const socket = connect(port(), '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => undefined).on('close', () => resolve(answer));
  });

describe('request', () => {
  it('passes method, repeated headers and peer', async () => {
    const { text } = await send('/told', [], { 'X-Told': ['a', 'b'], Cookie: ['c=1', 'd=2'] });
    expect(JSON.parse(text)).toEqual(['POST', 'a, b', 'c=1; d=2', '127.0.0.1', true]);
  });

  it.each([
    ...['', 'a b', 'xn--', 'xn--a.example.org', '[::1', '256.256.256.256', 'a:99999', '%zz', '%61', 'a@b'],
    ...['a/b', 'a?b', 'a#b', 'a\\b', '127.1'],
  ])('refuses the Host header %o, also after a valid one', async (host) => {
    expect((await send('/href')).text).toBe(`http://127.0.0.1:${port()}/href`);
    const answer = await raw(`GET /href HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
  });

  it.each(['*', 'a', '/a\\b', 'http://xn--/', 'http://a\\b/'])('refuses the target %s', async (target) => {
    const answer = await raw(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
  });

  it.each([
    ['/href', 'XN--mnchen-3ya:8443', 'http://xn--mnchen-3ya:8443/href'],
    ['/x/../href', '[::1]:1', 'http://[::1]:1/href'],
    ['/href', '[0:0:0:0:0:0:0:1]:8443', 'http://[::1]:8443/href'],
    ['/href', '[2001:DB8::7]', 'http://[2001:db8::7]/href'],
    ['http://b.example/href', 'a', 'http://b.example/href'],
  ])('makes from the target %s and host %s the URL %s', async (target, host, href) => {
    const answer = await raw(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(answer).toContain(`\r\n\r\n${href}`);
  });

  it('uses the address of the connection in HTTP/1.0 without a host', async () => {
    const answer = await raw('GET /href HTTP/1.0\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(answer).toContain(`\r\n\r\nhttp://127.0.0.1:${port()}/href`);
  });

  it('answers over HTTP/2 when the server supports it', async () => {
    const second = createHttp2((incoming, outgoing) =>
      listeners[0]?.(incoming as never, outgoing as never),
    ).listen(0, '127.0.0.1');
    await once(second, 'listening');
    const { port } = second.address() as AddressInfo;
    const client = connectHttp2(`http://127.0.0.1:${port}`);
    const ask = async (path: string, body = '') => {
      const asked = client.request({ ':path': path, ':method': 'POST' });
      asked.end(body);
      return Buffer.concat(await asked.toArray()).toString();
    };
    expect(await ask('/href')).toBe(`http://127.0.0.1:${port}/href`);
    expect(await ask('/echo', 'as it came')).toBe('as it came');
    client.close();
    second.close();
  });

  it('refuses HTTP/1.1 without a Host header', async () => {
    expect(await raw('GET /href HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
  });
});

describe('body', () => {
  const body = Buffer.from('é'.repeat(500));
  it.each([
    ['announced, at once', [body], { 'Content-Length': '1000' }],
    ['announced, in parts', [body.subarray(0, 501), 20, body.subarray(501)], { 'Content-Length': '1000' }],
    ['chunked', [body.subarray(0, 501), 20, body.subarray(501)], {}],
  ])('reads a body up to the limit: %s', async (_, parts, headers) => {
    expect(await send('/echo', parts, headers)).toMatchObject({ status: 200, text: body.toString('latin1') });
  });

  it('accepts an empty body', async () => {
    expect(await send('/echo', [], { 'Content-Length': '0' })).toMatchObject({ status: 200, text: '' });
  });

  it('refuses a large Content-Length before the body arrives', async () => {
    const answer = await send('/echo?impatient', ['x', 1000, 'x'], { 'Content-Length': '1001' });
    expect(answer).toMatchObject({ status: 413, text: 'Too large: a request body has at most 1000 bytes' });
  });

  it('answers a refusal when a body grows too long', async () => {
    const megabyte = Buffer.alloc(1 << 20);
    const answer = await send('/echo', [megabyte, megabyte, megabyte]);
    expect(answer).toMatchObject({ status: 413, text: 'Too large: a request body has at most 1000 bytes' });
  });

  it('fails at its own timeout when it does not arrive', async () => {
    const late = (pause: number) => send('/echo?impatient', ['x', pause, 'y']);
    const [first, second] = await Promise.all([late(900), sleep(150).then(() => late(900))]);
    expect([first.status, second.status]).toEqual([413, 413]);
    expect(first.text).toContain('the body did not arrive in time');
    expect(second.text).toBe(first.text);
  });

  it('discards an unread body before the next request', async () => {
    const unread = `POST /unread HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n${'x'.repeat(300_000)}`;
    const next = 'GET /href HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    expect((await raw(unread + next)).match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
  });

  it('ends the connection when it is not read and does not end', async () => {
    const answer = await raw('POST /unread HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\nx');
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
  });
});

describe('answer', () => {
  it('writes separate cookies, and a Content-Length', async () => {
    const { text, headers } = await send('/cookies');
    expect(headers).toMatchObject({ 'set-cookie': ['a=1', 'b=2'], 'content-length': '2' });
    expect(Buffer.from(text, 'latin1').toString()).toBe('ü');
    expect((await send('/bytes')).text).toBe('\0\xff');
  });

  it('writes no body when none is allowed', async () => {
    expect(await send('/href', [], {}, 'HEAD')).toMatchObject({ status: 200, text: '' });
    expect(await send('/none')).toMatchObject({ status: 204, text: '' });
  });

  it('writes all pieces, which are created no faster than they are read', async () => {
    read = [];
    expect((await send('/pieces')).text).toHaveLength(10_000_000);
    expect(read).toHaveLength(100);
  });

  it('ends with its connection when it is in pieces', async () => {
    read = [];
    const request = httpRequest({ port: port(), host: '127.0.0.1', path: '/pieces' }, (response) => {
      response.once('data', () => request.destroy());
    });
    request.on('error', () => undefined).end();
    await new Promise((resolve) => request.once('close', resolve));
    await sleep(50);
    expect(read.length).toBeLessThan(100);
  });

  it('answers 500 without detail when the handler fails, and logs the error', async () => {
    expect(await send('/fails')).toMatchObject({ status: 500, text: 'Internal Server Error' });
    expect(logged).toEqual([{ error: new TypeError('secret at /etc/passwd') }]);
  });
});
