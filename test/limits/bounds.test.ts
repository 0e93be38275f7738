/**
 * The bounds of guessing (docs/guide/limits.md#what-it-costs-a-guesser): a simulated attacker guesses as cleverly as the limits
 * let, for a day or a year, reaches the bounds and does not pass them. Passwords that the directory was asked about count.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Peer } from './nodes.ts';
import { codeAt } from './oracle/oracle-people.ts';
import { atOnce, day, granted, hour, Stage, somewhere, type User } from './stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await Stage.open(atOnce);
});
afterEach(() => stage.close());

const now = () => stage.nodes.clock.now();
const bindsOf = ({ dn }: User) => stage.nodes.binds.get(dn.toLowerCase()) ?? { right: 0, wrong: 0 };
const judged = (user: User): number => bindsOf(user).right + bindsOf(user).wrong;

interface Attack {
  readonly user: User;
  readonly peer: () => Peer;
  readonly fields: (n: number) => object;
  /** What it waits where nothing is judged, in milliseconds: asking costs nothing. */
  readonly pause: number;
}

/** @returns how many were judged, day by day */
async function attack(days: number, { user, peer, fields, pause }: Attack): Promise<readonly number[]> {
  const begun = now();
  const perDay = Array<number>(days).fill(0);
  for (let n = 0; now() - begun < days * day; n += 1) {
    const [before, at] = [judged(user), Math.floor((now() - begun) / day)];
    await stage.ask(peer(), user, fields(n));
    perDay[at] = (perDay[at] ?? 0) + judged(user) - before;
    if (judged(user) === before) stage.pass(pause);
  }
  return perDay;
}

const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);
const wrong = () => ({ ldapPassword: 'wrong' });

describe('a password alone', () => {
  it('strangers: 45 on the first day, then 5 a day', async () => {
    const user = await stage.user({ mode: 'LDAP' });
    // The refusals end at a multiple of five minutes after the first.
    const [first, ...later] = await attack(9, { user, peer: somewhere, fields: wrong, pause: 300_000 });
    expect(first).toBe(45);
    expect(later).toEqual(later.map(() => 5));
  });

  it('strangers: 1,865 a year, where the user logs in every day', async () => {
    const [user, home] = [await stage.user({ mode: 'LDAP' }), somewhere()];
    const begun = now();
    let count = 0;
    for (let round = 0; now() - begun < 365 * day; round += 1) {
      expect(await stage.ask(home, user, { ldapPassword: user.password })).toEqual(granted);
      const before = bindsOf(user).wrong;
      await stage.times(6, user, wrong());
      count += bindsOf(user).wrong - before;
      stage.pass(Math.min(300_000 * 2 ** round, day));
    }
    expect(count).toBe(1865);
  });

  it('strangers: 100 in a row, and then nothing', async () => {
    const user = await stage.user({ mode: 'LDAP' });
    expect(sum(await attack(40, { user, peer: somewhere, fields: wrong, pause: hour }))).toBe(100);
  });

  it.each([
    ['at one known place', { address: '100.99.0.1' }],
    ['through a trusted caller without a source', { address: '192.0.2.10' }],
  ])('%s: until the 100', async (_, peer) => {
    const user = await stage.user({ mode: 'LDAP' });
    expect(await stage.ask(peer, user, { ldapPassword: user.password })).toEqual(granted);
    const counts = await attack(3, { user, peer: () => peer, fields: wrong, pause: 300_000 });
    expect(counts).toEqual([101, 0, 0].map((count, at) => (at === 0 ? count - 1 : count)));
  });

  it('at one known place whose user logs in elsewhere meanwhile: 135 on the first day, then 120', async () => {
    const [user, home, work] = [await stage.user({ mode: 'LDAP' }), somewhere(), somewhere()];
    const logIn = (peer: Peer) => stage.ask(peer, user, { ldapPassword: user.password });
    await logIn(home);
    const begun = now();
    const days = [0, 0];
    for (let round = 0; now() - begun < 2 * day; round += 1) {
      await logIn(work);
      const [before, at] = [bindsOf(user).wrong, Math.floor((now() - begun) / day)];
      await stage.times(6, user, wrong(), home);
      days[at] = (days[at] ?? 0) + bindsOf(user).wrong - before;
      stage.pass(Math.min(300_000 * 2 ** round, hour));
    }
    expect(days).toEqual([135, 120]);
  });
});

it('10,000 users from one IPv4 address: 28,820 a day', async () => {
  const peer = somewhere();
  const all = () => sum([...stage.nodes.binds.values()].map(({ wrong }) => wrong));
  const part = day / 20;
  const begun = now();
  for (let n = 0; now() - begun < part; n += 1) {
    const before = all();
    await stage.ask(peer, { name: `nobody${n % 10_000}` }, wrong());
    if (all() === before) stage.pass(3000);
  }
  expect(all()).toBe(20 + part / 3000 - 1);
});

describe('one of the two is known', () => {
  const pause = hour;

  it('the password: 10 codes a day on a ground', async () => {
    const user = await stage.user();
    const near = Array.from({ length: 20 }, (_, counter) => codeAt(counter, user.secret, 6));
    const codes = Array.from({ length: 500 }, (_, n) => String(n).padStart(6, '0')).filter(
      (one) => !near.includes(one),
    );
    const fields = (n: number) => ({ ldapPassword: user.password, otpPassword: codes[n % codes.length] });
    expect(await attack(9, { user, peer: somewhere, fields, pause })).toEqual(Array(9).fill(10));
  });

  it('a code that was not used: 10 passwords a day on a ground', async () => {
    const user = await stage.user();
    const fields = () => ({ ldapPassword: 'wrong', otpPassword: user.laterCode() });
    expect(await attack(9, { user, peer: somewhere, fields, pause })).toEqual(Array(9).fill(10));
  });
});

it('neither is known: of those whose password is right, 10 a day', async () => {
  const user = await stage.user();
  const passwords = ['first', 'second', user.password, 'fourth'];
  const begun = now();
  const days = [0, 0];
  for (let n = 0; now() - begun < 2 * day; n += 1) {
    const [before, at] = [bindsOf(user).right, Math.floor((now() - begun) / day)];
    await stage.ask(somewhere(), user, { ldapPassword: passwords[n % 4], otpPassword: '999999' });
    days[at] = (days[at] ?? 0) + bindsOf(user).right - before;
    stage.pass(100_000);
  }
  expect(days).toEqual([10, 10]);
});
