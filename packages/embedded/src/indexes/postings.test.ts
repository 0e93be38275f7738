import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTables } from '../storage/snapshot.ts';
import { openTestDirectory, type TestDirectory } from '../testing/test-directory.ts';
import { idsIn } from './id-list.ts';
import { chunkSize, type PostingsTable, readPostings } from './postings.ts';
import { PostingsChange } from './postings-change.ts';

let opened: TestDirectory;
let table: PostingsTable;
beforeEach(async () => {
  opened = await openTestDirectory();
  table = openTables(opened.environment).postings;
});
afterEach(() => opened.dispose());

/** Adds and removes in one transaction, removals last. */
function change(
  key: string,
  { add = [], remove = [] }: { add?: number[]; remove?: number[] },
): Promise<void> {
  return opened.environment.write(() => {
    const postings = new PostingsChange();
    for (const id of add) postings.add(key, id);
    for (const id of remove) postings.remove(key, id);
    postings.apply(table);
  });
}

const read = (key: string) => [...idsIn(readPostings(table, key))];
const recordsOf = (key: string) => [...table.getKeys({ start: [key, 0], end: [key, Infinity] })];
const run = (first: number, length: number) => Array.from({ length }, (_, index) => first + index);

const stretch = fc
  .tuple(fc.integer({ min: 1, max: 6 * chunkSize }), fc.integer({ min: 1, max: 3 * chunkSize }))
  .map(([first, length]) => run(first, length));
const step = fc.oneof(stretch, fc.uniqueArray(fc.integer({ min: 1, max: 9 * chunkSize }), { maxLength: 50 }));

it('contains the ids that were added and not removed, in any chunks', async () => {
  let key = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ add: step, remove: step }), { maxLength: 6 }),
      fc.array(fc.integer({ min: 0, max: 9 * chunkSize }), { maxLength: 20 }),
      async (steps, asked) => {
        key += 1;
        const expected = new Set<number>();
        for (const { add, remove } of steps) {
          await change(`=x:${key}`, { add, remove });
          for (const id of add) expected.add(id);
          for (const id of remove) expected.delete(id);
          const ids = [...expected].sort((a, b) => a - b);
          expect(read(`=x:${key}`)).toEqual(ids);
          const list = readPostings(table, `=x:${key}`);
          for (const from of asked) expect(list.seek(from)).toBe(ids.find((id) => id >= from));
          expect(list.size).toBeGreaterThanOrEqual(ids.length);
        }
        await change(`=x:${key}`, { remove: [...expected] });
        expect(recordsOf(`=x:${key}`)).toEqual([]);
      },
    ),
    { numRuns: 100 },
  );
});

it('is one record for a few distant ids', async () => {
  await change('=x:few', { add: run(1, 300).map((n) => n * 1_000_000) });
  expect(recordsOf('=x:few')).toHaveLength(1);
});

it('has few more records than full chunks, when ids are added at once or one by one', async () => {
  const entries = 10 * chunkSize;
  await change('=x:at once', { add: run(1, entries) });
  for (let id = 1; id <= entries; id += 100) await change('=x:by and by', { add: run(id, 100) });
  for (const key of ['=x:at once', '=x:by and by']) {
    expect(recordsOf(key).length).toBeLessThanOrEqual(21);
  }
});

it('becomes one record again when most ids are removed', async () => {
  await change('=x:once many', { add: run(1, 5 * chunkSize) });
  await change('=x:once many', { remove: run(1, 5 * chunkSize - 3) });
  expect(read('=x:once many')).toEqual(run(5 * chunkSize - 2, 3));
  await change('=x:once many', { remove: run(5 * chunkSize - 2, 3) });
  expect(recordsOf('=x:once many')).toEqual([]);
});

it('refuses an id of more than 32 bits', () => {
  expect(() => new PostingsChange().add('=x:large', 2 ** 32)).toThrow(
    expect.objectContaining({ reason: 'too_large' }),
  );
});

it('is read from the snapshot, also after a pause', async () => {
  await change('=x:changing', { add: run(1, 4 * chunkSize) });
  using reading = opened.environment.read();
  const list = readPostings(table, '=x:changing', reading.transaction);
  expect(list.seek(0)).toBe(1);
  await change('=x:changing', { remove: run(1, 4 * chunkSize) });
  await reading.pause();
  expect([...idsIn(list)]).toEqual(run(1, 4 * chunkSize));
  expect(read('=x:changing')).toEqual([]);
});
