/**
 * Attacks that the limits stop: strangers who keep users out, and clumsy users who share a relying party with others
 * (docs/concepts/limits.md).
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chanceOf } from './chance.ts';
import type { Peer } from './nodes.ts';
import { granted, hour, minute, refused, Stage, somewhere, type User } from './stage.ts';

let stage: Stage;
beforeEach(async () => {
  // All limits as they are by default; the second that a failure takes is not waited for by the others of a load.
  stage = await Stage.open({ limits: { login_failure_delay_ms: 0 } });
});
afterEach(() => stage.close());

const right = (user: User, peer: Peer, more: object = {}) =>
  stage.ask(peer, user, { ldapPassword: user.password, ...more });
async function crowd(count: number): Promise<readonly User[]> {
  const users = [];
  for (let n = 0; n < count; n += 1) users.push(await stage.user({ mode: 'LDAP' }));
  return users;
}

/** Eight logins a second for so long, of which a twentieth is wrong. @returns how right ones were answered */
async function mixedLoad(peer: Peer, users: readonly User[], logins: number) {
  const chance = chanceOf(8);
  const answers = [];
  for (let n = 0; n < logins; n += 1) {
    stage.pass(125);
    const user = chance.one(users);
    if (chance.is(0.05)) await stage.ask(peer, user, { ldapPassword: 'wrong' });
    else answers.push(await right(user, peer));
  }
  return { all: answers.length, refused: answers.filter(({ code }) => code !== 1).length };
}

describe('12. a mixed load of eight logins a second with 5 % wrong', () => {
  it('by a trusted caller without a source: no right one is refused', async () => {
    const result = await mixedLoad({ address: '192.0.2.10' }, await crowd(60), 4800);
    expect(result.all).toBeGreaterThan(4500);
    expect(result.refused).toBe(0);
  });

  it('by a place that is not trusted, where the users are known: none of theirs is refused', async () => {
    const [users, peer] = [await crowd(60), somewhere()];
    for (const user of users) expect(await right(user, peer)).toEqual(granted);
    expect(await mixedLoad(peer, users, 4800)).toMatchObject({ refused: 0 });
  });

  it('a trusted caller through which somebody sprays is told of, and not refused', async () => {
    const peer = { address: '192.0.2.10' };
    for (let n = 0; n < 101; n += 1) {
      await stage.ask(peer, { name: `nobody${n}` }, { ldapPassword: 'wrong' });
      stage.pass(5000);
    }
    const [user] = await crowd(1);
    expect(user && (await right(user, peer))).toEqual(granted);
    expect(
      stage.nodes.events.filter((text) => text.includes('more than 100 failures in 10 minutes')),
    ).toHaveLength(1);
  });
});

describe('strangers', () => {
  it('keep nobody out of a place that is known, however long they try', async () => {
    const [[user], home] = [await crowd(1), somewhere()];
    if (!user) throw new Error('nobody');
    expect(await right(user, home)).toEqual(granted);
    for (let round = 0; round < 12 * 24; round += 1) {
      await stage.shutOut(user);
      if (round % 12 === 0) expect(await right(user, home)).toEqual(granted);
      stage.pass(5 * minute);
    }
  });

  it('keep nobody out at a new place who shows both factors', async () => {
    const user = await stage.user();
    for (let round = 0; round < 24; round += 1) {
      await stage.shutOut(user);
      expect(await stage.ask(somewhere(), user, user.both())).toEqual(granted);
      stage.pass(hour);
    }
  });

  it('shut out no address by naming it as their source', async () => {
    const [victim, [user]] = [somewhere(), await crowd(1)];
    for (let n = 0; n < 40; n += 1)
      await stage.ask(somewhere(), { name: `nobody${n}` }, { ldapPassword: 'wrong', source: victim.address });
    expect(user && (await right(user, victim))).toEqual(granted);
  });

  it('get no more guesses by naming another source each time', async () => {
    const [peer, [user]] = [somewhere(), await crowd(1)];
    for (let n = 0; n < 20; n += 1)
      await stage.ask(peer, { name: `nobody${n}` }, { ldapPassword: 'wrong', source: `198.51.100.${n}` });
    expect(user && (await right(user, peer, { source: '198.51.100.200' }))).toEqual(refused);
  });
});
