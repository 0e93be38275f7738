import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Asker } from '../../../core/src/ports/directory/directory.ts';
import { KeptLog } from '../../../core/src/testing/kept-log.ts';
import { TestClock } from '../../../core/src/testing/test-clock.ts';
import { HashingQueue } from './hashing-queue.ts';

/** Milliseconds that one takes here. */
const cost = 100;

let clock: TestClock;
let log: KeptLog;
let queue: HashingQueue;
/** What is being hashed, and ends when it is called. */
let running: { name: string; end: () => void }[];
/** In the order in which they were begun. */
let begun: string[];

beforeEach(async () => {
  clock = new TestClock();
  log = new KeptLog();
  queue = new HashingQueue(1, { clock, log });
  [running, begun] = [[], []];
  // So often that the measure is what it takes here.
  for (let n = 0; n < 60; n += 1) await queue.run(async () => clock.advance(cost));
});

const stranger = (caller: string, signal?: AbortSignal): Asker => ({ caller, isKnown: false, signal });
const known = (caller: string): Asker => ({ caller, isKnown: true });

function hash(name: string, asker?: Asker): Promise<string> {
  return queue.run(
    () =>
      new Promise((resolve) => {
        begun.push(name);
        running.push({ name, end: () => resolve(name) });
      }),
    asker,
  );
}

/** The reason for which one is refused, or its name when it has been hashed. */
const fate = (hashed: Promise<string>): Promise<string> =>
  hashed.catch((error: { reason?: string; retryAfter?: number }) => `${error.reason} ${error.retryAfter}`);

/** Time passes until nothing waits any more. */
async function finish(): Promise<void> {
  for (await nextTurn(); running.length > 0; await nextTurn()) endOne();
}

function endOne(): void {
  clock.advance(cost);
  running.shift()?.end();
}

describe('passwords that wait to be hashed', () => {
  it('are taken from one caller after the other, however many each has sent', async () => {
    const flood = Array.from({ length: 15 }, (_, n) => fate(hash(`flood ${n}`, stranger('a'))));
    const others = [hash('second', stranger('b')), hash('third', stranger('c'))];
    await finish();
    await Promise.all([...flood, ...others]);
    expect(begun.slice(0, 4)).toEqual(['flood 0', 'flood 1', 'second', 'third']);
  });

  it('are of those who are known first, and every fourth a stranger’s', async () => {
    const all = [hash('first', stranger('a'))];
    for (let n = 0; n < 3; n += 1) all.push(hash('stranger', stranger('a')));
    for (let n = 0; n < 5; n += 1) all.push(hash('known', known('b')));
    await finish();
    await Promise.all(all);
    const rest = ['known', 'known', 'stranger', 'stranger'];
    expect(begun).toEqual(['first', 'known', 'known', 'known', 'stranger', ...rest]);
  });

  it('are refused at once where the wait would pass two seconds, of the caller who has sent too many', async () => {
    const flood = Array.from({ length: 30 }, (_, n) => fate(hash(`flood ${n}`, stranger('a'))));
    const other = fate(hash('other', stranger('b')));
    expect(await Promise.race(flood.slice(25))).toBe('unavailable 3');
    await finish();
    expect(await other).toBe('other');
    const fates = await Promise.all(flood);
    // One was under way; twenty times a tenth of a second is two seconds, and the other came before some of them.
    expect(fates.filter((one) => one.startsWith('flood'))).toHaveLength(19);
    expect(begun).toHaveLength(20);
  });

  it('are refused when they have waited for two seconds, because others came before them', async () => {
    const first = hash('first', known('a'));
    const late = Array.from({ length: 15 }, (_, n) => fate(hash(`late ${n}`, stranger('b'))));
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

  it('are refused also while one takes longer than all of them can wait', async () => {
    const dear = hash('dear', stranger('a'));
    const other = fate(hash('other', known('b')));
    clock.advance(2000);
    expect(await other).toBe('unavailable 2');
    await finish();
    expect([await dear, begun]).toEqual(['dear', ['dear']]);
  });

  it('are not thought dear for one that is', async () => {
    await queue.run(async () => clock.advance(60_000));
    const all = [fate(hash('first', stranger('a'))), fate(hash('second', stranger('b')))];
    await finish();
    expect(await Promise.all(all)).toEqual(['first', 'second']);
  });

  it('are given up by whoever has gone, and never begun', async () => {
    const closing = new AbortController();
    const all = [fate(hash('first', stranger('a'))), fate(hash('gone', stranger('b', closing.signal)))];
    all.push(fate(hash('third', stranger('c'))));
    closing.abort();
    expect(await all[1]).toBe('unavailable 1');
    all.push(fate(hash('too late', stranger('b', closing.signal))));
    await finish();
    expect(await Promise.all(all)).toEqual(['first', 'unavailable 1', 'third', 'unavailable 1']);
    expect(begun).toEqual(['first', 'third']);
  });

  it('keep no hold on a connection that stays', async () => {
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
    const all = Array.from({ length: 30 }, (_, n) => fate(hash(`${n}`, stranger('a', counted))));
    expect(listeners).toBe(20);
    await finish();
    await Promise.all(all);
    expect(listeners).toBe(0);
  });

  it('are neither refused nor given up where something of the attempt was judged', async () => {
    const closing = new AbortController();
    const attempt = stranger('a', closing.signal);
    const first = hash('first reading', attempt);
    await finish();
    await first;
    const flood = Array.from({ length: 30 }, (_, n) => fate(hash(`flood ${n}`, stranger('b'))));
    const other = fate(hash('another attempt', stranger('a', closing.signal)));
    closing.abort();
    const second = hash('second reading', attempt);
    clock.advance(10_000);
    await finish();
    expect(await Promise.all([second, other])).toEqual(['second reading', 'unavailable 1']);
    await Promise.all(flood);
  });

  it('of this program itself wait as long as it takes', async () => {
    const flood = Array.from({ length: 30 }, (_, n) => fate(hash(`flood ${n}`, stranger('a'))));
    const own = Array.from({ length: 50 }, (_, n) => fate(hash(`own ${n}`)));
    await finish();
    expect((await Promise.all(own)).every((one) => one.startsWith('own'))).toBe(true);
    await Promise.all(flood);
  });

  it('tell the operator at once, and then once a minute how many were refused', async () => {
    const flood = () => Array.from({ length: 31 }, (_, n) => fate(hash(`${n}`, stranger('a'))));
    await Promise.all([...flood(), finish()]);
    const told = () => log.lines.map(({ fields }) => fields?.times);
    expect(told()).toEqual([1]);
    clock.advance(60_000);
    await Promise.all([...flood(), finish()]);
    expect(told()).toEqual([1, 11]);
  });
});

/** Of a minute: so many requests of strangers a second, and one known user a second; how long each of the latter waited. */
async function minuteOf(strangers: number, callerOf: (n: number) => string): Promise<readonly number[]> {
  const waits: number[] = [];
  let n = 0;
  for (let tick = 0; tick < 600; tick += 1) {
    for (; n < (tick + 1) * (strangers / 10); n += 1) void fate(hash('stranger', stranger(callerOf(n))));
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

describe('fifty requests of strangers in a second, five times what can be hashed', () => {
  it.each([
    ['from one address', () => 'a'],
    ['from as many addresses', (n: number) => `a${n}`],
  ])('keep no known user waiting for three seconds, %s', async (_, callerOf) => {
    const waits = await minuteOf(50, callerOf);
    expect(waits).toHaveLength(60);
    expect(waits[Math.floor(waits.length * 0.95)]).toBeLessThan(3000);
  });

  it('keep no stranger of another address waiting either', async () => {
    const flood = Array.from({ length: 500 }, () => fate(hash('flood', stranger('a'))));
    const other = fate(hash('other', stranger('b')));
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
