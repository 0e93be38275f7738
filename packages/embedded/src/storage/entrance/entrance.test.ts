/**
 * Nothing that somebody has written is undone while others open the folder.
 *
 * Seen to fail with the guard taken out: in entrance.ts, let `#tryToOpen` open without asking, or `#meet` answer while something is
 * written; in environment.ts, let `transact` not wait, or `table`; in private-files.ts, open a file that is there.
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
import { Entrance } from './entrance.ts';

let child: Bundle;
let folder: string;
beforeAll(async () => {
  child = await bundle(new URL('../../testing/writing-child.ts', import.meta.url));
});
afterAll(() => child.dispose());
beforeEach(async () => {
  folder = await scratchFolder('entrance');
});
afterEach(() => rm(folder, { recursive: true }));

type Told = { readonly lost: number; readonly found: number } | { readonly written: number } | 'begun';

interface Writer {
  readonly process: ChildProcess;
  readonly told: readonly Told[];
}

async function startWriter(...args: readonly string[]): Promise<Writer> {
  const process = child.start(folder, ...args);
  const told: Told[] = [];
  process.on('message', (message) => told.push(message as Told));
  while (told.length === 0) await once(process, 'message');
  return { process, told };
}

async function end({ process, told }: Writer): Promise<number> {
  process.send('end');
  // Its last message may come after its end.
  const [code, signal] = await once(process, 'close');
  const last = told.at(-1);
  if (told.length !== 2 || typeof last !== 'object' || !('written' in last))
    throw new Error(`${JSON.stringify(told)}, exit ${code ?? signal}`);
  return last.written;
}

const openAndClose = async (options?: { readonly isMomentary: boolean }): Promise<void> => {
  const environment = await openEnvironment(folder, options);
  await environment.close();
};

it('loses nothing of what is written without a disk while others open the folder', {
  timeout: 60_000,
}, async () => {
  const writers = await Promise.all(['one', 'two'].map((key) => startWriter(key, 'momentary')));
  for (let opened = 0; opened < 200; opened += 1) await openAndClose({ isMomentary: true });
  for (const writer of writers) expect(await end(writer)).toBeGreaterThan(100);
});

it('loses nothing of what is written to disk', { timeout: 60_000 }, async () => {
  const writers = await Promise.all(['one', 'two'].map((key) => startWriter(key, 'lasting')));
  for (let opened = 0; opened < 200; opened += 1) await openAndClose();
  for (const writer of writers) expect(await end(writer)).toBeGreaterThan(100);
});

it('is entered by many at a time', { timeout: 60_000 }, async () => {
  const keys = ['one', 'two', 'three', 'four'];
  const writers = await Promise.all(keys.map((key) => startWriter(key, 'momentary')));
  await Promise.all(keys.map(() => openAndClose({ isMomentary: true })));
  for (const writer of writers) expect(await end(writer)).toBeGreaterThan(0);
});

it('is entered beside one that is stopped, and one that was killed', { timeout: 60_000 }, async () => {
  const [stopped, killed] = await Promise.all(['one', 'two'].map((key) => startWriter(key, 'momentary')));
  killed?.process.kill('SIGKILL');
  stopped?.process.send('stop');
  await sleep(200);
  const from = performance.now();
  const environment = await openEnvironment(folder, { isMomentary: true });
  expect(performance.now() - from).toBeGreaterThan(1000);
  expect(environment.table('numbers', { encoding: 'json' }).get('two')).toBeGreaterThan(0);
  await environment.close();
  stopped?.process.kill('SIGCONT');
  if (stopped) expect(await end(stopped)).toBeGreaterThan(0);
});

it('leaves no socket behind, and takes away those of the dead', async () => {
  const writer = await startWriter('one', 'momentary');
  const places = join(folder, 'open');
  expect(readdirSync(places)).toHaveLength(1);
  expect(statSync(places).mode & 0o777).toBe(0o700);
  writer.process.kill('SIGKILL');
  await once(writer.process, 'exit');
  await openAndClose({ isMomentary: true });
  expect(existsSync(places)).toBe(false);
});

it('belongs to whom the folder belongs to, whoever opens it', async () => {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(folder, 65_534, 65_534);
  const environment = await openEnvironment(folder);
  const owners = [folder, join(folder, 'open'), placeIn(folder)].map((path) => statSync(path).uid);
  expect(new Set(owners)).toEqual(new Set([isRoot ? 65_534 : process.getuid?.()]));
  await environment.close();
});

it('waits for one that asks and does not open, for a moment only', async () => {
  const environment = await openEnvironment(folder, { isMomentary: true });
  const socket = connect(placeIn(folder));
  socket.write(`${asker}\n`);
  await once(socket, 'data');
  expect(environment.isStill).toBe(true);
  const table = environment.table<number, string>('numbers', { encoding: 'json' });
  await environment.write(() => table.put('one', 1));
  expect(environment.isStill).toBe(false);
  socket.destroy();
  await environment.close();
});

it('is entered where its path is too long for a socket', async () => {
  const [outer, deep] = [folder, join(folder, 'x'.repeat(120))];
  folder = deep;
  const writer = await startWriter('one', 'momentary');
  for (let opened = 0; opened < 20; opened += 1) await openAndClose({ isMomentary: true });
  expect(await end(writer)).toBeGreaterThan(0);
  folder = outer;
});

it('keeps the lock by which LMDB knows that it is open, whoever opens it once more in this process', async () => {
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

const asker = '1-000000000000';

it('answers once nothing is written any more', async () => {
  const entrance = await Entrance.make(folder);
  let isWriting = true;
  entrance.heed(() => isWriting);
  const socket = connect(placeIn(folder));
  const answered = vi.fn();
  socket.on('data', answered);
  socket.write(`${asker}\n`);
  while (!entrance.isStill) await sleep(1);
  entrance.ended();
  await sleep(50);
  expect(answered).not.toHaveBeenCalled();
  isWriting = false;
  entrance.ended();
  await once(socket, 'data');
  socket.destroy();
  await entrance.passed();
  entrance.close();
});

it('makes no table while somebody opens', async () => {
  const environment = await openEnvironment(folder);
  const socket = connect(placeIn(folder));
  const opening = join(folder, 'open', `${asker}.opening`);
  writeFileSync(opening, '');
  socket.write(`${asker}\n`);
  await once(socket, 'data');
  // This thread waits, so somebody else has to end it.
  spawn('sh', ['-c', 'sleep 0.3; rm "$0"', opening], { stdio: 'ignore' });
  environment.table('new', { encoding: 'json' });
  expect(existsSync(opening)).toBe(false);
  socket.destroy();
  await environment.close();
});

it('keeps the order of what is asked for while somebody opens, and closes after it', async () => {
  const environment = await openEnvironment(folder, { isMomentary: true });
  const table = environment.table<number, string>('numbers', { encoding: 'json' });
  const socket = connect(placeIn(folder));
  socket.write(`${asker}\n`);
  await once(socket, 'data');
  const written = vi.fn();
  environment.writeTogether({ make: () => table.put('one', 1), written, refused: expect.unreachable });
  await setImmediate();
  // Whoever is alone makes no step in memory before it.
  expect(environment.hasGathered).toBe(true);
  const closed = vi.fn();
  const closing = environment.close().then(closed);
  await sleep(50);
  expect([written, closed].map((told) => told.mock.calls.length)).toEqual([0, 0]);
  socket.destroy();
  await closing;
  expect(written).toHaveBeenCalledOnce();
});

it('is not closed before those have opened that were answered', async () => {
  const environment = await openEnvironment(folder, { isMomentary: true });
  const socket = connect(placeIn(folder));
  socket.write(`${asker}\n`);
  await once(socket, 'data');
  const closed = vi.fn();
  const closing = environment.close().then(closed);
  await sleep(50);
  expect(closed).not.toHaveBeenCalled();
  socket.destroy();
  await closing;
});

it('hangs up on whoever does not say who it is', async () => {
  const entrance = await Entrance.make(folder);
  const socket = connect(placeIn(folder));
  socket.write('../../somebody\n');
  await once(socket, 'close');
  expect(entrance.isStill).toBe(false);
  entrance.close();
});

/** Of the only one that has it open. */
function placeIn(folder: string): string {
  const places = join(folder, 'open');
  const [place = ''] = readdirSync(places);
  return join(places, place);
}

it('is entered while another process makes and removes the folder of the sockets all the time', async () => {
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
    for (let n = 0; n < 300; n += 1) (await Entrance.make(folder)).close();
  } finally {
    other.kill('SIGKILL');
    await ended;
  }
});

it('makes and removes no folder of sockets to look whether somebody is in', async () => {
  expect(await Entrance.mayBeIn(folder)).toBe(false);
  expect(existsSync(join(folder, 'open'))).toBe(false);
  const entrance = await Entrance.make(folder);
  expect(await Entrance.mayBeIn(folder)).toBe(true);
  entrance.close();
});
