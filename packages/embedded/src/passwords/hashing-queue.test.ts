import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Requester } from '../../../core/src/ports/directory/directory.ts';
import { KeptLog } from '../../../core/src/testing/kept-log.ts';
import { TestClock } from '../../../core/src/testing/test-clock.ts';
import { HashingQueue } from './hashing-queue.ts';

/** The time of a hash in milliseconds. */
const cost = 100;

let clock: TestClock;
let log: KeptLog;
let queue: HashingQueue;
/** Functions that end a running hash. */
let running: { name: string; end: () => void }[];
/** Hashes in the order of their begin. */
let begun: string[];

beforeEach(async () => {
  clock = new TestClock();
  log = new KeptLog();
  queue = new HashingQueue(1, { clock, log });
  [running, begun] = [[], []];
  // Lets the average converge.
  for (let n = 0; n < 60; n += 1) await queue.run(async () => clock.advance(cost));
});

const unknown = (caller: string, signal?: AbortSignal): Requester => ({ caller, isKnown: false, signal });
const known = (caller: string): Requester => ({ caller, isKnown: true });

function hash(name: string, requester?: Requester): Promise<string> {
  return queue.run(
    () =>
      new Promise((resolve) => {
        begun.push(name);
        running.push({ name, end: () => resolve(name) });
      }),
    requester,
  );
}

/** Returns the reason of a refusal, or the name of a hash that has run. */
const fate = (hashed: Promise<string>): Promise<string> =>
  hashed.catch((error: { reason?: string; retryAfter?: number }) => `${error.reason} ${error.retryAfter}`);

/** Advances the clock until the queue is empty. */
async function finish(): Promise<void> {
  for (await nextTurn(); running.length > 0; await nextTurn()) endOne();
}

function endOne(): void {
  clock.advance(cost);
  running.shift()?.end();
}

describe('hashing queue', () => {
  it('serves callers in turn, with any number of requests of each', async () => {
    const flood = Array.from({ length: 15 }, (_, n) => fate(hash(`flood ${n}`, unknown('a'))));
    const others = [hash('second', unknown('b')), hash('third', unknown('c'))];
    await finish();
    await Promise.all([...flood, ...others]);
    expect(begun.slice(0, 4)).toEqual(['flood 0', 'flood 1', 'second', 'third']);
  });

  it('serves known callers first, except in every fourth turn', async () => {
    const all = [hash('first', unknown('a'))];
    for (let n = 0; n < 3; n += 1) all.push(hash('unknown', unknown('a')));
    for (let n = 0; n < 5; n += 1) all.push(hash('known', known('b')));
    await finish();
    await Promise.all(all);
    const rest = ['known', 'known', 'unknown', 'unknown'];
    expect(begun).toEqual(['first', 'known', 'known', 'known', 'unknown', ...rest]);
  });

  it('refuses the requests of a caller at once whose wait would be longer than two seconds', async () => {
    const flood = Array.from({ length: 30 }, (_, n) => fate(hash(`flood ${n}`, unknown('a'))));
    const other = fate(hash('other', unknown('b')));
    expect(await Promise.race(flood.slice(25))).toBe('unavailable 3');
    await finish();
    expect(await other).toBe('other');
    const fates = await Promise.all(flood);
    // One was running; twenty times a tenth of a second is two seconds, and the other caller came before some of them.
    expect(fates.filter((one) => one.startsWith('flood'))).toHaveLength(19);
    expect(begun).toHaveLength(20);
  });

  it('refuses requests that have waited for two seconds', async () => {
    const first = hash('first', known('a'));
    const late = Array.from({ length: 15 }, (_, n) => fate(hash(`late ${n}`, unknown('b'))));
    const all: Promise<string>[] = [];
    for (let n = 0; n < 60; n += 1) {
      all.push(fate(hash('known', known(`c${n % 4}`))));
      await nextTurn();
      endOne();
    }
    await finish();
    await Promise.all([first, ...all]);
    const fates = await Promise.all(late);
    expect(fates.slice(0, 3)).toEqual(['late 0', 'late 1', 'late 2']);
    expect(fates.at(-1)).toBe('unavailable 2');
  });

  it('refuses them while a hash runs longer than two seconds, too', async () => {
    const dear = hash('dear', unknown('a'));
    const other = fate(hash('other', known('b')));
    clock.advance(2000);
    expect(await other).toBe('unavailable 2');
    await finish();
    expect([await dear, begun]).toEqual(['dear', ['dear']]);
  });

  it('does not overestimate the wait after one slow hash', async () => {
    await queue.run(async () => clock.advance(60_000));
    const all = [fate(hash('first', unknown('a'))), fate(hash('second', unknown('b')))];
    await finish();
    expect(await Promise.all(all)).toEqual(['first', 'second']);
  });

  it('drops the requests of a disconnected client', async () => {
    const closing = new AbortController();
    const all = [fate(hash('first', unknown('a'))), fate(hash('gone', unknown('b', closing.signal)))];
    all.push(fate(hash('third', unknown('c'))));
    closing.abort();
    expect(await all[1]).toBe('unavailable 1');
    all.push(fate(hash('too late', unknown('b', closing.signal))));
    await finish();
    expect(await Promise.all(all)).toEqual(['first', 'unavailable 1', 'third', 'unavailable 1']);
    expect(begun).toEqual(['first', 'third']);
  });

  it('leaves no listener on a connection', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const counted: AbortSignal = Object.assign(signal, {
      addEventListener: () => {
        listeners += 1;
      },
      removeEventListener: () => {
        listeners -= 1;
      },
    });
    const all = Array.from({ length: 30 }, (_, n) => fate(hash(`${n}`, unknown('a', counted))));
    expect(listeners).toBe(20);
    await finish();
    await Promise.all(all);
    expect(listeners).toBe(0);
  });

  it('neither refuses nor drops later hashes of a request that has begun', async () => {
    const closing = new AbortController();
    const attempt = unknown('a', closing.signal);
    const first = hash('first reading', attempt);
    await finish();
    await first;
    const flood = Array.from({ length: 30 }, (_, n) => fate(hash(`flood ${n}`, unknown('b'))));
    const other = fate(hash('another attempt', unknown('a', closing.signal)));
    closing.abort();
    const second = hash('second reading', attempt);
    clock.advance(10_000);
    await finish();
    expect(await Promise.all([second, other])).toEqual(['second reading', 'unavailable 1']);
    await Promise.all(flood);
  });

  it('never refuses the program itself', async () => {
    const flood = Array.from({ length: 30 }, (_, n) => fate(hash(`flood ${n}`, unknown('a'))));
    const own = Array.from({ length: 50 }, (_, n) => fate(hash(`own ${n}`)));
    await finish();
    expect((await Promise.all(own)).every((one) => one.startsWith('own'))).toBe(true);
    await Promise.all(flood);
  });

  it('warns at the first refusal, and then once a minute with their number', async () => {
    const flood = () => Array.from({ length: 31 }, (_, n) => fate(hash(`${n}`, unknown('a'))));
    await Promise.all([...flood(), finish()]);
    const logged = () => log.lines.map(({ fields }) => fields?.times);
    expect(logged()).toEqual([1]);
    clock.advance(60_000);
    await Promise.all([...flood(), finish()]);
    expect(logged()).toEqual([1, 11]);
  });
});

/** Simulates a minute with requests of unknown callers, and a known user each second. @returns the waits of the known users */
async function minuteOf(perSecond: number, callerOf: (n: number) => string): Promise<readonly number[]> {
  const waits: number[] = [];
  let n = 0;
  for (let tick = 0; tick < 600; tick += 1) {
    for (; n < (tick + 1) * (perSecond / 10); n += 1) void fate(hash('unknown', unknown(callerOf(n))));
    if (tick % 10 === 0) {
      const came = clock.now();
      const done = fate(hash('user', known('vpn')));
      void done.then((end) => waits.push(end === 'user' ? clock.now() - came : Number.POSITIVE_INFINITY));
    }
    await nextTurn();
    endOne();
  }
  await finish();
  return waits.sort((a, b) => a - b);
}

describe('hashing queue at fifty requests of unknown callers a second, five times its capacity', () => {
  it.each([
    ['from one address', () => 'a'],
    ['from as many addresses', (n: number) => `a${n}`],
  ])('serves known users within three seconds, %s', async (_, callerOf) => {
    const waits = await minuteOf(50, callerOf);
    expect(waits).toHaveLength(60);
    expect(waits[Math.floor(waits.length * 0.95)]).toBeLessThan(3000);
  });

  it('serves an unknown caller of another address, too', async () => {
    const flood = Array.from({ length: 500 }, () => fate(hash('flood', unknown('a'))));
    const other = fate(hash('other', unknown('b')));
    const came = clock.now();
    await nextTurn();
    endOne();
    await nextTurn();
    endOne();
    await nextTurn();
    endOne();
    expect([await other, clock.now() - came]).toEqual(['other', 3 * cost]);
    await finish();
    await Promise.all(flood);
  });
});
