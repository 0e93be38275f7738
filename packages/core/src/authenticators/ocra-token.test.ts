import { createSecretKey } from 'node:crypto';
import { expect, it } from 'vitest';
import { ocra } from '../foundation/oath/ocra.ts';
import { judgeOcra, suiteOf, usualSuite } from './ocra-token.ts';

const secret = Buffer.from('12345678901234567890');
const suite = suiteOf({ suite: usualSuite });
const now = 1_234_567_890_000;
const minute = 60_000;

/** Minutes that the clock of the token was ahead, and is now. */
it.each([
  { was: -9, is: 0, isRight: true },
  { was: 9, is: 0, isRight: true },
  { was: -9, is: -9, isRight: true },
  { was: 9, is: 11, isRight: true },
  { was: 9, is: 4, isRight: false },
  { was: -9, is: 3, isRight: false },
])(
  'a code with the time is right around where the clock was, and around the true time: %j',
  ({ was, is, isRight }) => {
    if (!suite) throw new Error('The usual suite is none');
    const question = '123456';
    const input = { question, counter: 0, time: now + is * minute };
    const code = ocra(createSecretKey(secret), suite, input);
    const token = { secret, suite: usualSuite, state: { counter: 0, drift: was } };
    const rules = { lookAhead: 25, timeWindow: 120 };
    const judged = judgeOcra(token, code, { question, rules, now, accepted: undefined });
    expect(judged !== undefined).toBe(isRight);
  },
);
