/** Values of the store that codes are judged by. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import { listChanges } from '../list/list.ts';
import { dataOf, type HolderOptions, hotpToken, keys, secret, userOf } from '../testing/holder.ts';
import { timeFloorKey } from '../token/time-floor.ts';
import type { CodeUser } from './authenticator.ts';
import { withSentCode } from './codes.ts';
import { knownCodesKeys, readKnown } from './known-codes.ts';
import { lastCodeKeyOf } from './last-code.ts';

describe('what is read', () => {
  const keysOf = (user: CodeUser) => new Set(knownCodesKeys(user));
  const wrongCodesOf = (user: CodeUser) =>
    user.authenticators.map((one) => 'wrongCodes' in one && one.wrongCodes);

  it('of a token is its wrong codes, its claims, the floor of the time, and the last code where it is good again', () => {
    const token: HolderOptions = { tokens: [hotpToken] };
    const user = userOf(token);
    const claims = user.authenticators.map((one) => 'claims' in one && one.claims);
    const known = [...wrongCodesOf(user), ...claims, timeFloorKey];
    expect(keysOf(user)).toEqual(new Set(known));
    const again = userOf({ ...token, settings: { LastOTPTime: '60' } });
    expect(keysOf(again)).toEqual(new Set([...known, lastCodeKeyOf(again)]));
  });

  it('of a list is its wrong codes', () => {
    const list = { secret, digits: 6, size: 2, used: new Set<number>() };
    const user = userOf({ settings: { OTPType: 'LIST' }, data: dataOf(listChanges(list)) });
    expect(keysOf(user)).toEqual(new Set(wrongCodesOf(user)));
  });

  it.each(['SMS', 'MAIL'] as const)('of a code by %s is its wrong codes, and which was the last', (kind) => {
    const sent = { kind, digest: '', last: 'sent:last' };
    const user = withSentCode(userOf({ settings: { OTPType: kind } }), sent, {
      session: 'A'.repeat(16),
      keys,
    });
    expect(keysOf(user)).toEqual(new Set([...wrongCodesOf(user), 'sent:last']));
  });
});

describe('what is known', () => {
  let node: Fixture;
  beforeAll(async () => {
    node = await openFixture();
  });
  afterAll(() => node.close());

  it('is read from the store without entering', async () => {
    const { store } = node.ports;
    await store.put('sent:one', Buffer.from('value'), 60);
    await store.claim('token:one', 7, 60);
    const known = await readKnown(['sent:one', 'token:one', 'token:none'], store);
    expect(Buffer.from(known.value('sent:one') ?? []).toString()).toBe('value');
    expect([known.claimed('token:one'), known.claimed('token:none')]).toEqual([7, undefined]);
  });
});
