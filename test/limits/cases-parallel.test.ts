/** Parallel requests outrun nothing, and a flood on a name keeps its owner waiting shortly (docs/concepts/limits.md#wait-queue). */
import { type Fixture, openFixture } from '@watchword/core/testing/bed';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { doors } from '../login/doors.ts';
import { addUser, give, token } from '../login/people.ts';
import { LeapingClock } from './clock.ts';
import type { Peer } from './nodes.ts';
import { atOnce, day, granted, refused, Stage, somewhere } from './stage.ts';

describe('17. five hundred at once, on both nodes', () => {
  let first: Fixture;
  let second: Fixture;
  const config = { ...atOnce, trusted_callers: ['192.0.2.0/24'] };
  beforeEach(async () => {
    first = await openFixture({ config });
    second = await first.another({ config });
    await addUser(first, 'carol', 'carols-Pa55word');
    await give(first, 'carol', token('TOTP'));
  });
  afterEach(async () => {
    await second.close();
    await first.close();
  });

  const asked = () =>
    [first, second].flatMap(({ directory }) => directory.asked).filter((one) => one === 'authenticate')
      .length;

  /** Over all doors of both nodes, each from a source of its own. */
  const rush = (fields: (n: number) => Readonly<Record<string, string>>) => {
    const ways = Object.values(doors).flatMap((open) => [first, second].map(({ service }) => open(service)));
    return Promise.all(
      Array.from({ length: 500 }, (_, n) => {
        const source = `198.51.${Math.floor(n / 250)}.${(n % 250) + 1}`;
        return ways[n % ways.length]?.('normalLogin', { username: 'carol', source, ...fields(n) });
      }),
    );
  };

  it('five wrong passwords are judged', async () => {
    const before = asked();
    const answers = await rush((n) => ({ ldapPassword: `wrong ${n}` }));
    expect(answers).toEqual(answers.map(() => refused));
    expect(asked() - before).toBe(5);
  });

  it('ten wrong codes behind the right password are judged, in a day', async () => {
    // Passwords go on being asked about, of somebody else: nobody is to see that it is in vain.
    const judged = () => first.events().filter(({ text }) => text.includes('wrong code')).length;
    const wrong = (n: number) => ({
      ldapPassword: 'carols-Pa55word',
      otpPassword: String(n).padStart(6, '0'),
    });
    for (let round = 0; round < 3; round += 1) {
      await rush(wrong);
      first.clock.advance(400_000);
    }
    expect(judged()).toBe(10);
    first.clock.advance(day);
    await rush(wrong);
    expect(judged()).toBeGreaterThan(10);
  });
});

describe('17. a flood on a name', () => {
  const clock = new LeapingClock();
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.open({}, { clock });
  });
  afterEach(() => stage.close());

  const hundred = Array.from({ length: 100 }, somewhere);
  /** Whoever has a /48 is somewhere else each time (RFC 6177). */
  let last = 0;
  const inOneSite = (): Peer => {
    last += 1;
    return { address: `2001:db8:7:${last.toString(16)}::1` };
  };

  it.each([
    ['100 addresses', 'a known place', 2000],
    ['100 addresses', 'a new place', 10_000],
    ['one /48 of IPv6', 'a known place', 2000],
    ['one /48 of IPv6', 'a new place', 10_000],
  ] as const)('from %s: its owner is granted at %s within %i ms', async (from, where, most) => {
    const isKnown = where === 'a known place';
    const [user, home] = [await stage.user(), somewhere()];
    if (isKnown) expect(await stage.ask(home, user, user.both())).toEqual(granted);
    let over = false;
    const flood = hundred.map(async (address) => {
      const peer = () => (from === 'one /48 of IPv6' ? inOneSite() : address);
      while (!over) await stage.ask(peer(), user, { ldapPassword: 'wrong', otpPassword: '999999' });
    });
    const took = [];
    try {
      await clock.sleep(20_000);
      for (let n = 0; n < 3; n += 1) {
        const begun = clock.now();
        expect(await stage.ask(isKnown ? home : somewhere(), user, user.both())).toEqual(granted);
        took.push(clock.now() - begun);
      }
    } finally {
      over = true;
      await Promise.all(flood);
    }
    expect(Math.max(...took)).toBeLessThan(most);
  });
});
