/** Faults of servers, proxies and networks, on real sockets. */

import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createManager } from '../manager.ts';
import type { CallOptions, ManagerOptions } from '../options.ts';
import { json, listen, type Sent } from '../testing/rpc-server.ts';
import type { Fetch } from './fetch.ts';

type Respond = (response: ServerResponse, id: number) => void;

/** Makes one call to a server that responds so, and gives the error. */
async function failure(respond: Respond, options: Partial<ManagerOptions> = {}, call: CallOptions = {}) {
  const server = await listen((response, { body }) => respond(response, (body as Sent).id));
  return callTo(server.url, options, call);
}

async function callTo(url: string, options: Partial<ManagerOptions> = {}, call: CallOptions = {}) {
  const manager = createManager({ url, username: 'admin', password: 'geheim', ...options });
  const error: unknown = await manager
    .Count_Activated_Users(undefined, call)
    .then(String, (reason) => reason);
  expect(JSON.stringify([error, String(error)])).not.toMatch(/geheim|Z2VoZWlt/);
  return error;
}

const page =
  (status: number, headers: Record<string, string> = {}): Respond =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<h1>secret page</h1>');

const error =
  (members: object): Respond =>
  (response, id) =>
    json(response, { jsonrpc: '2.0', id, error: members });

describe('an error of the Manager', () => {
  it('has all that it says', async () => {
    const refused = { code: -32001, message: 'Invalid username or password', reason: 'credentials_refused' };
    const failed = await failure((response, id) => {
      response.statusCode = 401;
      response.setHeader('retry-after', '20');
      json(response, { jsonrpc: '2.0', id, error: { ...refused, data: 'try later' } });
    });
    expect(failed).toMatchObject({
      ...{ name: 'CallError', reason: 'credentials_refused', code: -32001, data: 'try later' },
      ...{ message: 'Invalid username or password: try later', httpStatus: 401, retryAfter: 20 },
      method: 'Count_Activated_Users',
    });
  });

  it('may come without an id, as a request without a login gets it', async () => {
    const refused = { code: -32001, message: 'No', reason: 'credentials_refused' };
    const failed = await failure((response) => {
      response.statusCode = 401;
      json(response, { jsonrpc: '2.0', id: null, error: refused });
    });
    expect(failed).toMatchObject({ reason: 'credentials_refused', httpStatus: 401 });
  });

  it.each([
    [{ code: -32602, message: 'Invalid params' }, 'invalid_params'],
    [{ code: -32601 }, 'method_not_found'],
    [{ code: -32000, message: 'Down' }, 'unavailable'],
    [{ code: -32603, message: 'Oops', data: { not: 'text' } }, 'internal'],
    [{ code: 'x' }, 'internal'],
    [{}, 'internal'],
  ])('that gives no reason is understood by its code: %j', async (members, reason) => {
    expect(await failure(error(members))).toMatchObject({ reason, data: undefined });
  });
});

describe('an answer that is no JSON', () => {
  it.each([
    [401, 'credentials_refused'],
    [413, 'too_large'],
    [429, 'too_many_attempts'],
    [500, 'internal'],
    [503, 'unavailable'],
    [200, 'protocol'],
    [404, 'protocol'],
  ])('is judged by its status: %i', async (status, reason) => {
    const failed = await failure(page(status, { 'retry-after': '7' }));
    expect(failed).toMatchObject({ reason, httpStatus: status, retryAfter: 7 });
    expect(String(failed)).not.toContain('secret page');
  });

  it.each<[string, Respond]>([
    ['nothing', (response) => response.end()],
    ['no content', (response) => response.writeHead(204).end()],
    ['half of it', (response, id) => response.end(`{"jsonrpc":"2.0","id":${id},"resu`)],
    ['no UTF-8', (response) => response.end(Buffer.from([0x22, 0xff, 0x22]))],
    ['half a character', (response) => response.end(Buffer.from('"€').subarray(0, 3))],
  ])('is a breach of protocol: %s', async (_, respond) => {
    expect(await failure(respond)).toMatchObject({ reason: 'protocol' });
  });
});

describe('an answer that is no JSON-RPC', () => {
  it.each<[string, (id: number) => unknown]>([
    ['null', () => null],
    ['a bare value', () => 1],
    ['an array', (id) => [{ jsonrpc: '2.0', id, result: 1 }]],
    ['no version', (id) => ({ id, result: 1 })],
    ['another version', (id) => ({ jsonrpc: '1.0', id, result: 1 })],
    ['neither result nor error', (id) => ({ jsonrpc: '2.0', id })],
    ['an error that is none', (id) => ({ jsonrpc: '2.0', id, error: 'no' })],
    ['the id of another call', (id) => ({ jsonrpc: '2.0', id: id + 1, result: 1 })],
    ['the id as a text', (id) => ({ jsonrpc: '2.0', id: String(id), result: 1 })],
    ['a result without an id', () => ({ jsonrpc: '2.0', id: null, result: 1 })],
    ['an error of another call', (id) => ({ jsonrpc: '2.0', id: id + 1, error: { code: 1, message: '' } })],
    [
      'a result inherited from the prototype',
      (id) => JSON.parse(`{"jsonrpc":"2.0","id":${id},"__proto__":{"result":1}}`),
    ],
  ])('is a breach of protocol: %s', async (_, value) => {
    expect(await failure((response, id) => json(response, value(id)))).toMatchObject({ reason: 'protocol' });
  });

  it('may have a null error beside its result', async () => {
    const respond: Respond = (response, id) => json(response, { jsonrpc: '2.0', id, result: 1, error: null });
    expect(await failure(respond)).toBe('1');
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('does not follow a redirect: %i', async (status) => {
    const elsewhere = await listen((response) => json(response, null));
    const failed = await failure((response) =>
      response.writeHead(status, { location: elsewhere.url }).end('x'),
    );
    expect(failed).toMatchObject({ reason: 'protocol', httpStatus: status });
    expect(elsewhere.heard).toEqual([]);
  });
});

describe('an answer that is of no use', () => {
  const reading = (piece: string) => ({
    read: async () => ({ done: false, value: new TextEncoder().encode(piece) }),
    cancel: async () => Promise.reject(new Error('cut off already')),
  });

  it.each([
    [302, 'x', /redirects/],
    [200, 'x'.repeat(99), /larger/],
  ])('is one also where it cannot be ended: %i', async (status, piece, words) => {
    const body = { getReader: () => reading(piece) };
    const fetch: Fetch = async () => ({ status, headers: new Headers(), body });
    const failed = await callTo('http://localhost/', { fetch, maxAnswer: 9 });
    expect(failed).toMatchObject({ reason: 'protocol', message: expect.stringMatching(words) });
  });
});

describe('a large answer', () => {
  const filled = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, result: 'x'.repeat(100_000) });

  it('reads an answer up to the limit', async () => {
    expect(await failure((response, id) => response.end(filled(id)), { maxAnswer: 100_100 })).toMatch(/^x+$/);
  });

  it('refuses an answer beyond the limit, however it arrives', async () => {
    const limit = { maxAnswer: 50_000 };
    const large = { reason: 'protocol', message: 'The answer is larger than 50000 bytes' };
    expect(await failure((response, id) => response.end(filled(id)), limit)).toMatchObject(large);
    const packed: Respond = (response, id) =>
      response.setHeader('content-encoding', 'gzip').end(gzipSync(filled(id)));
    expect(await failure(packed, limit)).toMatchObject(large);
    const endless: Respond = (response) => {
      const more = (): boolean => response.destroyed || (response.write('x'.repeat(10_000)) && more());
      response.on('drain', more);
      more();
    };
    expect(await failure(endless, limit)).toMatchObject(large);
  });
});

describe('a slow answer', () => {
  const never: Respond = () => undefined;
  const halting: Respond = (response) => response.write('{"jsonrpc":');

  it.each([
    ['that never begins', never],
    ['that never ends', halting],
  ])('%s is given up in time', async (_, respond) => {
    const timeout = { reason: 'timeout', message: 'No answer within 50 ms' };
    expect(await failure(respond, { timeout: 50 })).toMatchObject(timeout);
    expect(await failure(respond, {}, { timeout: 50 })).toMatchObject(timeout);
  });

  it.each([
    ['that never begins', never],
    ['that never ends', halting],
  ])('%s is given up when it is asked to, by the call or the client', async (_, respond) => {
    const soon = () => AbortSignal.timeout(50);
    expect(await failure(respond, {}, { signal: soon() })).toMatchObject({ reason: 'aborted' });
    expect(
      await failure(respond, { signal: soon() }, { signal: new AbortController().signal }),
    ).toMatchObject({
      reason: 'aborted',
      cause: { name: 'TimeoutError' },
    });
  });

  it('ends also where fetch knows no signals', async () => {
    const fetch = () => new Promise<never>(() => {});
    expect(await callTo('http://localhost/', { fetch, timeout: 20 })).toMatchObject({ reason: 'timeout' });
  });

  it('has all the time there is, if it is given that', async () => {
    const respond: Respond = (response, id) =>
      setTimeout(() => json(response, { jsonrpc: '2.0', id, result: 5 }), 50);
    expect(await failure(respond, { timeout: Number.POSITIVE_INFINITY })).toBe('5');
  });
});

describe('a call that is aborted before it is made', () => {
  it('is not sent', async () => {
    let sent = 0;
    const careless: Fetch = (url, { signal: _, ...request }) => {
      sent += 1;
      return fetch(url, request);
    };
    const options = [{ fetch: careless }, { signal: AbortSignal.abort('enough') }] as const;
    expect(await callTo('http://localhost:1/', ...options)).toMatchObject({
      reason: 'aborted',
      cause: 'enough',
    });
    expect(sent).toBe(0);
  });
});

describe('a client that lives long', () => {
  it('leaves no listeners on its signal', async () => {
    const { signal } = new AbortController();
    const server = await listen((response, { body }) =>
      json(response, { jsonrpc: '2.0', id: (body as Sent).id, result: 1 }),
    );
    const manager = createManager({ url: server.url, username: 'admin', password: 'x', signal });
    for (let call = 0; call < 30; call += 1) await manager.Count_Activated_Users();
    expect(EventEmitter.getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('a network', () => {
  it('that has no server there', async () => {
    const failed = await callTo('http://127.0.0.1:1/');
    expect(failed).toMatchObject({ reason: 'network', httpStatus: undefined });
    expect(String(failed)).toMatch(/cannot be reached: .+/);
  });

  it.each([
    ['before the answer', ''],
    ['within its head', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['within its body', 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"jsonrpc":'],
    ['within a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n63\r\n{"jsonrpc":'],
  ])('that breaks %s', async (_, beginning) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(beginning));
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    expect(await callTo(`http://127.0.0.1:${port}/`)).toMatchObject({ reason: 'network' });
  });
});
