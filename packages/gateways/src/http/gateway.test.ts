import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DeliveryError, type Push, type Sms } from '../../../core/src/ports/sending/sender.ts';
import { freePorts } from '../../../core/src/testing/bed/scratch.ts';
import { type HttpGatewayOptions, openPushGateway, openSmsGateway } from './http-gateway.ts';
import { requestOf } from './template.ts';

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let asked: Asked[] = [];
let answer: (response: ServerResponse, request: IncomingMessage) => void;
const ok = (response: ServerResponse) => void response.end('{"messages":[{"status":"0"}]}');
const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const { method = '', url = '', headers } = request;
    asked.push({ method, url, headers, body: Buffer.concat(pieces).toString() });
    answer(response, request);
  });
});
let at = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  at = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
  answer = ok;
});

const sms: Sms = { to: '+491512345678', text: 'Ihr Code: "1&2"\n{secret}', isFlash: true };
const id = 'aB3dE5fG7hJ9kL1m';

async function send(
  options: Partial<HttpGatewayOptions> = {},
  { message = sms, signal = new AbortController().signal } = {},
) {
  const gateway = openSmsGateway({ url: `${at}/send`, method: 'POST', json: { to: '{to}' }, ...options });
  try {
    await gateway.send(message, { id, signal });
  } finally {
    await gateway.close();
  }
}

describe('a gateway over HTTP', () => {
  it('gets JSON, in which each value stays in its place and flags are flags', async () => {
    const json = { recipients: ['{digits}'], text: 'Hi: {text}', flash: '{flash}', from: '{sender}', n: 1 };
    await send({ json, sender: 'Example', secret: 's3cret', headers: { Authorization: 'Bearer {secret}' } });
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
      ...{ recipients: ['491512345678'], text: `Hi: ${sms.text}`, flash: true, from: 'Example', n: 1 },
    });
    expect(asked[0]?.headers).toMatchObject({ authorization: 'Bearer s3cret' });
    expect(asked[0]?.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('gets a form, or a query', async () => {
    await send({ json: undefined, form: { to: '{to}', text: '{text}' } });
    expect(Object.fromEntries(new URLSearchParams(asked[0]?.body))).toEqual({ to: sms.to, text: sms.text });
    await send({
      json: undefined,
      method: 'GET',
      query: { to: '{to}', text: '{text}' },
      url: `${at}/x/{to}`,
    });
    const url = new URL(asked[1]?.url ?? '', at);
    expect(url.pathname).toBe('/x/%2B491512345678');
    expect(Object.fromEntries(url.searchParams)).toEqual({ to: sms.to, text: sms.text });
    expect(asked[1]?.body).toBe('');
  });

  it('gets the id of the message, where a header is named for it', async () => {
    await send({ id_header: 'Idempotency-Key' });
    expect(asked[0]?.headers['idempotency-key']).toBe(id);
  });

  it.each([
    [404, true],
    [410, true],
    [400, true],
    [500, false],
  ])('of push that answers %i: refused for good is %s', async (status, isFinal) => {
    answer = (response) => void response.writeHead(status).end('no');
    const push = openPushGateway({ url: `${at}/push`, method: 'POST', json: { to: '{device}' } });
    const message = { application: 'token', to: 'ios:x', title: 't', body: 'b', data: {}, timeout: 60 };
    await expect(push.send(message, { id, signal: AbortSignal.timeout(5000) })).rejects.toMatchObject({
      isFinal,
    });
    await push.close();
  });

  it.each([
    [500, false],
    [429, false],
    [401, false],
    [404, false],
    [400, true],
    [422, true],
  ])('that answers %i: refused for good is %s', async (status, isFinal) => {
    answer = (response) => void response.writeHead(status).end('no');
    await expect(send()).rejects.toMatchObject({
      name: 'DeliveryError',
      isFinal,
      message: `the gateway answered ${status}`,
    });
  });

  it('that answers 200 has taken it over if the JSON says so', async () => {
    const success = { path: 'messages.0.status', values: ['0', 'sent'] };
    await send({ success });
    for (const body of ['{"messages":[{"status":"9"}]}', '{}', '[]', 'no JSON', '{"messages":null}']) {
      answer = (response) => void response.end(body);
      await expect(send({ success })).rejects.toMatchObject({ name: 'DeliveryError', isFinal: false });
    }
  });

  it('that redirects is not followed', async () => {
    answer = (response) => void response.writeHead(302, { Location: `${at}/elsewhere` }).end();
    await expect(send()).rejects.toMatchObject({ message: 'the gateway answered 302' });
    expect(asked).toHaveLength(1);
  });

  it('that hangs up, answers without end, or is not there: not for good', async () => {
    answer = (response) => void response.destroy();
    await expect(send()).rejects.toMatchObject({ name: 'DeliveryError', isFinal: false });
    answer = (response) => void response.end('x'.repeat(70_000));
    await expect(send()).rejects.toMatchObject({ name: 'DeliveryError', isFinal: false });
    const [port] = await freePorts(1);
    await expect(send({ url: `http://127.0.0.1:${port}/` })).rejects.toMatchObject({
      message: 'the gateway cannot be reached (ECONNREFUSED)',
    });
  });

  it('that does not answer is left at the deadline', async () => {
    const aborter = new AbortController();
    answer = () => aborter.abort();
    await expect(send({}, { signal: aborter.signal })).rejects.toMatchObject({
      name: 'DeliveryError',
      isFinal: false,
    });
  });

  it('gets push messages for a platform and a device', async () => {
    const push: Push = {
      ...{ application: 'token', to: 'ios:a:b', title: 'Login', body: 'Is it you?' },
      ...{ data: { session: 'x' }, timeout: 60 },
    };
    const json = { device: '{device}', data: '{data}', ttl: '{timeout}', title: '{title}' };
    const gateway = openPushGateway({ url: `${at}/{platform}`, method: 'POST', json });
    await gateway.send(push, { id, signal: new AbortController().signal });
    await gateway.close();
    expect(asked[0]?.url).toBe('/ios');
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
      device: 'a:b',
      data: '{"session":"x"}',
      ttl: 60,
      title: 'Login',
    });
  });
});

describe('a template', () => {
  it('lets no text out of its place', () => {
    const template = {
      ...{ url: 'https://gateway.example.org/{to}/x', method: 'POST', query: { q: '{text}' } },
      ...{ headers: { 'X-Text': 'a {text} b' }, json: { a: ['{text}', 'x{text}y'], b: { c: '{to}' } } },
    };
    const any = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('{secret}', '../..', '..', '.', '%2E%2e', '\ud800', '"}', '\r\nX: y', '%2e%2e/'),
    );
    fc.assert(
      fc.property(any, any, (to, text) => {
        if (/^(?:\.|%2e)*$/i.test(to)) {
          expect(() => requestOf(template, { to, text })).toThrow(DeliveryError);
          return;
        }
        const { url, headers, body } = requestOf(template, {
          to,
          text: text.toWellFormed(),
          secret: 'SECRET',
        });
        expect(url.host).toBe('gateway.example.org');
        expect(url.pathname.split('/').map(decodeURIComponent)).toEqual(['', to.toWellFormed(), 'x']);
        expect(JSON.parse(body ?? '')).toEqual({
          a: [text.toWellFormed(), `x${text.toWellFormed()}y`],
          b: { c: to },
        });
        expect(headers['X-Text']).toMatch(/^a [\x20-\x7e]* b$/);
        expect([...url.searchParams]).toEqual([['q', text.toWellFormed()]]);
        expect(`${url.href} ${headers['X-Text']}`).not.toContain('SECRET');
      }),
    );
  });
});

describe('a gateway that answers in its own way', () => {
  /** Speaks HTTP by hand: what it answers each request with. */
  async function gatewayOf(write: (socket: Socket, request: number) => void) {
    const sockets = new Set<Socket>();
    let requests = 0;
    const raw = createTcpServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', () => {
        requests += 1;
        write(socket, requests);
      });
    }).listen(0, '127.0.0.1');
    await once(raw, 'listening');
    const address = raw.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
    const gateway = openSmsGateway({ url, method: 'GET', query: { to: '{to}' } });
    return {
      send: (signal = AbortSignal.timeout(10_000)) => gateway.send(sms, { id, signal }),
      requests: () => requests,
      close: async () => {
        await gateway.close();
        for (const socket of sockets) socket.destroy();
        raw.close();
      },
    };
  }
  const response = (status: string) => `HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`;

  it('twice: the second answer is nobody’s', async () => {
    const gateway = await gatewayOf((socket, request) => {
      socket.write(
        request === 1 ? `${response('200 OK')}${response('400 Bad Request')}` : response('200 OK'),
      );
    });
    await gateway.send();
    await gateway.send();
    await gateway.send();
    expect(gateway.requests()).toBe(3);
    await gateway.close();
  });

  it('late: it answers no other message', async () => {
    const late: (() => void)[] = [];
    const gateway = await gatewayOf((socket, request) => {
      if (request === 1) late.push(() => socket.write(response('400 Bad Request')));
      else socket.write(response('200 OK'));
    });
    const aborter = new AbortController();
    const first = gateway.send(aborter.signal).catch((error: unknown) => error);
    await expect.poll(() => late.length).toBe(1);
    aborter.abort();
    expect(await first).toMatchObject({ isFinal: false });
    for (const answerLate of late) answerLate();
    await gateway.send();
    expect(gateway.requests()).toBe(2);
    await gateway.close();
  });
});
