/** Requests to our own server in one piece and in several, and the headers of all answers. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../core/src/foundation/errors/errors.ts';
import type { DirectHandler, WebResponse } from '../../../../core/src/foundation/http/http.ts';
import { plainText } from '../../../../core/src/foundation/http/response.ts';
import { type Listener, serve, webHandler } from '../index.ts';

const limit = 1000;

const answers: Readonly<Record<string, DirectHandler>> = {
  '/echo': async ({ body }) => plainText(200, Buffer.from(await body(limit)).toString()),
  '/later': async ({ body }) => {
    await sleep(50);
    return plainText(200, Buffer.from(await body(limit)).toString());
  },
  '/unread': async () => plainText(401, 'who are you?'),
  '/own': async (): Promise<WebResponse> => ({
    status: 200,
    headers: { 'Cache-Control': 'no-cache', 'x-content-type-options': 'nosniff' },
    cookies: ['a=1', 'b=2'],
    body: 'ü',
  }),
};

let listener: Listener;
beforeAll(async () => {
  const handler = webHandler(async (request) => {
    try {
      return (await answers[request.url.pathname]?.(request)) ?? plainText(404, 'none');
    } catch (error) {
      if (error instanceof ServiceError) return plainText(413, error.message);
      throw error;
    }
  });
  listener = await serve(handler, { host: '127.0.0.1', port: 0 });
});
afterAll(() => listener.close());

/** Returns all bytes until the server closes the connection. @param parts texts, and waits: milliseconds, an answer */
async function raw(...parts: readonly (string | number | RegExp)[]): Promise<string> {
  const socket = connect(listener.port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const closed = once(socket, 'close');
  for (const part of parts) {
    if (typeof part === 'number') await sleep(part);
    else if (typeof part === 'string') socket.write(part);
    else while (!part.test(text)) await once(socket, 'data');
  }
  await closed;
  return text;
}

const post = (path: string, body: string, headers = '', length = body.length): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n${headers}\r\n${body}`;
const last = 'Connection: close\r\n';
const bodies = (text: string): string[] =>
  text
    .split('HTTP/1.1')
    .slice(1)
    .map((answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4));

describe('body', () => {
  it.each(['/echo', '/later'])('is read in one piece, for successive requests: %s', async (path) => {
    expect(bodies(await raw(post(path, 'first'), /first/, post(path, 'second', last)))).toEqual([
      'first',
      'second',
    ]);
  });

  it('belongs to its request when two arrive at once', async () => {
    expect(bodies(await raw(post('/later', 'first') + post('/echo', 'second', last)))).toEqual([
      'first',
      'second',
    ]);
  });

  it('is read in pieces', async () => {
    const [head = '', body = ''] = post('/echo', 'first and second', last).split(/(?= and)/);
    expect(bodies(await raw(head, 50, body))).toEqual(['first and second']);
  });

  it('is read after 100 Continue', async () => {
    const head = post('/echo', '', `${last}Expect: 100-continue\r\n`, 5);
    expect(bodies(await raw(head, /100 Continue/, 'first')).at(-1)).toBe('first');
  });

  it('is read when its Content-Length has another form', async () => {
    const request = post('/echo', 'first', last).replace(': 5', ': 005');
    expect(bodies(await raw(request))).toEqual(['first']);
  });

  it('is discarded before the next request when the handler does not read it', async () => {
    expect(bodies(await raw(post('/unread', 'first'), /you\?/, post('/echo', 'second', last)))).toEqual([
      'who are you?',
      'second',
    ]);
  });

  it('is refused in one piece when it is too long', async () => {
    expect(await raw(post('/echo', 'x'.repeat(limit + 1), last))).toMatch(/^HTTP\/1.1 413 /);
  });
});

describe('answer', () => {
  it('has each security header once', async () => {
    const text = await raw(post('/echo', '{}', last));
    for (const line of [/^x-content-type-options: nosniff\r/gim, /^cache-control: no-store\r/gim])
      expect(text.match(line)).toHaveLength(1);
    expect(text).toMatch(/^content-length: 2\r/im);
    expect(text).not.toMatch(/transfer-encoding|strict-transport-security/i);
  });

  it('may set a security header itself, in any case', async () => {
    const text = await raw(post('/own', '{}', last));
    expect(text.match(/^cache-control: .*/gim)).toEqual(['Cache-Control: no-cache']);
    expect(text.match(/^x-content-type-options: .*/gim)).toHaveLength(1);
    expect(text.match(/^set-cookie: .*/gim)).toEqual(['set-cookie: a=1', 'set-cookie: b=2']);
    expect(text).toMatch(/^content-length: 2\r/im);
    expect(bodies(text)).toEqual(['ü']);
  });

  it('has the security headers when Node creates it', async () => {
    const text = await raw(post('/echo', '', `${last}Expect: nonsense\r\n`, 0));
    expect(text).toMatch(/^HTTP\/1.1 417 /);
    expect(text).toMatch(/^x-content-type-options: nosniff\r/im);
  });
});
