/**
 * What processes hold, in memory and in the database by turns.
 *
 * Seen to fail with the guard taken out: in held.ts, let `#enter` return `'shared'` where it has to wait; let `#share` write nothing
 * down; let `isLate` always be false, or `isAloneStill` not look.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { Ledger } from '../../../core/src/ports/store/ledger.ts';
import { type Bundle, bundle } from '../../../core/src/testing/bed/children/test-child.ts';
import { scratchFolder } from '../../../core/src/testing/bed/scratch.ts';
import { TestClock } from '../../../core/src/testing/test-clock.ts';
import { systemClock } from '../../../node/src/machine/index.ts';
import { type Environment, openEnvironment, openEventLog, openLedger, openMomentary } from '../index.ts';
import { heldIn } from './held.ts';
import type { LiveRecord } from './live-records.ts';

interface Told {
  /** How often it had the lease, how often of these without a transaction, and how often somebody else had it too. */
  readonly times: number;
  readonly inMemory: number;
  readonly doubled: number;
  /** Of each such time, who had it and when, and how the other one stood. */
  readonly by: readonly string[];
}

let child: Bundle;
let folder: string;
beforeAll(async () => {
  child = await bundle(new URL('../testing/holding-child.ts', import.meta.url));
});
afterAll(() => child.dispose());
beforeEach(async () => {
  folder = await scratchFolder('held');
});
afterEach(() => rm(folder, { recursive: true }));

const patience = 60_000;
const next = async (running: ChildProcess): Promise<Told> => {
  const [told] = await once(running, 'message', { signal: AbortSignal.timeout(patience) });
  return told as Told;
};

/** What it tells once it has come to an end. */
async function end(running: ChildProcess): Promise<Told> {
  let last: Told | undefined;
  running.on('message', (told) => {
    last = told as Told;
  });
  running.send('end');
  await once(running, 'exit', { signal: AbortSignal.timeout(patience) });
  if (!last) throw new Error('it told nothing');
  return last;
}

const tellsOf = async (running: ChildProcess, what: (told: Told) => boolean): Promise<Told> => {
  for (;;) {
    const told = await next(running);
    if (what(told)) return told;
  }
};

it('is in memory while there is one process, in the database while there are two, and then in memory again', async () => {
  const first = child.start(folder);
  expect(await tellsOf(first, ({ inMemory }) => inMemory === 1)).toMatchObject({ doubled: 0 });
  const second = child.start(folder);
  expect(await next(second)).toEqual({ times: 1, inMemory: 0, doubled: 0, by: [] });
  const alone = await end(first);
  expect(alone.doubled).toBe(0);
  expect(alone.inMemory).toBeLessThan(alone.times);
  expect(await tellsOf(second, ({ inMemory }) => inMemory === 1)).toMatchObject({ doubled: 0 });
  expect(await end(second)).toMatchObject({ doubled: 0 });
});

it('is held by one at a time, whoever comes, ends or is killed when', async () => {
  const running = new Set<ChildProcess>();
  const doubled = new Set<string>();
  let times = 0;
  const start = async () => {
    const one = child.start(folder);
    running.add(one);
    one.on('message', (told) => {
      for (const one of (told as Told).by) doubled.add(one);
    });
    await next(one);
  };
  for (let round = 0; round < 12; round += 1) {
    const missing = Array.from({ length: 3 - running.size }, start);
    await Promise.all(missing);
    const ending = [...running].slice(0, 1 + (round % 3));
    for (const [at, one] of ending.entries()) {
      running.delete(one);
      if ((round + at) % 2 === 0) {
        one.kill('SIGKILL');
        await once(one, 'exit');
      } else times += (await end(one)).times;
    }
  }
  for (const one of running) times += (await end(one)).times;
  expect([...doubled]).toEqual([]);
  expect(times).toBeGreaterThan(20);
});

it('is not taken away by one that cannot open it while others can', async () => {
  const first = child.start(folder);
  await next(first);
  const shared = join(folder, 'momentary-this-run');
  await chmod(shared, 0o777);
  await expect(openMomentary(folder, 'this-run')).rejects.toThrow('changed by everybody');
  await end(first);
  const alone = await openMomentary(folder, 'this-run');
  expect((await stat(shared)).mode & 0o777).toBe(0o700);
  await alone.close();
});

it('is waited for by a program that has nothing else to do', async () => {
  const first = child.start(folder);
  await tellsOf(first, ({ inMemory }) => inMemory === 1);
  const program = await bundle(new URL('../testing/taking-child.ts', import.meta.url));
  const taking = program.start(folder);
  const told: unknown[] = [];
  taking.on('message', (message) => told.push(message));
  const [code] = await once(taking, 'exit', { signal: AbortSignal.timeout(patience) });
  expect([code, told]).toEqual([0, ['entered']]);
  await program.dispose();
  await end(first);
});

it('is waited for no longer than it can be held, where its process does not answer', async () => {
  const first = child.start(folder);
  await tellsOf(first, ({ inMemory }) => inMemory === 1);
  // It stops itself while it holds nothing, and goes on by taking the lease.
  first.send('stop');
  const second = child.start(folder);
  expect(await next(second)).toMatchObject({ times: 1, inMemory: 0, doubled: 0 });
  first.kill('SIGCONT');
  await sleep(300);
  const told = [await end(second), await end(first)];
  expect(told.map(({ doubled }) => doubled)).toEqual([0, 0]);
});

it('keeps a later lease that another process took while the first was held up', async () => {
  const shared = new Map<string, LiveRecord>();
  const heldBy = async (environment: Environment) => {
    const held = heldIn(environment, {
      get: (key) => shared.get(key),
      put: (key, record) => shared.set(key, record),
      remove: (key) => shared.delete(key),
    });
    await held.ready();
    return held;
  };
  const [one, two] = [await openMomentary(folder, 'this-run'), await openMomentary(folder, 'this-run')];
  const first = await heldBy(one);
  first.put('lease', { end: 1000, value: Buffer.from('first') });
  // A process that cannot look is like one that is held up.
  let isHeldUp = true;
  Object.defineProperty(one, 'isStill', { get: () => isHeldUp });
  let now = performance.now();
  const time = vi.spyOn(performance, 'now').mockImplementation(() => {
    // Longer than any process is waited for.
    now += 10_000;
    return now;
  });
  onTestFinished(() => time.mockRestore());
  const second = await heldBy(two);
  second.put('lease', { end: 2000, value: Buffer.from('second') });
  isHeldUp = false;
  expect(first.isAloneStill()).toBe(false);
  expect(String(first.get('lease')?.value)).toBe('second');
  await close(one, two);
});

it('is not held by a step that was refused', async () => {
  const lasting = await openEnvironment(folder);
  const momentary = await openMomentary(folder, 'this-run');
  const ledger = openLedger({ lasting, momentary }, systemClock, await openEventLog(lasting));
  // LMDB takes no key of such a length.
  await expect(take(ledger, 'x'.repeat(5000))).rejects.toMatchObject({ reason: 'unavailable' });
  expect(await take(ledger, 'short')).toBe('taken');
  expect(await take(ledger, 'short')).toBe('held');
  await close(momentary, lasting);
});

it('leaves what is over in the database to be swept, however much is held and given back in memory', async () => {
  const [lasting, momentary] = [await openEnvironment(folder), await openMomentary(folder, 'this-run')];
  const clock = new TestClock();
  const ledger = openLedger({ lasting, momentary }, clock, await openEventLog(lasting));
  const leave = () =>
    ledger.enter({
      ...{ lasting: [], momentary: ['lease'], held: 1 },
      decide: () => ({ result: 0, values: [['lease', null]] }),
    });
  for (let n = 0; n < 1200; n += 1) {
    expect(await take(ledger, `beside ${n}`)).toBe('taken');
    await leave();
    if (n === 599) clock.advance(61_000);
  }
  const keys = [...momentary.table('store', { encoding: 'binary' }).getKeys()];
  expect(keys.length).toBeLessThan(700);
  await close(momentary, lasting);
});

it('is refused once the folder is closed', async () => {
  const lasting = await openEnvironment(folder);
  const momentary = await openMomentary(folder, 'this-run');
  const ledger = openLedger({ lasting, momentary }, systemClock, await openEventLog(lasting));
  expect(await take(ledger, undefined)).toBe('taken');
  await momentary.close();
  await expect(take(ledger, undefined)).rejects.toMatchObject({ reason: 'unavailable' });
  await close(lasting);
});

/** Takes a lease, and puts something beside it that is shared. */
function take(ledger: Ledger, beside: string | undefined): Promise<'taken' | 'held'> {
  const value = { value: Buffer.from('1'), seconds: 60 };
  const shared = beside === undefined ? [] : [beside];
  return ledger.enter({
    ...{ lasting: [], momentary: [...shared, 'lease'], held: 1 },
    decide: ({ momentary: found }) =>
      found.value('lease')
        ? { result: 'held' }
        : { result: 'taken', values: [...shared, 'lease'].map((key) => [key, value] as const) },
  });
}

async function close(...all: readonly Environment[]): Promise<void> {
  for (const one of all) await one.close();
}
