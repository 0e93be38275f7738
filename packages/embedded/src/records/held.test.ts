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
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Ledger } from '../../../core/src/ports/store/ledger.ts';
import { type Bundle, bundle } from '../../../core/src/testing/bed/children/test-child.ts';
import { scratchFolder } from '../../../core/src/testing/bed/scratch.ts';
import { TestClock } from '../../../core/src/testing/test-clock.ts';
import { systemClock } from '../../../node/src/machine/index.ts';
import { type Environment, openEnvironment, openEventLog, openLedger, openMomentary } from '../index.ts';
import { type Held, heldIn } from './held.ts';
import { thisProcess } from './holder.ts';
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

describe('in one process that has opened the folder twice', () => {
  let one: Environment;
  let two: Environment;
  let late: number;
  let shared: Map<string, LiveRecord>;
  /** Keys that were put or removed in the database. */
  let written: string[];
  beforeEach(async () => {
    one = await openMomentary(folder, 'this-run');
    two = await openMomentary(folder, 'this-run');
    [late, shared, written] = [0, new Map(), []];
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + late);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await close(one, two);
    vi.useRealTimers();
  });

  const heldBy = (environment: Environment) =>
    heldIn(environment, {
      get: (key) => shared.get(key),
      put: (key, record) => {
        written.push(key);
        shared.set(key, record);
      },
      remove: (key) => {
        written.push(key);
        shared.delete(key);
      },
    });
  /** A test that fails meanwhile leaves it to be refused. */
  const readinessOf = (held: Held) => {
    const ready = held.ready();
    ready?.catch(() => undefined);
    return ready;
  };
  const readyIn = (environment: Environment) => {
    const held = heldBy(environment);
    const ready = Promise.resolve(readinessOf(held)).then(() => held);
    ready.catch(() => undefined);
    return ready;
  };
  const look = () => vi.advanceTimersByTime(250);
  const holdersOf = (environment: Environment) => {
    environment.refresh();
    return environment.table<string, string>('holders', { encoding: 'string' });
  };
  const holders = (environment: Environment) => [...holdersOf(environment).getKeys()];
  /** Two of which the second came later. */
  const both = async () => {
    const first = await readyIn(one);
    const ready = readyIn(two);
    look();
    return [first, await ready] as const;
  };
  const leaseOf = (name: string, end = 1000): LiveRecord => ({ end, value: Buffer.from(name) });
  const still = (environment: Environment) => vi.spyOn(environment, 'isStill', 'get').mockReturnValue(true);
  const killed = `${thisProcess.split(' ')[0]} 4194305 1`;
  const other = `${thisProcess} other`;

  it('is in memory alone for the only one', async () => {
    const held = heldBy(one);
    expect([heldBy(one) === held, held.isAlone]).toEqual([true, false]);
    await held.ready();
    expect([readinessOf(held), held.isAlone, held.isAloneStill()]).toEqual([undefined, true, true]);
    const lease = leaseOf('first');
    held.put('lease', lease);
    held.giveBack('lease', leaseOf('first'));
    expect(held.get('lease')).toBe(lease);
    held.giveBack('lease', lease);
    expect(held.get('lease')).toBeUndefined();
    held.put('lease', lease);
    held.remove('lease');
    expect(held.get('lease')).toBeUndefined();
    expect(written).toEqual([]);
  });

  it('is in the database from the start where changes are flushed', async () => {
    const lasting = await openEnvironment(folder);
    const held = heldBy(lasting);
    expect([readinessOf(held), held.isAlone, held.isAloneStill()]).toEqual([undefined, false, false]);
    held.put('lease', leaseOf('first'));
    expect(shared.size).toBe(1);
    held.remove('lease');
    expect([held.get('lease'), shared.size]).toEqual([undefined, 0]);
    await close(lasting);
  });

  it('leaves memory when it is over, once many have been added', async () => {
    const held = await readyIn(one);
    for (const end of [999, 1000, 1001]) held.put(`until ${end}`, leaseOf('first', end));
    const kept = () => [999, 1000, 1001].filter((end) => held.get(`until ${end}`));
    for (let n = 1; n < 1024; n += 1) held.sweep(1000);
    expect(kept()).toEqual([999, 1000, 1001]);
    held.sweep(1000);
    expect(kept()).toEqual([1001]);
  });

  it('is waited for until it is written down', async () => {
    const first = await readyIn(one);
    // Of a process that was killed, and so nobody's.
    shared.set('lease', leaseOf('former', 500));
    first.put('lease', leaseOf('first'));
    let isReady = false;
    const ready = readyIn(two);
    ready.then(
      () => {
        isReady = true;
      },
      () => undefined,
    );
    await new Promise(setImmediate);
    expect([isReady, first.isAlone, String(shared.get('lease')?.value)]).toEqual([false, true, 'former']);
    look();
    expect([first.isAlone, String(shared.get('lease')?.value)]).toEqual([false, 'first']);
    expect(holdersOf(one).get('')).toBeUndefined();
    const second = await ready;
    expect([second.isAlone, String(second.get('lease')?.value)]).toEqual([false, 'first']);
    expect(holders(one)).toHaveLength(2);
  });

  it('stays in memory when it was held up and no other has come', async () => {
    const first = await readyIn(one);
    first.put('lease', leaseOf('first'));
    late = 1500;
    const isStill = still(one);
    expect([first.isAloneStill(), first.isAlone]).toEqual([false, true]);
    isStill.mockRestore();
    expect(first.isAloneStill()).toBe(true);
    look();
    expect([first.isAlone, shared.size]).toEqual([true, 0]);
  });

  it('is written down at once for one that came right before, when it was held up', async () => {
    const first = await readyIn(one);
    expect(holders(one)).toHaveLength(2);
    const ready = readyIn(two);
    late = 1500;
    expect(first.isAloneStill()).toBe(false);
    await ready;
  });

  it('is looked after before others write together, when it was held up', async () => {
    const first = await readyIn(one);
    const ready = readyIn(two);
    late = 1500;
    const seen: boolean[] = [];
    const make = () => {
      seen.push(first.isAlone);
    };
    await new Promise<void>((written, refused) => one.writeTogether({ make, written, refused }));
    expect(seen).toEqual([false]);
    await ready;
  });

  it('is not written down while another opens the folder', async () => {
    const first = await readyIn(one);
    first.put('lease', leaseOf('first'));
    const ready = readyIn(two);
    const isStill = still(one);
    look();
    expect([first.isAlone, shared.size]).toEqual([true, 0]);
    isStill.mockRestore();
    look();
    expect([first.isAlone, shared.size]).toEqual([false, 1]);
    await ready;
  });

  it('is in the database when another took it meanwhile, and has ended', async () => {
    const first = await readyIn(one);
    first.put('lease', leaseOf('first'));
    const isStill = still(one);
    const write = two.write.bind(two);
    vi.spyOn(two, 'write').mockImplementation((change) => {
      late += 1000;
      return write(change);
    });
    const second = await readyIn(two);
    expect(late).toBeGreaterThan(6000);
    expect([second.isAlone, holdersOf(two).get('')]).toEqual([false, undefined]);
    second.put('lease', leaseOf('second', 2000));
    await close(two);
    isStill.mockRestore();
    look();
    expect([first.isAlone, String(first.get('lease')?.value)]).toEqual([false, 'second']);
  });

  it('is not waited for where all others were killed', async () => {
    await two.write(() => {
      for (const [key, value] of [
        ['', killed],
        [killed, ''],
      ] as const)
        holdersOf(two).put(key, value);
    });
    const before = one.transactions;
    const held = await readyIn(one);
    expect([held.isAlone, one.transactions - before]).toEqual([true, 1]);
    expect(holders(one)).toEqual(['', holdersOf(one).get('')]);
    expect(holders(one)).not.toContain(killed);
  });

  it('comes back to memory when all others have ended or were killed, but for what these took', async () => {
    const [first, second] = await both();
    for (const key of ['own', 'taken', 'over']) first.put(key, leaseOf('first'));
    second.put('taken', leaseOf('second'));
    shared.delete('over');
    look();
    expect(first.isAlone).toBe(false);
    await close(two);
    await one.write(() => holdersOf(one).put(killed, ''));
    look();
    expect(first.isAlone).toBe(true);
    expect(['own', 'taken', 'over'].filter((key) => first.get(key))).toEqual(['own']);
    expect([...shared.keys()]).toEqual(['taken']);
    expect(holders(one)).toEqual(['', holdersOf(one).get('')]);
  });

  it('stays in the database when another comes at the moment when the others have ended', async () => {
    const [first] = await both();
    await close(two);
    const transact = one.transact.bind(one);
    vi.spyOn(one, 'transact').mockImplementationOnce((change) => {
      transact(() => holdersOf(one).put(other, ''));
      return transact(change);
    });
    look();
    expect(first.isAlone).toBe(false);
    await one.write(() => holdersOf(one).remove(other));
    look();
    expect(first.isAlone).toBe(true);
  });

  it('is given up when the folder is closed', async () => {
    const timers = vi.getTimerCount();
    await readyIn(one);
    expect(vi.getTimerCount()).toBe(timers + 1);
    await close(one);
    expect([vi.getTimerCount(), holders(two)]).toEqual([timers, []]);
  });

  it('is left to who holds it by one that closes the folder while it waits', async () => {
    const first = await readyIn(one);
    const alone = holdersOf(one).get('');
    const refused = expect(readyIn(two)).rejects.toMatchObject({ reason: 'unavailable' });
    await close(two);
    await refused;
    expect([holders(one), first.isAlone]).toEqual([['', alone], true]);
  });

  it('is not taken by one that closes the folder at once', async () => {
    const refused = expect(readyIn(one)).rejects.toMatchObject({ reason: 'unavailable' });
    await close(one);
    await refused;
    expect(holders(two)).toEqual([]);
  });
});

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
