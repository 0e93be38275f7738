/** The checker of histories finds what it is for, in histories that were made up. */
import { expect, it } from 'vitest';
import { type Answer, faultsOf } from './history.ts';

type Shown = readonly [step: number, answer: Answer];

/** Of alice, one after the other. */
const faults = (recorded: number, ...shown: readonly Shown[]) => {
  const attempts = shown.map(([step, answer], index) => ({
    ...{ user: 'alice', step, answer },
    ...{ begun: 2 * index, ended: 2 * index + 1 },
  }));
  return faultsOf({ attempts, recorded: new Map([['alice', recorded]]) });
};

it('a code that is let in once, beside others that are not, is as it should be', () => {
  expect(faults(2, [1, 'granted'], [1, 'refused'], [2, 'unknown'], [3, 'granted'])).toEqual([]);
  expect(faults(3, [1, 'granted'], [2, 'unknown'], [3, 'granted'])).toEqual([]);
});

it('two codes that are shown at once are let in in any order', () => {
  const at = { user: 'alice', answer: 'granted' as const, begun: 0 };
  const attempts = [
    { ...at, step: 2, ended: 1 },
    { ...at, step: 1, ended: 2 },
  ];
  expect(faultsOf({ attempts, recorded: new Map([['alice', 2]]) })).toEqual([]);
});

const found: readonly (readonly [string, number, readonly Shown[], RegExp])[] = [
  [
    'a code that is let in twice',
    2,
    [
      [1, 'granted'],
      [1, 'granted'],
      [2, 'unknown'],
    ],
    /more than once/,
  ],
  [
    'an older code after a newer one',
    2,
    [
      [2, 'granted'],
      [1, 'granted'],
    ],
    /of 1 after that of 2/,
  ],
  ['an answer that is not on record', 0, [[1, 'granted']], /1 times, and 0 of them/],
  [
    'a record that nobody can have caused',
    2,
    [
      [1, 'granted'],
      [2, 'refused'],
    ],
    /2 logins .* and 1 codes/,
  ],
];
it.each(found)('finds %s', (_, recorded, shown, sentence) => {
  expect(faults(recorded, ...shown)).toEqual([expect.stringMatching(sentence)]);
});
