/** The LDAP server with slow, faulty and hostile clients. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect as connectTcp, type Server, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import fc from 'fast-check';
import { BerWriter, Client } from 'ldapts';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parseFilter } from '../../../core/src/foundation/text/filter-text.ts';
import type {
  FoundEntries,
  LdapIdentity,
  LdapService,
  SimpleBind,
} from '../../../core/src/ports/directory/served-directory.ts';
import { issueCertificate, listenOnLoopback, scratchFolder } from '../../../core/src/testing/bed/scratch.ts';
import { KeptLog } from '../../../core/src/testing/kept-log.ts';
import { BerCursor } from '../wire/ber-cursor.ts';
import { searchRequest } from '../wire/search-request.ts';
import { readRequest } from './requests.ts';
import { type LdapServerOptions, serveLdap } from './serve.ts';
import { LdapSession } from './session.ts';

const dn = 'cn=ada,dc=example,dc=org';
const log = new KeptLog();
let tls: { cert: string; key: string };
let ca: string;
beforeAll(async () => {
  const issued = await issueCertificate(await scratchFolder('ldap-server'));
  const [cert, key] = await Promise.all(
    [issued.certFile, issued.keyFile].map((path) => readFile(path, 'utf8')),
  );
  tls = { cert: cert as string, key: key as string };
  ca = issued.ca;
});

/** Accepts the password `right`, and records requests. */
class Counting implements LdapService {
  readonly nobody = this.#identity('', []);
  readonly binds: SimpleBind[] = [];
  closed = 0;
  /** A promise that binds wait for. */
  until: Promise<unknown> = Promise.resolve();
  entries: FoundEntries['entries'] = [];

  async bind(bind: SimpleBind) {
    this.binds.push(bind);
    await this.until;
    if (bind.password !== 'right') return { code: 'invalidCredentials' } as const;
    return this.#identity(`dn:${bind.name}`, this.entries);
  }

  #identity(authzId: string, entries: FoundEntries['entries']): LdapIdentity {
    return {
      authzId,
      search: async () => ({
        entries,
        result: { code: authzId === '' ? 'insufficientAccessRights' : 'success' },
      }),
      compare: async () => ({ code: 'compareTrue' }),
      close: async () => {
        this.closed += 1;
      },
    };
  }
}

async function serve(options: Partial<LdapServerOptions> = {}) {
  const service = new Counting();
  const listener = await serveLdap(service, {
    ...{ host: '127.0.0.1', port: 0, scheme: 'ldap', tls, bases: [], log, ...options },
  });
  onTestFinished(() => listener.close());
  return { service, listener };
}

/** A connection that sends bytes and records responses. */
async function dial(port: number) {
  const socket = connectTcp(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return listening(socket);
}

function listening(socket: Socket) {
  const came: Buffer[] = [];
  socket.on('data', (chunk) => came.push(chunk)).on('error', () => undefined);
  const closed = once(socket, 'close');
  return {
    socket,
    send: (bytes: Uint8Array) => void socket.write(bytes),
    closed,
    /** Received results: message id, tag, code and diagnostic. */
    results: () => resultsIn(Buffer.concat(came)),
    /** Waits for this many results. */
    async answers(count: number) {
      while (resultsIn(Buffer.concat(came)).length < count) await once(socket, 'data');
      return resultsIn(Buffer.concat(came));
    },
  };
}

function resultsIn(bytes: Buffer) {
  const results: { id: number; tag: number; code: number; text: string; oid?: string }[] = [];
  for (const cursor = new BerCursor(bytes); cursor.more; ) {
    const message = cursor.open(0x30);
    const id = message.integer();
    const tag = message.tag;
    const body = message.open(tag);
    if (tag === 0x64) continue;
    const code = body.integer(0x0a);
    body.bytes(0x04);
    const text = body.text(0x04);
    results.push({ id, tag, code, text, ...(body.more && body.tag === 0x8a && { oid: body.text(0x8a) }) });
  }
  return results;
}

function request(id: number, tag: number, write: (writer: BerWriter) => void, control?: string): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeInt(id);
  writer.startSequence(tag);
  write(writer);
  writer.endSequence();
  if (control !== undefined) {
    writer.startSequence(0xa0);
    writer.startSequence();
    writer.writeString(control);
    writer.writeBoolean(true);
    writer.endSequence();
    writer.endSequence();
  }
  writer.endSequence();
  return writer.buffer;
}

const bindOf = (id: number, password = 'right', version = 3): Buffer =>
  request(id, 0x60, (writer) => {
    writer.writeInt(version);
    writer.writeString(dn);
    writer.writeString(password, 0x80);
  });

const startTls = (id: number): Buffer =>
  request(id, 0x77, (writer) => writer.writeString('1.3.6.1.4.1.1466.20037', 0x80));

const whoAmI = (id: number): Buffer =>
  request(id, 0x77, (writer) => writer.writeString('1.3.6.1.4.1.4203.1.11.3', 0x80));

const disconnection = { id: 0, tag: 0x78, oid: '1.3.6.1.4.1.1466.20036' };

describe('client', () => {
  it('is answered in order when it sends several requests, in any pieces', async () => {
    const { listener } = await serve();
    const { send, answers } = await dial(listener.port);
    const all = Buffer.concat([bindOf(1), whoAmI(2), bindOf(3, 'wrong'), whoAmI(4)]);
    for (let at = 0; at < all.length; at += 7) {
      send(all.subarray(at, at + 7));
      await new Promise(setImmediate);
    }
    expect((await answers(4)).map(({ id, code }) => [id, code])).toEqual([
      [1, 0],
      [2, 0],
      [3, 49],
      [4, 0],
    ]);
  });

  it.each([
    ['bytes that are not LDAP', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a length that never ends', Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff])],
    ['a length without an end', Buffer.from([0x30, 0x80, 0x02, 0x01, 0x01])],
    ['a request above the limit', Buffer.from([0x30, 0x83, 0x01, 0x00, 0x01])],
    ['a response', request(1, 0x61, (writer) => writer.writeEnumeration(0))],
    ['an unknown request', request(1, 0x7f, () => undefined)],
    ['the id of the server', bindOf(0)],
    ['an incomplete request', request(1, 0x60, (writer) => writer.writeInt(3))],
    ['a filter that is too deep', tooDeep()],
  ])('is disconnected with a notice when it sends %s', async (_, bytes) => {
    const { service, listener } = await serve();
    const { send, closed, results } = await dial(listener.port);
    send(bytes);
    await closed;
    expect(results()).toEqual([expect.objectContaining({ ...disconnection, code: 2 })]);
    expect(service.binds).toEqual([]);
  });

  it.each([
    ['another version than 3', bindOf(1, 'right', 2), 2],
    ['another way to bind', request(1, 0x60, sasl), 7],
    ['a critical control', request(1, 0x60, simple, '1.2.840.113556.1.4.319'), 12],
    ['another extended operation', request(1, 0x77, (writer) => writer.writeString('1.2.3', 0x80)), 2],
    ['an invalid base', searchOf('(a=b)', 1, 'nothing'), 34],
    ['an invalid attribute in a filter', searchOf('(a=b)', 1, dn, 'a b'), 2],
  ])('is refused when it asks for %s, and may continue', async (_, bytes, code) => {
    const { listener } = await serve();
    const { send, answers } = await dial(listener.port);
    send(bytes);
    expect(await answers(1)).toEqual([expect.objectContaining({ id: 1, code })]);
    send(bindOf(2));
    expect((await answers(2))[1]).toMatchObject({ id: 2, code: 0 });
  });

  it('cannot send bytes before TLS that count as sent after it', async () => {
    const { service, listener } = await serve();
    const { send, closed, results } = await dial(listener.port);
    send(Buffer.concat([startTls(1), bindOf(2)]));
    await closed;
    expect(results()).toEqual([expect.objectContaining({ ...disconnection, code: 2 })]);
    expect(service.binds).toEqual([]);
  });

  it('is anonymous after StartTLS, which it can use once', async () => {
    const { listener } = await serve();
    const client = new Client({ url: listener.url });
    onTestFinished(() => client.unbind());
    await client.bind(dn, 'right');
    await client.startTLS({ ca, host: 'localhost' });
    await expect(client.search(dn)).rejects.toMatchObject({ code: 50 });
    await client.bind(dn, 'right');
    expect((await client.search(dn)).searchEntries).toEqual([]);
    await expect(client.exop('1.3.6.1.4.1.1466.20037')).rejects.toMatchObject({ code: 2 });
  });

  it('takes no memory when it reads nothing, and others are answered meanwhile', async () => {
    const { service, listener } = await serve();
    const values = [Buffer.alloc(100_000, 'x')];
    service.entries = Array.from({ length: 2000 }, () => ({ dn, attributes: new Map([['photo', values]]) }));
    const { send, socket } = await dial(listener.port);
    socket.pause();
    send(Buffer.concat([bindOf(1), searchOf('(a=b)', 2)]));
    const before = process.memoryUsage().arrayBuffers;
    const other = await dial(listener.port);
    other.send(bindOf(1));
    await other.answers(1);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
  });

  it.each([
    ['before any bind', 'bind', (id: number) => searchOf('(objectClass=*)', id, '', undefined, 'base')],
    ['after a bind', 'stall', (id: number) => searchOf('(a=b)', id)],
  ] as const)('that reads nothing does not keep its connection: %s', async (_, time, ask) => {
    let server: Server | undefined;
    const limit = (one: Server) => {
      server = one;
    };
    const { service, listener } = await serve({ limit, times: { [time]: 300, close: 200 } });
    const values = [Buffer.alloc(100_000, 'x')];
    service.entries = Array.from({ length: 200 }, () => ({ dn, attributes: new Map([['photo', values]]) }));
    const sockets = await Promise.all(Array.from({ length: 5 }, () => dial(listener.port)));
    for (const { socket, send } of sockets) {
      socket.pause();
      if (time === 'stall') send(bindOf(1));
      for (let id = 2; id < 20_000; id += 1) send(ask(id));
    }
    const open = () => new Promise((resolve) => server?.getConnections((_error, count) => resolve(count)));
    await expect.poll(open, { timeout: 10_000 }).toBe(0);
  });

  it.each(['ldap', 'ldaps'] as const)('is not disconnected when it reads slowly: %s', async (scheme) => {
    const { service, listener } = await serve({ scheme, times: { stall: 1500 } });
    const photo = Buffer.alloc(15_000_000, 'x');
    service.entries = [{ dn, attributes: new Map([['photo', [photo]]]) }];
    const at = { port: listener.port, host: '127.0.0.1' };
    const socket = scheme === 'ldap' ? connectTcp(at) : connectTls({ ...at, ca });
    onTestFinished(() => void socket.destroy());
    await once(socket, scheme === 'ldap' ? 'connect' : 'secureConnect');
    let [read, next] = [0, 0];
    const whole = new Promise<number>((resolve) => {
      socket.on('close', () => resolve(read)).on('error', () => undefined);
      socket.on('data', (chunk) => {
        read += chunk.length;
        if (read > photo.length) resolve(read);
        if (read < next) return;
        next = read + 128_000;
        socket.pause();
        setTimeout(() => socket.resume(), 40);
      });
    });
    socket.write(Buffer.concat([bindOf(1), searchOf('(a=b)', 2)]));
    const begun = performance.now();
    expect(await whole).toBeGreaterThan(photo.length);
    expect(performance.now() - begun).toBeGreaterThan(2000);
  });

  it('is refused before a check when it sends a password without TLS', async () => {
    const service = new Counting();
    const relay = await listenOnLoopback((socket) => {
      const { signal } = new AbortController();
      const client = { address: '192.0.2.1', port: 1, signal };
      new LdapSession(socket, {
        service,
        client,
        log,
        bases: [],
        isConfidential: false,
        stall: 1000,
        onBind: () => undefined,
      });
    });
    onTestFinished(() => relay.stop());
    const { send, answers } = await dial(relay.port);
    send(bindOf(1));
    expect(await answers(1)).toEqual([
      expect.objectContaining({ code: 13, text: expect.stringContaining('StartTLS') }),
    ]);
    expect(service.binds).toEqual([]);
  });
});

describe('connection', () => {
  it('ends without a bind', async () => {
    const { listener } = await serve({ times: { bind: 50 } });
    const idle = await dial(listener.port);
    await idle.closed;
    expect(idle.results()).toEqual([expect.objectContaining({ ...disconnection, code: 52 })]);
  });

  it('ends when it is idle', async () => {
    const { listener } = await serve({ times: { idle: 300 } });
    const bound = await dial(listener.port);
    bound.send(bindOf(1));
    await bound.closed;
    expect(bound.results().map(({ id, code }) => [id, code])).toEqual([
      [1, 0],
      [0, 52],
    ]);
  });

  it('ends without a TLS handshake', async () => {
    const { listener } = await serve({ scheme: 'ldaps', times: { handshake: 50 } });
    await (await dial(listener.port)).closed;
  });

  it('closes its identity', async () => {
    const { service, listener } = await serve();
    const { send, socket, answers } = await dial(listener.port);
    send(bindOf(1));
    await answers(1);
    const before = service.closed;
    socket.destroy();
    while (service.closed === before) await new Promise(setImmediate);
  });

  it('gets a notice of disconnection when the server ends, after the request under way', async () => {
    const { service, listener } = await serve();
    let let_ = (): void => undefined;
    service.until = new Promise<void>((resolve) => {
      let_ = resolve;
    });
    const [idle, busy] = [await dial(listener.port), await dial(listener.port)];
    busy.send(bindOf(1));
    while (service.binds.length === 0) await new Promise(setImmediate);
    const closed = listener.close();
    await idle.closed;
    expect(idle.results()).toEqual([expect.objectContaining({ ...disconnection, code: 52 })]);
    let_();
    await closed;
    await busy.closed;
    expect(busy.results().map(({ id, code }) => [id, code])).toEqual([
      [1, 0],
      [0, 52],
    ]);
  });

  it('has TLS 1.2 at least, and our certificate', async () => {
    const { listener } = await serve({ scheme: 'ldaps' });
    const socket = connectTls({ port: listener.port, host: '127.0.0.1', ca });
    await once(socket, 'secureConnect');
    const { send, answers } = listening(socket);
    send(bindOf(1));
    expect(await answers(1)).toEqual([expect.objectContaining({ code: 0 })]);
    socket.destroy();
  });
});

describe('filter', () => {
  const attribute = fc.constantFrom('cn', 'sn', 'usercertificate;binary');
  const value = fc
    .uint8Array({ minLength: 1, maxLength: 12 })
    .map((bytes) => `\\${Buffer.from(bytes).toString('hex').match(/../g)?.join('\\')}`);
  const { filter } = fc.letrec<{ filter: string }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc
        .tuple(attribute, fc.constantFrom('=', '>=', '<=', '~='), value)
        .map(([name, by, one]) => `(${name}${by}${one})`),
      attribute.map((name) => `(${name}=*)`),
      fc
        .tuple(attribute, value, fc.array(value, { maxLength: 3 }), fc.boolean())
        .map(
          ([name, first, any, ends]) =>
            `(${name}=${ends ? '' : first}*${any.map((one) => `${one}*`).join('')}${first})`,
        ),
      fc.tuple(attribute, value).map(([name, one]) => `(${name}:dn:2.5.13.2:=${one})`),
      fc
        .tuple(fc.constantFrom('&', '|'), fc.array(tie('filter'), { minLength: 1, maxLength: 3 }))
        .map(([by, all]) => `(${by}${all.join('')})`),
      tie('filter').map((one) => `(!${one})`),
    ),
  }));

  it('is decoded as it was encoded', () => {
    fc.assert(
      fc.property(filter, (text) => {
        const read = readRequest(searchOf(text, 1));
        expect(read.request).toMatchObject({ kind: 'search', filter: parseFilter(text) });
      }),
    );
  });
});

describe('fuzzing', () => {
  it('ends at most the connection, with any bytes', async () => {
    const { listener } = await serve();
    const requests = [bindOf(1), searchOf('(&(a=b)(c=*d*))', 2), whoAmI(3)];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...requests),
        fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 4 }),
        async (bytes, changes) => {
          const changed = Buffer.from(bytes);
          for (const [at, byte] of changes) changed[at % changed.length] = byte;
          const { send, socket } = await dial(listener.port);
          send(changed);
          socket.end();
          socket.destroy();
        },
      ),
      { numRuns: 200 },
    );
    const { send, answers } = await dial(listener.port);
    send(bindOf(1));
    expect(await answers(1)).toEqual([expect.objectContaining({ code: 0 })]);
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

function simple(writer: BerWriter): void {
  writer.writeInt(3);
  writer.writeString(dn);
  writer.writeString('right', 0x80);
}

function sasl(writer: BerWriter): void {
  writer.writeInt(3);
  writer.writeString('');
  writer.startSequence(0xa3);
  writer.writeString('EXTERNAL');
  writer.endSequence();
}

function tooDeep(): Buffer {
  return request(1, 0x63, (writer) => {
    writer.writeString(dn);
    for (const scope of [2, 0]) writer.writeEnumeration(scope);
    for (const limit of [0, 0]) writer.writeInt(limit);
    writer.writeBoolean(false);
    for (let depth = 0; depth < 40; depth += 1) writer.startSequence(0xa2);
    writer.writeString('cn', 0x87);
    for (let depth = 0; depth < 40; depth += 1) writer.endSequence();
    writer.startSequence();
    writer.endSequence();
  });
}

/** Encodes a search as our own client does. @param instead an attribute in place of the filter's */
function searchOf(
  filter: string,
  id: number,
  base = dn,
  instead?: string,
  scope: 'base' | 'sub' = 'sub',
): Buffer {
  const parsed = parseFilter(filter);
  const asked = instead === undefined ? parsed : ({ kind: 'present', attribute: instead } as const);
  const connection = { timeout: 1000 } as Parameters<typeof searchRequest>[0];
  const message = searchRequest(connection, { base, scope, attributes: [], filter: asked });
  message.messageId = id;
  return message.write();
}

describe('other settings while it runs', () => {
  it.each(['ldaps', 'ldap'] as const)('serves them at %s to new connections', async (scheme) => {
    const { listener } = await serve({ scheme, bases: ['dc=before,dc=org'] });
    const folder = await scratchFolder('ldap-renewed');
    const renewed = await issueCertificate(folder);
    const [cert, key] = await Promise.all([
      readFile(renewed.certFile, 'utf8'),
      readFile(renewed.keyFile, 'utf8'),
    ]);
    const namingContexts = async (trusted: string) => {
      const client = new Client({
        url: `${scheme}://localhost:${listener.port}`,
        ...(scheme === 'ldaps' && { tlsOptions: { ca: trusted } }),
      });
      try {
        if (scheme === 'ldap') await client.startTLS({ ca: trusted });
        const { searchEntries } = await client.search('', { scope: 'base', attributes: ['namingContexts'] });
        return searchEntries[0]?.namingContexts;
      } finally {
        await client.unbind().catch(() => undefined);
      }
    };
    expect(await namingContexts(ca)).toBe('dc=before,dc=org');
    listener.replace({ tls: { cert, key }, bases: ['dc=after,dc=org'], policy: undefined });
    expect(await namingContexts(renewed.ca)).toBe('dc=after,dc=org');
    await expect(namingContexts(ca)).rejects.toThrow();
  });
});
