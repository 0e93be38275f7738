import { expect, it } from 'vitest';
import { TestClock } from '../testing/test-clock.ts';
import { tooMany, waitOut } from './refusal-answer.ts';

it.each([
  ['at once', 0, 1000, 1000],
  ['within a step', 400, 1000, 600],
  ['after a whole step', 1000, 1000, 0],
  ['after more than one', 1001, 1000, 999],
  ['by a clock that was set back', -5000, 1000, 6000],
  ['without a step', 700, 0, 0],
])('keeps back what is answered %s', async (_, passed, step, slept) => {
  const clock = new TestClock();
  await waitOut(clock.now() - passed, step, clock);
  expect(clock.slept).toEqual([slept]);
});

it.each([
  [90, { detail: 'try again in 90 seconds', retryAfter: 90 }],
  [undefined, { detail: 'until an administrator lifts it', retryAfter: undefined }],
])('says when a refusal ends: %s', (seconds, said) => {
  const { reason, detail, retryAfter } = tooMany(seconds);
  expect({ reason, detail, retryAfter }).toEqual({ reason: 'too_many_attempts', ...said });
});
