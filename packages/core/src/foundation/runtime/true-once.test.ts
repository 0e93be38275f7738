import { expect, it } from 'vitest';
import { trueOnce } from './true-once.ts';

it('returns true on the first call of each function, false on later calls', () => {
  const [isFirst, isFirstElsewhere] = [trueOnce(), trueOnce()];
  expect([isFirst(), isFirst(), isFirst(), isFirstElsewhere()]).toEqual([true, false, false, true]);
});
