import { expect, it, vi } from 'vitest';
import { collectAtRest, collectGarbage } from './memory.ts';

const megabyte = 2 ** 20;
const used = () => process.memoryUsage().heapUsed;

it('what nobody uses is given back, and what somebody does stays', () => {
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

it('the function that does it is nobody else’s', () => {
  collectGarbage();
  expect('gc' in globalThis).toBe(false);
});

it('what work has left is given back once there is a rest, and not before', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let total = 0;
  const usage = vi
    .spyOn(process, 'cpuUsage')
    .mockImplementation((before) => ({ user: total - (before?.user ?? 0), system: 0 }));
  const end = collectAtRest();
  /** @param spent microseconds until the next look @returns whether what is left behind stays */
  const leaves = (spent: number) => {
    collectGarbage();
    const before = used();
    const kept: { all: unknown[] | undefined } = { all: undefined };
    kept.all = Array.from({ length: 500_000 }, (_, n) => ({ n, text: `number ${n}` }));
    kept.all = undefined;
    total += spent;
    vi.advanceTimersByTime(2000);
    return used() - before > 10 * megabyte;
  };
  try {
    expect(leaves(0), 'too little work to be worth it').toBe(true);
    expect(leaves(0), 'too little work to be worth it').toBe(true);
    expect(leaves(2_000_000), 'it works').toBe(true);
    expect(leaves(0), 'it may work again at once').toBe(true);
    expect(leaves(0), 'it rests').toBe(false);
    expect(leaves(0), 'still').toBe(false);
    expect(leaves(0), 'and has not worked since').toBe(true);
    expect(leaves(10_000_000), 'it works').toBe(true);
    expect(leaves(0), 'it may work again').toBe(true);
    expect(leaves(0), 'it rests, and has started long ago').toBe(true);
    vi.advanceTimersByTime(27 * 2000);
    expect(leaves(0), 'it has rested for a minute').toBe(false);
    expect(leaves(0), 'still').toBe(false);
    expect(leaves(0), 'and has not worked since').toBe(true);
  } finally {
    end();
    vi.useRealTimers();
    usage.mockRestore();
  }
});
