import { EventEmitter, once } from 'node:events';
import { type Agent, request as httpRequest } from 'node:http';
import { type RequestOptions, Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { StartError } from '../../../core/src/foundation/errors/start-error.ts';
import type { DirectHandler, HttpResponse, Peer } from '../../../core/src/foundation/http/http.ts';
import { plainText } from '../../../core/src/foundation/http/response.ts';
import { clientCertificate } from '../../../core/src/testing/bed/client-certificate.ts';
import { watchTls } from '../../../core/src/testing/bed/engines/tls-stands.ts';
import { type CertifiedKey, createAuthority, issueServerCertificate } from '../../../pki/src/index.ts';
import { systemClock, systemRandom } from '../machine/index.ts';
import { type Listener, type ServeOptions, serve } from './index.ts';

const ports = { clock: systemClock, random: systemRandom };
const local = { names: ['localhost'], addresses: ['127.0.0.1'], days: 1 };

let authority: CertifiedKey;
let server: CertifiedKey;
const running: Listener[] = [];

beforeAll(async () => {
  authority = await createAuthority({ commonName: 'test CA', days: 1 }, ports);
  server = await issueServerCertificate(authority, local, ports);
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((listener) => listener.close()));
});

async function start(direct: DirectHandler, options: Partial<ServeOptions> = {}): Promise<Listener> {
  const listener = await serve({ direct }, { host: '127.0.0.1', port: 0, ...options });
  running.push(listener);
  return listener;
}

const hello: DirectHandler = async () => plainText(200, 'hello');

interface Answer {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly text: string;
}

function send(url: string, options: RequestOptions = {}, body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const begin = url.startsWith('https:') ? tlsRequest : httpRequest;
    const request = begin(url, { method: 'POST', ...options }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode, connection: response.headers.connection, text });
    });
    const isSecure = watchTls(request);
    const fail = (error: Error) => reject(begin === httpRequest || isSecure() ? error : new BeforeTls(error));
    request.on('error', fail).end(body);
  });
}

/** The connection failed before the TLS handshake ended. */
class BeforeTls extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/** Returns all bytes of a socket until the server closes it. @param parts texts, and waits: milliseconds, an answer */
function raw(port: number, ...parts: readonly (string | number | RegExp)[]): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => resolve(text)).on('close', () => resolve(text));
    const send = async (part: string | number | RegExp) => {
      if (typeof part === 'number') await sleep(part);
      else if (typeof part === 'string') socket.write(part);
      else while (!part.test(text)) await once(socket, 'data');
    };
    void (async () => {
      for (const part of parts) await send(part);
    })();
  });
}

describe('serve', () => {
  it('answers over HTTP, and returns its URL', async () => {
    const { url, port } = await start(async ({ url }) => plainText(200, url.pathname));
    expect(url).toBe(`http://127.0.0.1:${port}/`);
    expect(await send(`${url}manag/`)).toMatchObject({ status: 200, text: '/manag/' });
  });

  it('answers 500 without detail when the handler fails, and logs the error', async () => {
    const logged: unknown[] = [];
    const log = { info() {}, warn() {}, error: (_: string, fields?: object) => logged.push(fields) };
    const { url } = await start(async () => Promise.reject(new TypeError('secret at /etc/passwd')), { log });
    expect(await send(url)).toMatchObject({ status: 500, text: 'Internal Server Error' });
    expect(logged).toEqual([{ error: new TypeError('secret at /etc/passwd') }]);
  });

  it.each([
    'a b',
    'xn--',
    'xn--:8443',
    'xn--a.example.org',
    'a.XN--',
    '[::1',
    '[::1]x',
    '256.256.256.256',
    '1.2.3.4.5',
    'a:99999',
    'a:b',
    '%zz',
    'a%00b',
    'user@a',
    'a/otp/',
    'a?wsdl',
    'a#b',
    'a\\b',
  ])('answers 400 to an invalid Host header: %s', async (host) => {
    const logged: unknown[] = [];
    const log = { info() {}, warn() {}, error: (message: string) => logged.push(message) };
    const { port } = await start(async ({ url }) => plainText(200, url.href), { log });
    for (const target of ['/', '/otp/json/otpStatus/?x=1']) {
      const answer = await raw(port, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 400 /);
    }
    expect(logged).toEqual([]);
  });

  it.each(['http://xn--/', 'http://256.256.256.256/', '*', 'xn--'])(
    'and to the target %s',
    async (target) => {
      const { port } = await start(async ({ url }) => plainText(200, url.href));
      const answer = await raw(port, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 400 /);
    },
  );

  it.each(['xn--mnchen-3ya.example.org', 'XN--mnchen-3ya'])(
    'serves an international name: %s',
    async (host) => {
      const { port } = await start(hello);
      expect(await raw(port, `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toMatch(
        /^HTTP\/1.1 200 /,
      );
    },
  );

  it('passes the peer, IPv4 as IPv4', async () => {
    const peers: Peer[] = [];
    const note: DirectHandler = async ({ address, port, signal }) =>
      plainText(200, String(peers.push({ address, port, signal })));
    const { port } = await start(note, { host: '::' });
    await send(`http://127.0.0.1:${port}/`);
    expect(peers).toEqual([
      { address: '127.0.0.1', port: expect.any(Number), signal: expect.any(AbortSignal) },
    ]);
  });

  it('fails with a readable error when it cannot start', async () => {
    const { port } = await start(hello);
    const tls = { certificate: server.certificate, key: server.key };
    const refusals: readonly [Partial<ServeOptions>, string][] = [
      [{ port }, `Port ${port} on 127.0.0.1 is taken; `],
      [{ port, portSetting: 'ws.port' }, 'or choose another port (ws.port).'],
      [{ host: '192.0.2.1' }, '192.0.2.1 is not an address of this machine;'],
      [{ tls: { ...tls, certificate: 'x' } }, 'The server certificate cannot be read;'],
      [{ tls: { ...tls, key: 'x' } }, 'The private key cannot be read;'],
      [{ tls: { ...tls, key: authority.key } }, 'The private key does not belong to the server certificate.'],
      [{ tls: { ...tls, ca: 'x' } }, 'The authority of client certificates cannot be read;'],
    ];
    for (const [options, sentence] of refusals) {
      const started = start(hello, options);
      await expect(started, sentence).rejects.toThrow(StartError);
      await expect(started).rejects.toThrow(sentence);
    }
  });
});

describe('TLS', () => {
  const certificateOf: DirectHandler = async ({ certificate }) =>
    plainText(200, JSON.stringify(certificate?.authorized ?? 'none'));

  it('requests a client certificate, and checks its authority', async () => {
    const tls = { certificate: server.certificate, key: server.key, ca: authority.certificate };
    const { url } = await start(certificateOf, { tls });
    const impostor = await createAuthority({ commonName: 'test CA', days: 1 }, ports);
    const mine = clientCertificate(authority);
    const theirs = clientCertificate(impostor);
    const present = (pair?: CertifiedKey) =>
      send(url, { ca: authority.certificate, ...(pair && { cert: pair.certificate, key: pair.key }) });
    expect((await present()).text).toBe('"none"');
    expect((await present(mine)).text).toBe('true');
    expect((await present(theirs)).text).toBe('false');
    expect((await present(server)).text, 'a server certificate of ours').toBe('false');
  });

  it('accepts no version before 1.2', async () => {
    const { url } = await start(hello, { tls: { certificate: server.certificate, key: server.key } });
    const at = (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
      send(url, {
        ca: authority.certificate,
        minVersion: version,
        maxVersion: version,
        ciphers: 'DEFAULT@SECLEVEL=0',
      });
    await expect(at('TLSv1.1')).rejects.toThrow();
    expect(await at('TLSv1.2')).toMatchObject({ text: 'hello' });
    expect(await at('TLSv1.3')).toMatchObject({ text: 'hello' });
  });
});

/** A body that begins and does not continue. */
function* trickle(): Generator<string, void, undefined> {
  yield 'begun';
  for (;;) yield '';
}

describe('timeouts', () => {
  const times = { headers: 300, request: 600, keepAlive: 300 };

  it('closes a connection with slow headers (slowloris)', async () => {
    const { port } = await start(hello, { times });
    const answer = await raw(
      port,
      'GET / HTTP/1.1\r\nHost: x\r\n',
      200,
      'A: 1\r\n',
      200,
      'B: 1\r\n',
      400,
      'C: 1\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
  });

  it('closes a connection whose body does not arrive', async () => {
    const { port } = await start(async ({ body }) => plainText(200, String(await body(100))), { times });
    const answer = await raw(port, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc');
    expect(answer).not.toContain('200');
  });

  it('aborts an answer that has begun when invalid data follows the request', async () => {
    const { port } = await start(async () => ({
      status: 200,
      headers: { 'content-length': '9' },
      body: trickle(),
    }));
    const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
    const answer = await raw(port, request, request, /begun$/, 'nonsense\r\n\r\n');
    expect(answer.split('HTTP/1.1')).toHaveLength(2);
    expect(answer).toMatch(/\r\n\r\nbegun$/);
  });

  it('closes a connection without a TLS handshake', async () => {
    const tls = { certificate: server.certificate, key: server.key };
    const { port } = await start(hello, { times, tls });
    expect(await raw(port, '')).toBe('');
  });

  it('closes an idle connection', async () => {
    const { port } = await start(hello, { times });
    expect(await raw(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')).toContain('hello');
  });

  it('refuses headers that are too long', async () => {
    const { port } = await start(hello);
    expect(await raw(port, `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 431 /,
    );
  });
});

describe('close', () => {
  const slow: DirectHandler = async () => {
    await sleep(2);
    return plainText(200, 'done');
  };

  /**
   * False for a client that cannot connect or, with TLS, whose connection waited to be accepted when the port was closed:
   * the kernel resets it before the handshake ends.
   */
  function isAccepted(error: Error): boolean {
    const call = 'syscall' in error ? error.syscall : undefined;
    return call !== 'connect' && !(error instanceof BeforeTls);
  }

  /** Clients that send requests until they cannot connect. */
  async function load(
    url: string,
    agent: Agent | TlsAgent,
    count: number,
    onAnswer: () => void,
  ): Promise<unknown[]> {
    const lost: unknown[] = [];
    await Promise.all(
      Array.from({ length: count }, async () => {
        for (;;) {
          const answer = await send(url, { agent }, 'x').catch((error: unknown) => error);
          if (answer instanceof Error && !isAccepted(answer)) return;
          if (answer instanceof Error) lost.push(answer);
          else onAnswer();
          if (lost.length > 10) return;
        }
      }),
    );
    return lost;
  }

  it('loses no accepted request under load', async () => {
    const tls = { certificate: server.certificate, key: server.key };
    const listener = await start(slow, { tls });
    const agent = new TlsAgent({ keepAlive: true, ca: authority.certificate });
    let answered = 0;
    const loaded = load(listener.url, agent, 30, () => {
      answered += 1;
    });
    while (answered < 300) await sleep(5);
    await listener.close();
    expect(await loaded).toEqual([]);
    agent.destroy();
  });

  it('answers a request in flight with Connection: close', async () => {
    const signs = new EventEmitter();
    const asked = once(signs, 'asked');
    const { url, close } = await start(async () => {
      signs.emit('asked');
      await once(signs, 'over');
      return plainText(200, 'done');
    });
    const answer = send(url, { agent: false, headers: { Connection: 'keep-alive' } });
    await asked;
    const closed = close();
    signs.emit('over');
    await closed;
    expect(await answer).toMatchObject({ text: 'done', connection: 'close' });
    await expect(send(url)).rejects.toThrow('ECONNREFUSED');
  });

  it('does not wait for idle connections', async () => {
    // Longer than the timeout of a test.
    const hour = 3_600_000;
    const { port, close } = await start(hello, { times: { keepAlive: hour, close: hour } });
    const idle = connect(port, '127.0.0.1');
    const [ended] = [once(idle, 'close'), idle.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')];
    const [answer] = await once(idle, 'data');
    await close();
    expect(String(answer)).toContain('hello');
    await ended;
  });

  it('closes connections without an answer at the deadline', async () => {
    const signs = new EventEmitter();
    const asked = once(signs, 'asked');
    const never = () => {
      signs.emit('asked');
      return new Promise<HttpResponse>(() => {});
    };
    const { url, close } = await start(never, { times: { close: 400 } });
    const answer = send(url).catch((error: Error) => error.message);
    await asked;
    await Promise.all([close(), close()]);
    expect(await answer).toBe('socket hang up');
  });

  it('resolves without any connection', async () => {
    const { close } = await start(hello);
    await expect(close()).resolves.toBeUndefined();
  });
});

describe('connections of TLS-ALPN-01 challenges', () => {
  const open = async (listener: Listener, servername: string, protocol: string) => {
    const options = { servername, ALPNProtocols: [protocol], rejectUnauthorized: false };
    const socket = connectTls({ host: '127.0.0.1', port: listener.port, ...options });
    await once(socket, 'secureConnect');
    return socket;
  };

  it('get the certificate of the challenge, and no answer', async () => {
    const other = await issueServerCertificate(authority, { ...local, names: ['a.example.org'] }, ports);
    let requests = 0;
    const count: DirectHandler = async (request) => {
      requests += 1;
      return hello(request);
    };
    const challenge = (name: string) => (name === 'a.example.org' ? other : undefined);
    const listener = await start(count, { tls: server, challenge });
    const socket = await open(listener, 'a.example.org', 'acme-tls/1');
    expect(socket.getPeerCertificate().subjectaltname).toContain('a.example.org');
    socket.write('GET / HTTP/1.1\r\nHost: a.example.org\r\n\r\n');
    socket.on('error', () => undefined);
    const pieces: Buffer[] = [];
    socket.on('data', (piece) => pieces.push(piece));
    await once(socket, 'close');
    expect([Buffer.concat(pieces).toString(), requests]).toEqual(['', 0]);
    const usual = await open(listener, 'a.example.org', 'http/1.1');
    expect(usual.getPeerCertificate().subjectaltname).not.toContain('a.example.org');
    usual.destroy();
  });

  it('have no handshake where no challenge is pending, or its certificate is broken', async () => {
    const listener = await start(hello, {
      tls: server,
      challenge: (name) => (name === 'a.example.org' ? { certificate: 'x', key: 'y' } : undefined),
    });
    await expect(open(listener, 'b.example.org', 'acme-tls/1')).rejects.toThrow();
    await expect(open(listener, 'a.example.org', 'acme-tls/1')).rejects.toThrow();
    expect(await send(listener.url, { rejectUnauthorized: false })).toMatchObject({ status: 200 });
  });
});
