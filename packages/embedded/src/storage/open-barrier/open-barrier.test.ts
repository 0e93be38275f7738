/**
 * No committed write is lost while processes open the folder.
 *
 * Fails without the guard: in open-barrier.ts, let `#tryToOpen` open without requests, or `#accept` acknowledge during a write; in
 * environment.ts, let `transact` or `table` not wait; in private-files.ts, open an existing file.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { chown, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type Bundle, bundle } from '../../../../core/src/testing/bed/children/test-child.ts';
import { scratchFolder } from '../../../../core/src/testing/bed/scratch.ts';
import { openEnvironment } from '../../index.ts';
import { OpenBarrier } from './open-barrier.ts';

let child: Bundle;
let folder: string;
beforeAll(async () => {
  child = await bundle(new URL('../../testing/writing-child.ts', import.meta.url));
});
afterAll(() => child.dispose());
beforeEach(async () => {
  folder = await scratchFolder('open-barrier');
});
afterEach(() => rm(folder, { recursive: true }));

type Report = { readonly lost: number; readonly found: number } | { readonly written: number } | 'begun';

interface Writer {
  readonly process: ChildProcess;
  readonly reports: readonly Report[];
}

async function startWriter(...args: readonly string[]): Promise<Writer> {
  const process = child.start(folder, ...args);
  const reports: Report[] = [];
  process.on('message', (message) => reports.push(message as Report));
  while (reports.length === 0) await once(process, 'message');
  return { process, reports };
}

async function end({ process, reports }: Writer): Promise<number> {
  process.send('end');
  // Its last message may come after its end.
  const [code, signal] = await once(process, 'close');
  const last = reports.at(-1);
  if (reports.length !== 2 || typeof last !== 'object' || !('written' in last))
    throw new Error(`${JSON.stringify(reports)}, exit ${code ?? signal}`);
  return last.written;
}

const openAndClose = async (options?: { readonly isEphemeral: boolean }): Promise<void> => {
  const environment = await openEnvironment(folder, options);
  await environment.close();
};

it('loses no ephemeral write while other processes open the folder', {
  timeout: 60_000,
}, async () => {
  const writers = await Promise.all(['one', 'two'].map((key) => startWriter(key, 'ephemeral')));
  for (let opened = 0; opened < 200; opened += 1) await openAndClose({ isEphemeral: true });
  for (const writer of writers) expect(await end(writer)).toBeGreaterThan(100);
});

it('loses no durable write while other processes open the folder', { timeout: 60_000 }, async () => {
  const writers = await Promise.all(['one', 'two'].map((key) => startWriter(key, 'lasting')));
  for (let opened = 0; opened < 200; opened += 1) await openAndClose();
  for (const writer of writers) expect(await end(writer)).toBeGreaterThan(100);
});

it('lets several processes open at a time', { timeout: 60_000 }, async () => {
  const keys = ['one', 'two', 'three', 'four'];
  const writers = await Promise.all(keys.map((key) => startWriter(key, 'ephemeral')));
  await Promise.all(keys.map(() => openAndClose({ isEphemeral: true })));
  for (const writer of writers) expect(await end(writer)).toBeGreaterThan(0);
});

it('opens beside a stopped process and a killed one', { timeout: 60_000 }, async () => {
  const [stopped, killed] = await Promise.all(['one', 'two'].map((key) => startWriter(key, 'ephemeral')));
  killed?.process.kill('SIGKILL');
  stopped?.process.send('stop');
  await sleep(200);
  const from = performance.now();
  const environment = await openEnvironment(folder, { isEphemeral: true });
  expect(performance.now() - from).toBeGreaterThan(1000);
  expect(environment.table('numbers', { encoding: 'json' }).get('two')).toBeGreaterThan(0);
  await environment.close();
  stopped?.process.kill('SIGCONT');
  if (stopped) expect(await end(stopped)).toBeGreaterThan(0);
});

it('removes its own socket, and those of killed processes', async () => {
  const writer = await startWriter('one', 'ephemeral');
  const sockets = join(folder, 'open');
  expect(readdirSync(sockets)).toHaveLength(1);
  expect(statSync(sockets).mode & 0o777).toBe(0o700);
  writer.process.kill('SIGKILL');
  await once(writer.process, 'exit');
  await openAndClose({ isEphemeral: true });
  expect(existsSync(sockets)).toBe(false);
});

it('gives its files to the owner of the folder when root opens it', async () => {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(folder, 65_534, 65_534);
  const environment = await openEnvironment(folder);
  const owners = [folder, join(folder, 'open'), socketIn(folder)].map((path) => statSync(path).uid);
  expect(new Set(owners)).toEqual(new Set([isRoot ? 65_534 : process.getuid?.()]));
  await environment.close();
});

it('resumes after a moment when a process asks and does not open', async () => {
  const environment = await openEnvironment(folder, { isEphemeral: true });
  const socket = connect(socketIn(folder));
  socket.write(`${requester}\n`);
  await once(socket, 'data');
  expect(environment.isPaused).toBe(true);
  const table = environment.table<number, string>('numbers', { encoding: 'json' });
  await environment.write(() => table.put('one', 1));
  expect(environment.isPaused).toBe(false);
  socket.destroy();
  await environment.close();
});

it('opens a folder whose path is too long for a socket', async () => {
  const [outer, deep] = [folder, join(folder, 'x'.repeat(120))];
  folder = deep;
  const writer = await startWriter('one', 'ephemeral');
  for (let opened = 0; opened < 20; opened += 1) await openAndClose({ isEphemeral: true });
  expect(await end(writer)).toBeGreaterThan(0);
  folder = outer;
});

it('keeps the lock of LMDB when this process opens the folder again', async () => {
  const environment = await openEnvironment(folder);
  const locks = () => {
    const { ino } = statSync(join(folder, 'lock.mdb'));
    return readFileSync('/proc/locks', 'latin1').match(
      new RegExp(`^.* ${process.pid} \\S+:${ino} .*$`, 'gm'),
    );
  };
  expect(locks()).toHaveLength(1);
  await openAndClose();
  expect(locks()).toHaveLength(1);
  await environment.close();
});

const requester = '1-000000000000';

it('acknowledges when no write is under way', async () => {
  const barrier = await OpenBarrier.join(folder);
  let isWriting = true;
  barrier.attachWriter(() => isWriting);
  const socket = connect(socketIn(folder));
  const acknowledged = vi.fn();
  socket.on('data', acknowledged);
  socket.write(`${requester}\n`);
  while (!barrier.isPaused) await sleep(1);
  barrier.writeEnded();
  await sleep(50);
  expect(acknowledged).not.toHaveBeenCalled();
  isWriting = false;
  barrier.writeEnded();
  await once(socket, 'data');
  socket.destroy();
  await barrier.resumed();
  barrier.close();
});

it('creates no table while another process opens', async () => {
  const environment = await openEnvironment(folder);
  const socket = connect(socketIn(folder));
  const opening = join(folder, 'open', `${requester}.opening`);
  writeFileSync(opening, '');
  socket.write(`${requester}\n`);
  await once(socket, 'data');
  // This thread blocks, so a child process ends the wait.
  spawn('sh', ['-c', 'sleep 0.3; rm "$0"', opening], { stdio: 'ignore' });
  environment.table('new', { encoding: 'json' });
  expect(existsSync(opening)).toBe(false);
  socket.destroy();
  await environment.close();
});

it('commits in order, and closes after it, when changes come during a pause', async () => {
  const environment = await openEnvironment(folder, { isEphemeral: true });
  const table = environment.table<number, string>('numbers', { encoding: 'json' });
  const socket = connect(socketIn(folder));
  socket.write(`${requester}\n`);
  await once(socket, 'data');
  const written = vi.fn();
  environment.writeGrouped({
    apply: () => table.put('one', 1),
    committed: written,
    failed: expect.unreachable,
  });
  await setImmediate();
  // A later step is not made before it.
  expect(environment.hasGrouped).toBe(true);
  const closed = vi.fn();
  const closing = environment.close().then(closed);
  await sleep(50);
  expect([written, closed].map((spy) => spy.mock.calls.length)).toEqual([0, 0]);
  socket.destroy();
  await closing;
  expect(written).toHaveBeenCalledOnce();
});

it('closes after the acknowledged process has opened', async () => {
  const environment = await openEnvironment(folder, { isEphemeral: true });
  const socket = connect(socketIn(folder));
  socket.write(`${requester}\n`);
  await once(socket, 'data');
  const closed = vi.fn();
  const closing = environment.close().then(closed);
  await sleep(50);
  expect(closed).not.toHaveBeenCalled();
  socket.destroy();
  await closing;
});

it('closes a connection that sends no id', async () => {
  const barrier = await OpenBarrier.join(folder);
  const socket = connect(socketIn(folder));
  socket.write('../../other\n');
  await once(socket, 'close');
  expect(barrier.isPaused).toBe(false);
  barrier.close();
});

/** The socket of the only process that has it open. */
function socketIn(folder: string): string {
  const sockets = join(folder, 'open');
  const [name = ''] = readdirSync(sockets);
  return join(sockets, name);
}

it('joins while another process creates and removes the folder of the sockets', async () => {
  const other = spawn(process.execPath, [
    '-e',
    `const { mkdirSync, rmdirSync } = require('node:fs');
     const nothing = new Int32Array(new SharedArrayBuffer(4));
     process.stdout.write('begun');
     for (;;) {
       try { mkdirSync(process.argv[1]); } catch {}
       Atomics.wait(nothing, 0, 0, 0.2);
       try { rmdirSync(process.argv[1]); } catch {}
     }`,
    join(folder, 'open'),
  ]);
  const ended = once(other, 'exit');
  try {
    await once(other.stdout, 'data');
    for (let n = 0; n < 300; n += 1) (await OpenBarrier.join(folder)).close();
  } finally {
    other.kill('SIGKILL');
    await ended;
  }
});

it('creates and removes no folder in mayBeOpen', async () => {
  expect(await OpenBarrier.mayBeOpen(folder)).toBe(false);
  expect(existsSync(join(folder, 'open'))).toBe(false);
  const barrier = await OpenBarrier.join(folder);
  expect(await OpenBarrier.mayBeOpen(folder)).toBe(true);
  barrier.close();
});
