/** Parts of every throwaway engine: a folder of its own, free ports, a certificate, waiting. */
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { statfsSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Duplex, PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

export const run = promisify(execFile);

/** The root of the checkout; the build of this file, which benchmarks run, is as deep as its source. */
export const checkout = new URL('../../../../../', import.meta.url);

/** A command that is killed when this process ends, however it ends: no test run leaves servers behind. */
export function boundToUs(command: readonly string[]): [string, ...string[]] {
  return ['setpriv', '--pdeathsig', 'KILL', ...command];
}

/** In memory where there is enough of it. */
export async function scratchFolder(name: string): Promise<string> {
  return mkdtemp(join(temporaryPlace(2 ** 30), `watchword-${name}-`));
}

const memory = '/dev/shm';

/**
 * Where files may stand that no test needs for long: in memory where so many bytes are free, as tests that wait for a disk with
 * every commit take minutes longer, and on a busy disk much longer still.
 */
export function temporaryPlace(bytes: number): string {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > bytes ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/**
 * Free TCP ports on loopback. All are held until the last one is found, so that they differ. Below the range that connections take
 * theirs from: no connection of another test has one of them when its server starts, or starts again.
 */
export async function freePorts(count: number): Promise<number[]> {
  const listeners = await Promise.all(Array.from({ length: count }, listenBelowConnections));
  await Promise.all(listeners.map((listener) => listener.stop()));
  return listeners.map(({ port }) => port);
}

async function listenBelowConnections(): Promise<Listener> {
  for (;;) {
    try {
      return await listenOnLoopback(() => undefined, randomInt(10_000, 32_000));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    }
  }
}

export interface Listener {
  readonly port: number;
  /** Ends its connections, too. */
  stop(): Promise<void>;
}

/** A server on loopback that gives every connection to `accept`. @param on its port; 0: one that is free */
export async function listenOnLoopback(accept: (socket: Socket) => void, on = 0): Promise<Listener> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    accept(socket);
  });
  server.listen(on, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    stop: () =>
      new Promise<void>((stopped) => {
        server.close(() => stopped());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Passes what a client sends on to another socket, and its answers back, through `back` if there is one. */
export function joinSockets(client: Socket, behind: Socket, back: Duplex = new PassThrough()): void {
  client.pipe(behind).pipe(back).pipe(client);
  behind.on('error', () => client.destroy());
  behind.on('close', () => client.destroy());
  client.on('close', () => behind.destroy());
}

/** Resolves when something accepts connections on the port, rejects after two minutes. */
export async function accepting(port: number): Promise<void> {
  for (let waited = 0; waited < 120_000; waited += 10) {
    if (await accepts(port)) return;
    await sleep(10);
  }
  throw new Error(`nothing accepts connections on port ${port}`);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    const settle = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}

/** Paths of PEM files, and the CA's certificate as text. */
export interface ServerCertificate {
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly ca: string;
}

/** A CA of one day and a certificate of it for localhost, 127.0.0.1 and this machine's name. */
export async function issueCertificate(folder: string): Promise<ServerCertificate> {
  const [caKey, caFile, keyFile, certFile, extensions] = [
    'ca.key',
    'ca.crt',
    'server.key',
    'server.crt',
    'server.ext',
  ].map((name) => join(folder, name)) as [string, string, string, string, string];
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  await writeFile(extensions, `subjectAltName=DNS:localhost,DNS:${hostname()},IP:127.0.0.1\n`);
  await run('openssl', ['req', '-x509', ...newKey, '-subj', '/CN=Test CA', '-keyout', caKey, '-out', caFile]);
  const request = `${keyFile}.csr`;
  await run('openssl', [
    'req',
    ...newKey.slice(0, -2),
    '-subj',
    '/CN=localhost',
    '-keyout',
    keyFile,
    '-out',
    request,
  ]);
  const sign = [
    'x509',
    '-req',
    '-in',
    request,
    '-CA',
    caFile,
    '-CAkey',
    caKey,
    '-CAcreateserial',
    '-days',
    '1',
  ];
  await run('openssl', [...sign, '-extfile', extensions, '-out', certFile]);
  return { caFile, certFile, keyFile, ca: await readFile(caFile, 'utf8') };
}
