/** Wait queues: their order, their patience, and who gives way. */
import { beforeEach, describe, expect, it } from 'vitest';
import { GatedClock } from '../../testing/test-clock.ts';
import { type Tried, usualPatience, type Waiting, WaitQueues } from './wait-queue.ts';

let clock: GatedClock;
let queues: WaitQueues;
let entered: string[];
/** Number that may enter. */
let room: number;
beforeEach(() => {
  clock = new GatedClock();
  queues = new WaitQueues(clock);
  entered = [];
  room = 0;
});

const settled = () => new Promise((resolve) => setImmediate(resolve));
const waiting = <T>(attempt: Waiting<T>['attempt'], more: Partial<Waiting<T>> = {}): Waiting<T> => ({
  ...{ most: 2, rank: { failures: 0, turnedAway: 0 }, patience: usualPatience, signal: undefined, attempt },
  ...more,
});

/** Waits for room. */
const enter = (name: string, more: Partial<Waiting<string>> = {}) =>
  queues.enter(
    'a',
    waiting(async (): Promise<Tried<string>> => {
      if (room === 0) return { waitFor: 20 };
      room -= 1;
      entered.push(name);
      return { entered: name };
    }, more),
  );

/** There is room from now on. */
async function open(): Promise<void> {
  room = 9;
  queues.wake('a');
  await settled();
}

it('is free when none waits, each key separately', async () => {
  queues.wake('a');
  expect([queues.isFree('a'), queues.waiting]).toEqual([true, 0]);
  const first = enter('first');
  expect([queues.isFree('a'), queues.isFree('b'), queues.waiting]).toEqual([false, true, 0]);
  const second = enter('second');
  expect(queues.waiting).toBe(1);
  await settled();
  queues.wake('b');
  await open();
  expect([await first, await second, queues.isFree('a'), queues.waiting]).toEqual([
    'first',
    'second',
    true,
    0,
  ]);
});

it('tries again when it is woken, or after the time of its last try', async () => {
  const first = enter('first');
  await settled();
  expect(clock.slept).toEqual([20]);
  room = 1;
  await settled();
  expect(entered).toEqual([]);
  clock.wakeAll();
  expect(await first).toBe('first');
});

describe('the order', () => {
  it('is by failures, then by times turned away, then by time', async () => {
    const rank = (failures: number, turnedAway: number) => ({ most: 9, rank: { failures, turnedAway } });
    const all = [enter('first')];
    for (const [name, failures, turnedAway] of [
      ['failed', 1, 0],
      ['turned away', 0, 1],
      ['came third', 0, 0],
      ['came fourth', 0, 0],
    ] as const) {
      clock.advance(1);
      all.push(enter(name, rank(failures, turnedAway)));
    }
    await settled();
    await open();
    await Promise.all(all);
    expect(entered).toEqual(['first', 'came third', 'came fourth', 'turned away', 'failed']);
  });

  it('drops the last when there is no room', async () => {
    const failed = { rank: { failures: 1, turnedAway: 0 } };
    const all = [enter('first'), enter('failed', failed), enter('second'), enter('third')];
    expect(await all[1]).toBeUndefined();
    await settled();
    await open();
    expect(await Promise.all(all)).toEqual(['first', undefined, 'second', 'third']);
  });
});

describe('a client that has disconnected', () => {
  it('leaves the queue to the others', async () => {
    const controller = new AbortController();
    const leaving = { signal: controller.signal };
    const [first, second] = [enter('first'), enter('second', leaving)];
    const third = enter('third');
    controller.abort();
    await expect(second).rejects.toMatchObject({ reason: 'unavailable' });
    expect(queues.waiting).toBe(1);
    await settled();
    await open();
    expect([await first, await third]).toEqual(['first', 'third']);
  });

  it('is not tried at the front either, and takes no other out of the queue', async () => {
    const controller = new AbortController();
    const leaving = { signal: controller.signal };
    const first = enter('first', leaving);
    const [second, third] = [enter('second', leaving), enter('third')];
    await settled();
    room = 1;
    queues.wake('a');
    expect(await first).toBe('first');
    await settled();
    controller.abort();
    clock.wakeAll();
    await expect(second).rejects.toMatchObject({ reason: 'unavailable' });
    await open();
    expect(await third).toBe('third');
    await expect(enter('late', leaving)).rejects.toMatchObject({ reason: 'unavailable' });
  });
});

describe('patience', () => {
  /** Looks each time the clock went on by so much. */
  async function looks(pauses: readonly number[]): Promise<number> {
    let count = 0;
    const entering = queues.enter(
      'a',
      waiting(async (): Promise<Tried<string>> => {
        count += 1;
        return { waitFor: 20 };
      }),
    );
    for (const pause of pauses) {
      await settled();
      clock.advance(pause);
      clock.wakeAll();
    }
    expect(await entering).toBeUndefined();
    return count;
  }

  it('ends after ten seconds', async () => {
    expect(await looks([9999, 1, 1])).toBe(3);
    expect(await looks([4000, 4000, 4000])).toBe(3);
  });

  it('hands the end of the patience to each try', async () => {
    const until = await queues.enter(
      'a',
      waiting(async (_, end) => ({ entered: end - clock.now() })),
    );
    expect(until).toBe(usualPatience);
  });
});

describe('a pace', () => {
  /** @param clockToo the clock goes on while it waits */
  async function times(clockToo: number): Promise<readonly number[]> {
    const came = clock.now();
    const all: number[] = [];
    const entering = queues.enter(
      'a',
      waiting(async (now): Promise<Tried<string>> => {
        all.push(now - came);
        const wait = [1000, 1500][all.length - 1];
        return wait === undefined ? { entered: 'in' } : { waitForPace: wait };
      }),
    );
    for (let n = 0; n < 2; n += 1) {
      await settled();
      queues.wake('a');
      await settled();
      clock.advance(clockToo);
      clock.wakeAll();
    }
    expect(await entering).toBe('in');
    return all;
  }

  it('is waited for in full when the clock does not move', async () => {
    expect(await times(0)).toEqual([0, 1000, 2500]);
    expect(clock.slept).toEqual([1000, 1500]);
  });

  it('is measured from the try that set it', async () => {
    expect(await times(1200)).toEqual([0, 1200, 2700]);
    expect(await times(5000)).toEqual([0, 5000, 10_000]);
  });

  it('ends the wait when it is too long', async () => {
    expect(
      await queues.enter(
        'a',
        waiting(async () => ({ over: true })),
      ),
    ).toBeUndefined();
    expect(queues.isFree('a')).toBe(true);
  });
});
