import { expect, it } from 'vitest';
import { InlineCommit } from './inline-commit.ts';

/** Returns whether commits of these numbers of changes are allowed. */
const asked = (commits: InlineCommit, now: number, ...changes: number[]): boolean[] =>
  changes.map((count) => commits.isAllowed(count, now));

it('allows changes that come alone after four others in a row that did', () => {
  const commits = new InlineCommit();
  expect(asked(commits, 0, 1, 1, 1, 1, 1, 1)).toEqual([false, false, false, false, true, true]);
  expect(asked(commits, 0, 2, 1, 1, 1, 1, 1)).toEqual([false, false, false, false, false, true]);
});

it('refuses for twenty times the length of a slow commit', () => {
  const commits = new InlineCommit();
  asked(commits, 0, 1, 1, 1, 1);
  commits.record(0, 20);
  expect([...asked(commits, 20, 1), ...asked(commits, 419, 1), ...asked(commits, 420, 1)]).toEqual([
    false,
    false,
    true,
  ]);
  commits.record(420, 423);
  expect([...asked(commits, 423, 1), ...asked(commits, 482, 1), ...asked(commits, 483, 1)]).toEqual([
    false,
    false,
    true,
  ]);
  commits.record(483, 484);
  expect(asked(commits, 484, 1)).toEqual([true]);
});

it('allows a change after one slow commit among quick ones', () => {
  const commits = new InlineCommit();
  asked(commits, 0, 1, 1, 1, 1);
  for (let now = 0; now < 1000; now += 100) {
    for (let n = 0; n < 20; n += 1) commits.record(now, now + 0.6);
    commits.record(now, now + 10);
    expect(asked(commits, now + 10, 1)).toEqual([true]);
  }
});
