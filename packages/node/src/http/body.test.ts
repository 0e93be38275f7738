import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { isReason, ServiceError } from '../../../core/src/foundation/errors/errors.ts';
import { readBody } from './index.ts';

const limit = 1000;
/** A short timeout in milliseconds. */
const timeout = 300;

type Part = Uint8Array | string | number;

async function* sent(parts: readonly Part[]): AsyncGenerator<Uint8Array> {
  for (const part of parts)
    if (typeof part === 'number') await sleep(part);
    else yield Buffer.from(part);
}

/** Returns the body, or the reason and detail of the refusal. @param parts texts, and pauses in ms */
async function post(parts: readonly Part[], headers: Record<string, string> = {}, isImpatient = false) {
  const body = Readable.toWeb(Readable.from(sent(parts)));
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
  const request = new Request('http://x/', init);
  try {
    const read = await readBody(request, limit, isImpatient ? timeout : undefined);
    return { status: 200, text: Buffer.from(read).toString() };
  } catch (error) {
    return { status: 413, text: error instanceof ServiceError ? error.message : 'unforeseen' };
  }
}

describe('readBody', () => {
  it.each([
    ['announced', { 'Content-Length': '1000' }],
    ['chunked', { 'Transfer-Encoding': 'chunked' }],
  ])('reads a body up to the limit, %s', async (_, headers) => {
    const body = 'é'.repeat(500);
    expect(
      await post([Buffer.from(body).subarray(0, 501), 20, Buffer.from(body).subarray(501)], headers),
    ).toEqual({ status: 200, text: body });
  });

  it('reads a missing body as empty', async () => {
    expect(await readBody(new Request('http://x/', { method: 'POST' }), limit)).toEqual(new Uint8Array());
    expect(await post([], { 'Content-Length': '0' })).toEqual({ status: 200, text: '' });
  });

  it('refuses a body before it arrives when its Content-Length is too large', async () => {
    // Otherwise the timeout would be reported.
    const answer = await post(['x', 1000, 'x'], { 'Content-Length': '1001' }, true);
    expect(answer).toEqual({ status: 413, text: 'Too large: a request body has at most 1000 bytes' });
  });

  it('refuses a chunked body as soon as it is too long', async () => {
    const megabyte = Buffer.alloc(1 << 20);
    const answer = await post([megabyte, megabyte, megabyte], { 'Transfer-Encoding': 'chunked' });
    expect(answer).toEqual({ status: 413, text: 'Too large: a request body has at most 1000 bytes' });
  });

  it.each([{ 'Content-Length': '10' }, { 'Transfer-Encoding': 'chunked' }])(
    'refuses a body that comes too slowly: %j',
    async (headers) => {
      const answer = await post(['a', 200, 'b', 200, 'c', 1000, 'd'], { ...headers }, true);
      expect(answer).toEqual({ status: 413, text: 'Invalid Request: the body did not arrive in time' });
    },
  );

  it.each([{ 'content-length': '3' }, {}])(
    'does not trust the length of a constructed request: %j',
    async (headers) => {
      const made = new Request('http://x/', {
        method: 'POST',
        body: 'x'.repeat(limit + 1),
        headers: { ...headers },
      });
      await expect(readBody(made, limit)).rejects.toSatisfy((error) => isReason(error, 'too_large'));
    },
  );

  it('reports that a body was read before', async () => {
    const read = new Request('http://x/', { method: 'POST', body: 'x' });
    await read.text();
    await expect(readBody(read, limit)).rejects.toSatisfy((error) => isReason(error, 'invalid_request'));
  });
});
