import { expect, it } from 'vitest';
import { collectGarbage } from './memory.ts';

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
