import { describe, expect, it } from 'vitest';
import { assertTakes, usualPolicy } from './password-policy.ts';

const why = (password: string, policy = usualPolicy) =>
  assertTakes(policy, password).then(
    () => undefined,
    ({ detail }) => String(detail),
  );

describe('assertTakes', () => {
  it.each(['Password1', 'Ｐａｓｓｗｏｒｄ１', 'ｐassword1', 'QWERTYUIOP'])(
    'refuses %j as common',
    async (password) => {
      expect(await why(password)).toContain('one of the most common ones');
    },
  );

  it.each([
    ['spaces', ' '.repeat(9)],
    ['spaces that do not break', '\u00a0'.repeat(9)],
    ['one character', 'ñññññññññ'],
    ['a unit of two', 'xZxZxZxZx'],
    ['a unit of three', '7$k7$k7$k'],
    ['a unit of four', 'pq9!pq9!'],
    ['full-width letters again and again', 'ｘｚｘｚｘｚｘｚ'],
    ['letters upwards', 'EFGHIJKLMN'],
    ['letters downwards', 'nmlkjihgfe'],
    ['every second character', 'acegikmoq'],
  ])('refuses %s as a pattern', async (_, password) => {
    expect(await why(password)).toContain('repeats a few characters or counts them up or down');
    expect(await why(password, { ...usualPolicy, refusesCommon: false })).toBeUndefined();
  });

  it.each(['Correct-Horse-7', 'aaaabaaaa', 'abcdefgi', 'pq9!pq9?', 'пароль-и-соль', '密码很长很长的呢吧'])(
    'takes %j',
    async (password) => {
      expect(await why(password)).toBeUndefined();
    },
  );

  it('accepts a short text without a repetition when the policy allows it', async () => {
    expect(await why('k7$', { ...usualPolicy, minLength: 1 })).toBeUndefined();
  });
});
