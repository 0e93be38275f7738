/** Limits of connections by address and in total. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { bundle } from '../../../core/src/testing/bed/children/test-child.ts';
import { fixedHandler } from '../../../core/src/testing/bed/fixed-handler.ts';
import { KeptLog } from '../../../core/src/testing/kept-log.ts';
import { createAuthority, issueServerCertificate } from '../../../pki/src/index.ts';
import { openFileLimit, systemClock, systemRandom } from '../machine/index.ts';
import { type ConnectionLimits, limitConnections } from './connections.ts';
import { type Listener, type ServeOptions, serve } from './index.ts';

const listeners: Listener[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(listeners.splice(0).map((listener) => listener.close()));
});

const log = new KeptLog();

async function start(connections: ConnectionLimits, options: Partial<ServeOptions> = {}): Promise<Listener> {
  log.lines.length = 0;
  const listener = await serve(fixedHandler('hello'), {
    host: '127.0.0.1',
    port: 0,
    log,
    connections,
    ...options,
  });
  listeners.push(listener);
  return listener;
}

/** Opens a connection. @returns whether the server keeps it */
async function open(port: number, from = '127.0.0.1'): Promise<{ socket: Socket; isKept: boolean }> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  sockets.push(socket);
  socket.on('error', () => {});
  const answered = new Promise<boolean>((resolve) => {
    socket.once('data', () => resolve(true)).once('close', () => resolve(false));
  });
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  return { socket, isKept: await answered };
}

async function areKept(count: number, port: number, from?: string): Promise<readonly boolean[]> {
  const kept: boolean[] = [];
  for (let n = 0; n < count; n += 1) kept.push((await open(port, from)).isKept);
  return kept;
}

describe('connections of one address', () => {
  it('are closed beyond the limit, which does not affect other addresses', async () => {
    const { port } = await start({ perAddress: 3, exempt: [] });
    expect(await areKept(5, port)).toEqual([true, true, true, false, false]);
    expect(await areKept(4, port, '127.0.0.2')).toEqual([true, true, true, false]);
    const [line, ...more] = log.lines;
    expect(line).toMatchObject({
      level: 'warn',
      message: expect.stringContaining('limits.connections_per_address'),
      fields: { address: '127.0.0.1', times: 1 },
    });
    expect(more).toEqual([]);
  });

  it('are limited to ten times as many for an IPv6 /48', async () => {
    const server = createServer();
    limitConnections(server, { perAddress: 2, exempt: [] }, { clock: systemClock, log });
    const from = (remoteAddress: string): Socket => {
      const socket = new Socket();
      Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
      sockets.push(socket);
      server.emit('connection', socket);
      return socket;
    };
    const all = Array.from({ length: 30 }, (_, n) => from(`2001:db8:7:${n.toString(16)}::1`));
    expect(all.map(({ destroyed }) => destroyed)).toEqual(all.map((_, n) => n >= 20));
    expect(from('2001:db8:8::1').destroyed).toBe(false);
    const [first] = all;
    first?.destroy();
    if (first) await once(first, 'close');
    expect([from('2001:db8:7:ff::1'), from('2001:db8:7:ff::1')].map(({ destroyed }) => destroyed)).toEqual([
      false,
      true,
    ]);
  });

  it('are counted while they are open', async () => {
    const { port } = await start({ perAddress: 2, exempt: [] });
    for (let n = 0; n < 5; n += 1) {
      const { socket, isKept } = await open(port);
      expect(isKept).toBe(true);
      socket.destroy();
    }
    // The server notices the end a moment later.
    while ((await areKept(1, port))[0] === false) await sleep(10);
    expect(await areKept(2, port)).toEqual([true, false]);
  });

  it('are not counted when the address is exempt', async () => {
    const { port } = await start({ perAddress: 1, exempt: ['127.0.0.2/32', '::1'] });
    expect(await areKept(3, port)).toEqual([true, false, false]);
    expect(await areKept(3, port, '127.0.0.2')).toEqual([true, true, true]);
  });

  it('are closed before TLS begins', async () => {
    const ports = { clock: systemClock, random: systemRandom };
    const authority = await createAuthority({ commonName: 'test CA', days: 1 }, ports);
    const names = { names: ['localhost'], addresses: [], days: 1 };
    const tls = await issueServerCertificate(authority, names, ports);
    const { port } = await start({ perAddress: 2, exempt: [] }, { tls });
    const silent = [1, 2, 3].map(() => connect(port, '127.0.0.1'));
    sockets.push(...silent);
    await Promise.all(silent.map((socket) => once(socket, 'connect')));
    const closed: number[] = [];
    for (const [index, socket] of silent.entries()) socket.on('close', () => closed.push(index));
    await once(silent[2] as Socket, 'close');
    expect(closed).toEqual([2]);
  });
});

describe('process with a low limit of open files', () => {
  interface Told {
    readonly port?: number;
    readonly logged?: string;
  }

  async function flooded(isLimited: boolean) {
    const child = await bundle('full-server-child.ts');
    const running = child.startWithFiles(128, isLimited ? '1' : '0');
    const logged: string[] = [];
    running.on('message', ({ logged: line }: Told) => line !== undefined && logged.push(line));
    const [{ port = 0 }] = (await once(running, 'message')) as [Told];
    const flood = await Promise.all(Array.from({ length: 200 }, () => open(port)));
    const kept = flood.filter(({ isKept }) => isKept).length;
    for (const { socket } of flood) socket.destroy();
    let isBack = false;
    for (let n = 0; !isBack && n < 2000; n += 1) {
      await sleep(10);
      ({ isKept: isBack } = await open(port));
    }
    running.disconnect();
    await once(running, 'exit');
    await child.dispose();
    return { logged, kept, isBack };
  }

  it('logs the limit, keeps files for itself, and continues when connections are closed', async () => {
    const { logged, kept, isBack } = await flooded(true);
    expect(logged).toEqual([expect.stringContaining('raise its limit of open files')]);
    expect(kept).toBe(96);
    expect(isBack).toBe(true);
  });

  it('has no files left, and logs nothing, without the limit of connections', async () => {
    const { logged } = await flooded(false);
    expect(logged.join()).not.toContain('raise its limit');
  });

  it('reads its limit from the system', () => {
    expect(openFileLimit()).toBeGreaterThan(0);
    expect(openFileLimit('/nowhere')).toBeUndefined();
    expect(openFileLimit('/proc/self/status')).toBeUndefined();
  });
});
