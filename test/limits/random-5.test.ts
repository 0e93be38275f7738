/** A fifth of the attempts, see random.ts: with rules that an installation may set otherwise. */
import { describe } from 'vitest';
import { randomAttempts } from './random.ts';

describe('the directory sees 12 wrong passwords in half an hour', () => {
  const config = { limits: { directory_failures: '12/30' } };
  const oracle = { directory: { most: 12, minutes: 30 } };
  // A reset leaves what the directory has seen: nothing decides what it is when the clock is set back.
  randomAttempts({ firstSeed: 201, runs: 10, attempts: 1000, isSteady: true, config, oracle });
});

describe('nothing is judged under a refusal', () => {
  const [config, oracle] = [{ limits: { judge_refused: false } }, { judgesRefused: false }];
  randomAttempts({ firstSeed: 301, runs: 10, attempts: 1000, config, oracle });
});
