import { expect, it } from 'vitest';
import { QuickDisk } from './quick-disk.ts';

/** Whether the changes that come, so many at a time, may be written in this thread. */
const asked = (disk: QuickDisk, now: number, ...together: number[]): boolean[] =>
  together.map((count) => disk.isFor(count, now));

it('is for those who come alone, one after the other', () => {
  const disk = new QuickDisk();
  expect(asked(disk, 0, 1, 1, 1, 1, 1, 1)).toEqual([false, false, false, false, true, true]);
  expect(asked(disk, 0, 2, 1, 1, 1, 1, 1)).toEqual([false, false, false, false, false, true]);
});

it('is for nobody for twenty times as long as a slow commit took', () => {
  const disk = new QuickDisk();
  asked(disk, 0, 1, 1, 1, 1);
  disk.took(0, 1.9);
  expect(asked(disk, 2, 1)).toEqual([true]);
  disk.took(1, 11);
  expect([...asked(disk, 11, 1), ...asked(disk, 210, 1), ...asked(disk, 211, 1)]).toEqual([
    false,
    false,
    true,
  ]);
});
