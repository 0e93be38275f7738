import { getHeapSpaceStatistics } from 'node:v8';
import { describe, expect, it, vi } from 'vitest';
import { weaklyCached } from '../../../core/src/table/schema/zod.ts';
import { collectGarbage, collectGarbageWhenIdle, disablePretenuring } from './memory.ts';

const megabyte = 2 ** 20;
const used = () => process.memoryUsage().heapUsed;

it('collects garbage, and keeps objects in use', () => {
  collectGarbage();
  const before = used();
  const make = () => Array.from({ length: 500_000 }, (_, n) => ({ n, text: `number ${n}` }));
  const kept: { all: unknown[] | undefined } = { all: make() };
  collectGarbage();
  expect(used() - before).toBeGreaterThan(20 * megabyte);
  expect(kept.all).toHaveLength(500_000);
  kept.all = undefined;
  collectGarbage();
  expect(used() - before).toBeLessThan(10 * megabyte);
});

it('leaves no global gc function', () => {
  collectGarbage();
  expect('gc' in globalThis).toBe(false);
});

it('collects the garbage of work when the process is idle, and not before', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let total = 0;
  const usage = vi
    .spyOn(process, 'cpuUsage')
    .mockImplementation((before) => ({ user: total - (before?.user ?? 0), system: 0 }));
  const end = collectGarbageWhenIdle();
  /** @param spent microseconds until the next check @returns whether the garbage is kept */
  const leaves = (spent: number) => {
    collectGarbage();
    const before = used();
    const kept: { all: unknown[] | undefined } = { all: undefined };
    kept.all = Array.from({ length: 500_000 }, (_, n) => ({ n, text: `number ${n}` }));
    kept.all = undefined;
    total += spent;
    vi.advanceTimersByTime(1000);
    return used() - before > 10 * megabyte;
  };
  try {
    const rests = (looks: number) => vi.advanceTimersByTime(looks * 1000);
    expect(leaves(0), 'it has started a moment ago').toBe(true);
    expect(leaves(0), 'it rests').toBe(false);
    rests(2);
    expect(leaves(50_000), 'it does something, and it is to be done once more all the same').toBe(true);
    rests(7);
    expect(leaves(0), 'once more').toBe(false);
    expect(leaves(400_000), 'it works').toBe(true);
    rests(6);
    expect(leaves(0), 'too little to be worth it').toBe(true);
    expect(leaves(2_000_000), 'it works').toBe(true);
    expect(leaves(0), 'it may work again at once').toBe(true);
    expect(leaves(0), 'it rests').toBe(false);
    rests(5);
    expect(leaves(0), 'once more').toBe(false);
    expect(leaves(0), 'and has not worked since').toBe(true);
    expect(leaves(10_000_000), 'it works').toBe(true);
    expect(leaves(0), 'it may work again').toBe(true);
    expect(leaves(0), 'it rests, and has started long ago').toBe(true);
    rests(57);
    expect(leaves(0), 'it has rested for a minute').toBe(false);
    rests(5);
    expect(leaves(0), 'once more').toBe(false);
    expect(leaves(0), 'and has not worked since').toBe(true);
  } finally {
    end();
    vi.useRealTimers();
    usage.mockRestore();
  }
});

it('collects lazily created values, which are created again', async () => {
  let times = 0;
  const one = weaklyCached(() => {
    times += 1;
    return { times };
  });
  expect([one().times, one().times]).toEqual([1, 1]);
  // A weak reference is strong until the end of the turn.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(one()).toEqual({ times: 2 });
});

describe('heap under load', () => {
  /** @returns the peak of the old generation in bytes, after allocations of 80 MB */
  const mostKept = (begin: (id: number, item: object) => unknown, end: (id: number) => unknown): number => {
    collectGarbage();
    const before = oldBytes();
    let most = 0;
    for (let id = 0; id < 100_000; id += 1) {
      begin(id, { numbers: Array.from({ length: 100 }, (_, n) => n + 0.5) });
      end(id - 16);
      if (id % 1000 === 0) most = Math.max(most, oldBytes() - before);
    }
    return most;
  };

  it('keeps no objects of a list in the old generation, as those of a Map', () => {
    disablePretenuring();
    const [list, map]: [object[], Map<number, object>] = [[], new Map()];
    const ofList = mostKept(
      (_, item) => list.push(item),
      (id) => id >= 0 && list.shift(),
    );
    const ofMap = mostKept(
      (id, item) => map.set(id, item),
      (id) => map.delete(id),
    );
    expect(ofList).toBeLessThan(20 * megabyte);
    expect(ofMap, 'a Map is as good now').toBeGreaterThan(2 * ofList);
  });
});

const oldBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0;
