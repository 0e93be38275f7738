/** The contract of entry records, as a vitest suite without an engine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EntryRecords } from '../../ports/store/entry-records.ts';

export interface EntryRecordsFixture {
  readonly records: EntryRecords;
  /** Opens the same records again, as after a crash of the process, or from another one. */
  another(): Promise<EntryRecords>;
  /** Closes the records with all that runs for them. */
  dispose(): Promise<void>;
}

/**
 * Declares the contract of {@link EntryRecords} as a suite of vitest.
 * @param name the name of the engine in the titles of the tests
 * @param open opens a new fixture, which the suite disposes of after its last test; called once
 * @see docs/architecture.md#write-an-engine-of-a-port
 * @example
 * ```ts
 * import { openEntryRecords, openEnvironment } from '@watchword/embedded';
 * import { entryRecordsContract } from '@watchword/core/testing';
 *
 * entryRecordsContract('embedded', async () => {
 *   const environment = await openEnvironment('./records');
 *   const another = async () => openEntryRecords(environment);
 *   return { records: await another(), another, dispose: () => environment.close() };
 * });
 * ```
 */
export function entryRecordsContract(name: string, open: () => Promise<EntryRecordsFixture>): void {
  describe(`entry records contract: ${name}`, () => {
    let fixture: EntryRecordsFixture;
    beforeAll(async () => {
      fixture = await open();
    });
    afterAll(() => fixture?.dispose());

    const put = (entry: string, before: string | undefined, after: string | undefined) =>
      fixture.records.swap(entry, { before, after });
    const read = async (entry: string) => (await fixture.records.read([entry])).get(entry);

    it('has nothing of an entry that nobody wrote of', async () => {
      expect(await fixture.records.read(['never', 'neither'])).toEqual(new Map());
      expect(await fixture.records.read([])).toEqual(new Map());
    });

    it('gives back what was written, of many entries at once', async () => {
      const long = `${'é\u0000"\\\n'.repeat(20_000)}😀`;
      expect(await put('one', undefined, 'first')).toBe(true);
      expect(await put('two', undefined, long)).toBe(true);
      expect(await put('empty', undefined, '')).toBe(true);
      expect(await fixture.records.read(['two', 'none', 'one', 'empty'])).toEqual(
        new Map([
          ['one', 'first'],
          ['two', long],
          ['empty', ''],
        ]),
      );
    });

    it('changes only what is as it was thought to be', async () => {
      await put('swapped', undefined, 'a');
      expect(await put('swapped', 'b', 'c')).toBe(false);
      expect(await put('swapped', undefined, 'c')).toBe(false);
      expect(await put('swapped', 'a', 'b')).toBe(true);
      expect(await put('swapped', 'b', 'b')).toBe(true);
      expect(await read('swapped')).toBe('b');
      expect(await put('missing', 'a', 'b')).toBe(false);
      expect(await put('missing', '', 'b')).toBe(false);
      expect(await read('missing')).toBeUndefined();
    });

    it('forgets what is to be forgotten', async () => {
      await put('gone', undefined, 'a');
      expect(await put('gone', 'b', undefined)).toBe(false);
      expect(await put('gone', 'a', undefined)).toBe(true);
      expect(await read('gone')).toBeUndefined();
      expect(await put('gone', undefined, undefined)).toBe(true);
      expect(await put('gone', undefined, 'again')).toBe(true);
    });

    it('lets one of many through who begin at the same text, on two nodes', async () => {
      const other = await fixture.another();
      for (let round = 0; round < 20; round += 1) {
        const before = await read('raced');
        const swaps = Array.from({ length: 50 }, (_, index) =>
          (index % 2 === 0 ? fixture.records : other).swap('raced', { before, after: `${round}:${index}` }),
        );
        const winners = (await Promise.all(swaps)).flatMap((won, index) => (won ? [index] : []));
        expect(winners).toHaveLength(1);
        expect(await read('raced')).toBe(`${round}:${winners[0]}`);
      }
      await other.close();
    });

    it('has all there are, a few at a time, while they are written', async () => {
      const names = Array.from({ length: 1000 }, (_, n) => `every ${n}`);
      await Promise.all(names.map((name) => put(name, undefined, name)));
      const seen: string[] = [];
      let largest = 0;
      for await (const page of fixture.records.all()) {
        largest = Math.max(largest, page.size);
        for (const [name, text] of page) {
          if (!name.startsWith('every ')) continue;
          expect(text).toBe(name);
          seen.push(name);
          await put(name, text, `${text}, changed`);
        }
      }
      expect(seen.sort()).toEqual(names.sort());
      expect(largest).toBeLessThan(1000);
    });

    it('is the same after it was opened anew', async () => {
      await put('kept', undefined, 'text');
      const other = await fixture.another();
      expect((await other.read(['kept'])).get('kept')).toBe('text');
      await other.close();
    });
  });
}
