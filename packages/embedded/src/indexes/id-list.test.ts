import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type IdList, idsIn, intersection, listOf, none, union } from './id-list.ts';

const ids = fc.uniqueArray(fc.integer({ min: 1, max: 40 })).map((all) => all.sort((a, b) => a - b));
const some = fc.array(ids, { minLength: 1, maxLength: 4 });
const from = fc.integer({ min: 0, max: 45 });

const lists = (all: readonly number[][]) => all.map(listOf);
const everyOther = (length: number, first: number) => Array.from({ length }, (_, index) => index * 2 + first);

/** A list that counts its seeks. */
function counting(list: IdList): { list: IdList; asked: () => number } {
  let times = 0;
  const seek = (id: number) => {
    times += 1;
    return list.seek(id);
  };
  return { list: { size: list.size, seek }, asked: () => times };
}

it('seeks the least id that is at least the given one', () => {
  fc.assert(
    fc.property(ids, from, (all, least) => {
      expect(listOf(all).seek(least)).toBe(all.find((id) => id >= least));
      expect([...idsIn(listOf(all))]).toEqual(all);
    }),
  );
});

it('intersects lists', () => {
  fc.assert(
    fc.property(some, (all) => {
      const inAll = all[0]?.filter((id) => all.every((its) => its.includes(id)));
      expect([...idsIn(intersection(lists(all), 1000))]).toEqual(inAll);
    }),
  );
});

it('returns an ordered superset of the intersection when leaps are few', () => {
  fc.assert(
    fc.property(some, fc.integer({ min: 0, max: 5 }), (all, leaps) => {
      const found = [...idsIn(intersection(lists(all), leaps))];
      const inAll = all[0]?.filter((id) => all.every((its) => its.includes(id)));
      expect(found).toEqual(expect.arrayContaining(inAll ?? []));
      expect(found).toEqual(
        [...new Set(all.flat())].filter((id) => found.includes(id)).sort((a, b) => a - b),
      );
    }),
  );
});

it('unites lists for seeks in any order', () => {
  fc.assert(
    fc.property(some, fc.array(from), (all, asked) => {
      const inAny = [...new Set(all.flat())].sort((a, b) => a - b);
      const united = union(lists(all));
      expect([...idsIn(united)]).toEqual(inAny);
      for (const least of asked) expect(united.seek(least)).toBe(inAny.find((id) => id >= least));
    }),
  );
});

it('has a size that is never too small', () => {
  fc.assert(
    fc.property(some, (all) => {
      for (const list of [union(lists(all)), intersection(lists(all), 3)]) {
        expect(list.size).toBeGreaterThanOrEqual([...idsIn(list)].length);
      }
    }),
  );
});

it('is empty without lists', () => {
  expect([union([]), intersection([], 1)].map((list) => [...idsIn(list)])).toEqual([[], []]);
  expect([...idsIn(none)]).toEqual([]);
});

it('seeks in a long list only at ids of a short one, within the limit of leaps', () => {
  const long = counting(listOf(everyOther(10_000, 1)));
  expect([...idsIn(intersection([long.list, listOf([7, 8001])], 100))]).toEqual([7, 8001]);
  expect(long.asked()).toBeLessThan(10);
  const odd = counting(listOf(everyOther(10_000, 1)));
  const even = counting(listOf(everyOther(10_000, 2)));
  expect(intersection([odd.list, even.list], 100).seek(0)).toBeLessThan(200);
  expect(odd.asked() + even.asked()).toBeLessThanOrEqual(100);
});
