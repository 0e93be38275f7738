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

it('is for nobody for twenty times as long as a commit took on a slow disk', () => {
  const disk = new QuickDisk();
  asked(disk, 0, 1, 1, 1, 1);
  disk.took(0, 20);
  expect([...asked(disk, 20, 1), ...asked(disk, 419, 1), ...asked(disk, 420, 1)]).toEqual([
    false,
    false,
    true,
  ]);
  disk.took(420, 423);
  expect([...asked(disk, 423, 1), ...asked(disk, 482, 1), ...asked(disk, 483, 1)]).toEqual([
    false,
    false,
    true,
  ]);
  disk.took(483, 484);
  expect(asked(disk, 484, 1)).toEqual([true]);
});

it('is quick in spite of a slow commit now and then', () => {
  const disk = new QuickDisk();
  asked(disk, 0, 1, 1, 1, 1);
  for (let now = 0; now < 1000; now += 100) {
    for (let n = 0; n < 20; n += 1) disk.took(now, now + 0.6);
    disk.took(now, now + 10);
    expect(asked(disk, now + 10, 1)).toEqual([true]);
  }
});
