/** Restarts, hangs and outages of servers, and untrusted servers. Real slapd, real sockets. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Dn } from '../../core/src/foundation/text/dn.ts';
import { matchAll } from '../../core/src/foundation/text/filter.ts';
import type { Directory, DirectoryServer } from '../../core/src/ports/directory/directory.ts';
import {
  type Relay,
  startRelay,
  startSilentServer,
} from '../../core/src/testing/bed/engines/broken-servers.ts';
import { type Slapd, startSlapd } from '../../core/src/testing/bed/engines/slapd.ts';
import { freePorts, type Listener } from '../../core/src/testing/bed/scratch.ts';
import { openScriptedDirectory, usual } from '../../core/src/testing/bed/scripted-directory.ts';
import { KeptLog } from '../../core/src/testing/kept-log.ts';
import { systemClock } from '../../node/src/machine/clock.ts';
import type { LdapOptions } from './connection/options.ts';
import { openLdapDirectory } from './index.ts';

let slapd: Slapd;
const user0 = (): Dn => Dn.parse(`uid=user0,${slapd.people}`);

beforeAll(async () => {
  slapd = await startSlapd({ users: 20 });
  return () => slapd.stop();
});

function connect(options: Partial<LdapOptions> = {}): { server: DirectoryServer; log: KeptLog } {
  const log = new KeptLog();
  const server = openLdapDirectory(
    {
      urls: [slapd.ldapsUrl],
      ca: slapd.ca,
      bind_dn: slapd.adminDn,
      bind_password: slapd.adminPassword,
      timeout_ms: 60_000,
      ...options,
    },
    { clock: systemClock, log },
  );
  onTestFinished(() => server.close());
  return { server, log };
}

describe('directory that restarts', () => {
  it.each(['ldaps', 'StartTLS'])('fails no read when many are under way (%s)', async (way) => {
    const { server } = connect(way === 'ldaps' ? {} : { urls: [slapd.url], start_tls: true });
    const bound = await server.bind(Dn.parse(slapd.readerDn), slapd.readerPassword);
    if (!bound.granted) throw new Error(bound.refusal);
    onTestFinished(() => bound.directory.close());
    const readers = [server.service, bound.directory].map((directory) => readUntil(directory));
    const allRead = () => Promise.all(readers.map((reader) => reader.more(4)));
    await allRead();
    await slapd.restart();
    await allRead();
    await slapd.halt('SIGKILL');
    await sleep(100);
    await slapd.resume();
    await allRead();
    for (const reader of readers) await reader.stop();
  });

  it('has the same identity afterwards, and is never anonymous', async () => {
    const { server } = connect();
    const bound = await server.bind(Dn.parse(slapd.readerDn), slapd.readerPassword);
    if (!bound.granted) throw new Error(bound.refusal);
    onTestFinished(() => bound.directory.close());
    await slapd.restart();
    // Anonymous searches find nothing.
    expect(await bound.directory.read(user0(), ['cn'])).toBeDefined();
    const write = bound.directory.modify(user0(), [{ operation: 'replace', attribute: 'sn', values: ['x'] }]);
    await expect(write).rejects.toMatchObject({ reason: 'permission_denied' });
    expect((await server.authenticate(user0(), 'password0')).granted).toBe(true);
  });

  it('retries no write, and reports an unknown outcome', async () => {
    const { server } = connect();
    const relay = await relayTo(slapd.ldapsPort);
    const relayed = connect({ urls: [`ldaps://localhost:${relay.port}`] }).server;
    await relayed.probe();
    relay.swallowAnswers();
    const change = { operation: 'add', attribute: 'webadmSettings', values: ['Once=1'] } as const;
    const write = relayed.service.modify(user0(), [change]);
    const once = async () =>
      (await server.service.read(user0(), ['webadmsettings']))?.attributes.get('webadmsettings');
    while ((await once()) === undefined) await sleep(5);
    relay.cut();
    await expect(write).rejects.toMatchObject({
      reason: 'unavailable',
      detail: expect.stringContaining('may have been made'),
    });
    expect(await once()).toEqual(['Once=1']);
  });
});

describe('several servers', () => {
  it('are tried in order, and the one that works stays in use', async () => {
    const [dead] = (await freePorts(1)) as [number];
    const { server, log } = connect({ urls: [`ldaps://localhost:${dead}`, slapd.ldapsUrl] });
    await server.probe();
    await Promise.all(Array.from({ length: 9 }, () => server.authenticate(user0(), 'password0')));
    expect(log.lines.filter(({ message }) => message === 'directory server cannot be reached')).toHaveLength(
      1,
    );
    const before = log.lines.length;
    await slapd.restart();
    await server.probe();
    expect(log.lines.slice(before).filter(({ fields }) => String(fields.url).includes(String(dead)))).toEqual(
      [],
    );
  });

  it('take over from one that hangs within the timeout', async () => {
    const hanging = await silentServer();
    const { server } = connect({
      urls: [`ldaps://localhost:${hanging.port}`, slapd.ldapsUrl],
      timeout_ms: 4_000,
    });
    await server.probe();
  });
});

describe('timeouts', () => {
  it.each(['ldap', 'ldaps'])('end a call to a server that accepts and stays silent (%s)', async (scheme) => {
    const hanging = await silentServer();
    const { server } = connect({
      urls: [`${scheme}://localhost:${hanging.port}`],
      start_tls: true,
      timeout_ms: 400,
    });
    const calls = [
      server.probe(),
      server.service.read(user0()),
      server.authenticate(user0(), 'x'),
      server.bind(user0(), 'x'),
    ];
    const reasons = await Promise.allSettled(calls);
    expect(reasons).toEqual(
      calls.map(() => ({ status: 'rejected', reason: expect.objectContaining({ reason: 'unavailable' }) })),
    );
  });

  it('close the socket of a server that stops reading', async () => {
    const sockets = (): number =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
    const before = sockets();
    const deaf = await openScriptedDirectory(usual, { timeout_ms: 2_000 });
    await deaf.server.probe();
    deaf.stopReading();
    await expect(setPhoto(deaf.server, 15e6)).rejects.toMatchObject({ reason: 'unavailable' });
    await expect.poll(sockets, { timeout: 60_000 }).toBeLessThanOrEqual(before);
    await deaf.close();
  });

  it('end a request without a response', async () => {
    const relay = await relayTo(slapd.ldapsPort);
    const { server } = connect({ urls: [`ldaps://localhost:${relay.port}`], timeout_ms: 2_000 });
    await server.probe();
    relay.swallowAnswers();
    await expect(server.service.read(user0())).rejects.toMatchObject({ reason: 'unavailable' });
  });
});

describe('request', () => {
  it('is refused when it is too large', async () => {
    await expect(setPhoto(connect().server, 17e6)).rejects.toMatchObject({ reason: 'too_large' });
  });
});

describe('untrusted server', () => {
  it('is refused without encryption, on loopback too', () => {
    expect(() => connect({ urls: [slapd.url] })).toThrow(
      expect.objectContaining({ reason: 'invalid_params' }),
    );
    expect(() => connect({ urls: ['http://localhost'] })).toThrow(
      expect.objectContaining({ reason: 'invalid_params' }),
    );
  });

  it.each<Partial<LdapOptions>>([
    { bind_password: '' },
    { ca: 'no certificate' },
    { timeout_ms: 2 ** 31 },
    { urls: [] },
  ])('is refused with the options %j', (options) => {
    expect(() => connect(options)).toThrow(expect.objectContaining({ reason: 'invalid_params' }));
  });

  it('is used without encryption when that is allowed', async () => {
    await connect({ urls: [slapd.url], allow_plain: true }).server.probe();
  });

  it.each(['ldaps', 'StartTLS'])('is refused when another CA signed its certificate (%s)', async (way) => {
    const other = await startSlapd();
    onTestFinished(() => other.stop());
    const urls = [way === 'ldaps' ? slapd.ldapsUrl : slapd.url];
    const { server } = connect({ urls, start_tls: true, ca: other.ca });
    await expect(server.probe()).rejects.toMatchObject({
      reason: 'unavailable',
      detail: expect.stringMatching(
        /is not trusted \(.+\): ca has to name the file of the authority that signed it/,
      ),
    });
    await expect(server.authenticate(user0(), 'password0')).rejects.toMatchObject({ reason: 'unavailable' });
  });

  it('is refused in spite of NODE_TLS_REJECT_UNAUTHORIZED', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { server } = connect({ urls: [`ldaps://127.1:${slapd.ldapsPort}`] });
    await expect(server.probe()).rejects.toMatchObject({
      detail: expect.stringContaining('is not for 127.1'),
    });
  });

  it('is refused when the certificate is for another name, with its names', async () => {
    // Another spelling of 127.0.0.1, which is not a name of the certificate.
    const { server } = connect({ urls: [`ldaps://127.1:${slapd.ldapsPort}`] });
    await expect(server.probe()).rejects.toMatchObject({
      detail: expect.stringMatching(
        /is not for 127\.1, but for .*DNS:localhost.*: urls has to have one of its names$/,
      ),
    });
  });

  it('is distinguished from one that refuses the login of the service', async () => {
    const { server } = connect({ bind_password: 'wrong' });
    await expect(server.probe()).rejects.toMatchObject({
      reason: 'unavailable',
      detail: expect.stringContaining('bind_dn'),
    });
    const { server: gone } = connect({
      urls: [`ldaps://localhost:${((await freePorts(1)) as [number])[0]}`],
    });
    await expect(gone.probe()).rejects.toMatchObject({ detail: 'no directory server can be reached' });
  });

  it('never shows passwords in errors or logs', async () => {
    const { server, log } = connect({ bind_password: 'Very-Secret-1' });
    const error: unknown = await server.probe().catch((refusal: unknown) => refusal);
    expect(JSON.stringify([error, String(error), log.lines])).not.toContain('Very-Secret');
  });
});

function setPhoto({ service }: DirectoryServer, size: number): Promise<void> {
  return service.modify(user0(), [
    { operation: 'replace', attribute: 'photo', values: [Buffer.alloc(size)] },
  ]);
}

/** Reads in a loop, eight at a time, until it is stopped; any failure fails the test. */
function readUntil(directory: Directory): { more(reads: number): Promise<void>; stop(): Promise<void> } {
  let running = true;
  const counts = Array.from({ length: 8 }, () => 0);
  const loop = async (_: number, reader: number): Promise<void> => {
    for (let count = 1; running; count += 1) {
      if (count % 5 === 0)
        await directory.search({ base: Dn.parse(slapd.people), scope: 'one', filter: matchAll });
      else expect(await directory.read(user0(), ['cn'])).toBeDefined();
      counts[reader] = count;
    }
  };
  const loops = Promise.all(counts.map(loop));
  loops.catch(() => undefined);
  return {
    // Waits for each of the eight: a read on its second connection would be lost twice at the next restart.
    more: async (reads) => {
      const enough = counts.map((count) => count + reads);
      while (enough.some((count, reader) => (counts[reader] as number) < count))
        await Promise.race([sleep(5), loops]);
    },
    stop: async () => {
      running = false;
      await loops;
    },
  };
}

async function silentServer(): Promise<Listener> {
  const server = await startSilentServer();
  onTestFinished(() => server.stop());
  return server;
}

async function relayTo(port: number): Promise<Relay> {
  const relay = await startRelay(port);
  onTestFinished(() => relay.stop());
  return relay;
}
