import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isReason, ServiceError } from '../../../core/src/foundation/errors/errors.ts';
import { listener, readBody } from './index.ts';

const limit = 1000;
/** In milliseconds, of a body that is sent to `/impatient`. */
const timeout = 300;

/** Echoes the body, or the reason and detail of the refusal. */
const server = createServer(
  listener(async (request) => {
    try {
      const isImpatient = request.url.endsWith('/impatient');
      return new Response(await readBody(request, limit, isImpatient ? timeout : undefined));
    } catch (error) {
      return new Response(error instanceof ServiceError ? error.message : 'unforeseen', { status: 413 });
    }
  }),
);

beforeEach(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterEach(() => {
  server.closeAllConnections();
  return new Promise<void>((resolve) => server.close(() => resolve()));
});

type Part = Uint8Array | string | number;

interface Sent {
  readonly status: number | undefined;
  readonly text: string;
}

/** Sends parts (numbers are pauses in ms), chunked unless a length is announced. */
function post(parts: readonly Part[], headers: Record<string, string> = {}, path = '/'): Promise<Sent> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', method: 'POST', path, headers };
    const request = httpRequest(options, (response) => resolve(answerOf(response)));
    request.on('error', reject);
    void (async () => {
      for (const part of parts) await (typeof part === 'number' ? sleep(part) : request.write(part));
      request.end();
    })();
  });
}

async function answerOf(response: IncomingMessage): Promise<Sent> {
  return { status: response.statusCode, text: Buffer.concat(await response.toArray()).toString() };
}

describe('readBody', () => {
  it.each([
    ['announced', { 'Content-Length': '1000' }],
    ['chunked', { 'Transfer-Encoding': 'chunked' }],
  ])('reads a body of just the limit, %s', async (_, headers) => {
    const body = 'é'.repeat(500);
    expect(
      await post([Buffer.from(body).subarray(0, 501), 20, Buffer.from(body).subarray(501)], headers),
    ).toEqual({ status: 200, text: body });
  });

  it('reads no body as none', async () => {
    expect(await readBody(new Request('http://x/', { method: 'POST' }), limit)).toEqual(new Uint8Array());
    expect(await post([], { 'Content-Length': '0' })).toEqual({ status: 200, text: '' });
  });

  it('refuses a body that is announced too long before it comes', async () => {
    // Without the refusal it would be told that the rest did not come in time.
    const answer = await post(['x', 1000, 'x'], { 'Content-Length': '1001' }, '/impatient');
    expect(answer).toEqual({ status: 413, text: 'Too large: a request body has at most 1000 bytes' });
  });

  it('refuses a chunked body as soon as it is too long, and the answer gets through', async () => {
    const megabyte = Buffer.alloc(1 << 20);
    const answer = await post([megabyte, megabyte, megabyte], { 'Transfer-Encoding': 'chunked' });
    expect(answer).toEqual({ status: 413, text: 'Too large: a request body has at most 1000 bytes' });
  });

  it.each([{ 'Content-Length': '10' }, { 'Transfer-Encoding': 'chunked' }])(
    'refuses a body that comes too slowly: %j',
    async (headers) => {
      const answer = await post(['a', 200, 'b', 200, 'c', 1000, 'd'], { ...headers }, '/impatient');
      expect(answer).toEqual({ status: 413, text: 'Invalid Request: the body did not arrive in time' });
    },
  );

  it.each([{ 'content-length': '3' }, {}])('does not believe a request made by hand: %j', async (headers) => {
    const made = new Request('http://x/', {
      method: 'POST',
      body: 'x'.repeat(limit + 1),
      headers: { ...headers },
    });
    await expect(readBody(made, limit)).rejects.toSatisfy((error) => isReason(error, 'too_large'));
  });

  it('says that a body was read before', async () => {
    const read = new Request('http://x/', { method: 'POST', body: 'x' });
    await read.text();
    await expect(readBody(read, limit)).rejects.toSatisfy((error) => isReason(error, 'invalid_request'));
  });
});
