/** Printed lists: every code once, in any order. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { systemRandom } from '../../../../node/src/machine/index.ts';
import { codesOf, judgeListCode, listChanges, listUse, makeList, readList } from './list.ts';

const shape = { digits: 6, size: 100, secretLength: 20 };

it('has the codes of the first counters of its secret', () => {
  const list = makeList({ ...shape, size: 20 }, systemRandom);
  const input = Buffer.from(list.secret).toString('hex');
  const theirs = execFileSync('oathtool', ['--hotp', '--window=19', '-'], { input, encoding: 'utf8' });
  expect(codesOf(list)).toEqual(theirs.trim().split('\n'));
});

it('has no code twice, though chance would have it', () => {
  // With this many secrets, one in two hundred would bring a code twice.
  for (let round = 0; round < 300; round += 1)
    expect(new Set(codesOf(makeList(shape, systemRandom))).size).toBe(100);
});

it('is stored and read, with each code good once in any order', () => {
  const orders = fc.shuffledSubarray(Array.from({ length: 13 }, (_, position) => position));
  fc.assert(
    fc.property(orders, (order) => {
      const first = makeList({ digits: 8, size: 13, secretLength: 32 }, systemRandom);
      const codes = codesOf(first);
      const data = new Map(listChanges(first));
      const stored = { get: (key: string) => data.get(key) ?? undefined };
      const read = () => readList(stored);
      for (const position of order) {
        const list = read();
        expect(list && judgeListCode(list, codes[position] ?? '')).toBe(position);
        for (const [key, value] of list ? listUse(stored, list, position) : []) data.set(key, value);
        expect(judgeListCode(read() ?? first, codes[position] ?? '')).toBeUndefined();
      }
      expect(read()).toEqual({ ...first, used: new Set(order) });
    }),
    { numRuns: 20 },
  );
});

it('is none where other bytes stand, and what is cut off counts as used', () => {
  const read = (state: number[]) =>
    readList({ get: (key) => (key === 'Otp.ListKey' ? Buffer.alloc(20) : Uint8Array.from(state)) });
  expect(read([])).toBeUndefined();
  expect(read([5, 20, 0, 0, 0])).toBeUndefined();
  expect(read([6, 20, 0])?.used.size).toBe(12);
  expect(readList({ get: () => undefined })).toBeUndefined();
});
