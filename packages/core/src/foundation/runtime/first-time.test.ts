import { expect, it } from 'vitest';
import { firstTime } from './first-time.ts';

it('is true once, for each who asks for one', () => {
  const [isFirst, isFirstElsewhere] = [firstTime(), firstTime()];
  expect([isFirst(), isFirst(), isFirst(), isFirstElsewhere()]).toEqual([true, false, false, true]);
});
