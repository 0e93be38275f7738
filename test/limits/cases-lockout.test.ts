/** Lockouts of a user in a scope, and their length (docs/concepts/limits.md#lockout). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Peer } from './nodes.ts';
import { day, granted, hour, minute, refused, Stage, somewhere, type User } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

const right = (user: User, peer: Peer) => stage.ask(peer, user, { ldapPassword: user.password });

/** So many failures refuse for so long, and not longer. */
async function expectRefusal(
  user: User,
  seconds: number,
  { peer, failures = 5 }: { peer?: Peer; failures?: number } = {},
) {
  await stage.times(failures, user, { ldapPassword: 'wrong' }, peer);
  stage.pass(seconds * 1000 - 1);
  expect(await right(user, peer ?? somewhere()), `before ${seconds} s are over`).toEqual(refused);
  stage.pass(1);
  expect(await right(user, peer ?? somewhere()), `when ${seconds} s are over`).toEqual(granted);
}

describe('1. five wrong at an unknown place', () => {
  it('refuse the sixth with the right password there and anywhere unknown; a known place grants', async () => {
    const [user, home, stranger] = [await stage.user({ mode: 'LDAP' }), somewhere(), somewhere()];
    expect(await right(user, home)).toEqual(granted);
    await stage.times(5, user, { ldapPassword: 'wrong' }, stranger);
    expect(await right(user, stranger)).toEqual(refused);
    expect(await right(user, somewhere())).toEqual(refused);
    expect(await right(user, home)).toEqual(granted);
  });

  it('for 300, 600, 1200 … seconds, at most a day; a quiet day halves', async () => {
    const user = await stage.user({ mode: 'LDAP' });
    for (const seconds of [300, 600, 1200, 2400, 4800, 9600, 19_200, 38_400, 76_800, 86_400, 86_400])
      await expectRefusal(user, seconds);
    stage.pass(day);
    await expectRefusal(user, 76_800);
    stage.pass(3 * day);
    await expectRefusal(user, 19_200);
    stage.pass(20 * day);
    await expectRefusal(user, 300);
  });

  it('at a known place for an hour at most', async () => {
    const [user, home] = [await stage.user({ mode: 'LDAP' }), somewhere()];
    expect(await right(user, home)).toEqual(granted);
    for (const seconds of [300, 600, 1200, 2400, 3600, 3600])
      await expectRefusal(user, seconds, { peer: home });
  });
});

describe('2. a success', () => {
  it('elsewhere does not shorten a refusal', async () => {
    const [user, home] = [await stage.user({ mode: 'LDAP' }), somewhere()];
    expect(await right(user, home)).toEqual(granted);
    await stage.shutOut(user);
    stage.pass(299_999);
    expect(await right(user, home)).toEqual(granted);
    expect(await right(user, somewhere())).toEqual(refused);
    stage.pass(1);
    expect(await right(user, somewhere())).toEqual(granted);
  });

  it('after four wrong ends the row: one more wrong does not refuse', async () => {
    const [user, place] = [await stage.user({ mode: 'LDAP' }), somewhere()];
    for (const peer of [place, place]) {
      await stage.times(4, user, { ldapPassword: 'wrong' }, peer);
      expect(await right(user, peer)).toEqual(granted);
    }
    await stage.times(1, user, { ldapPassword: 'wrong' }, place);
    expect(await right(user, place)).toEqual(granted);
  });
});

describe('14. limits of a user', () => {
  it('BlockTime 0: strangers until an administrator unblocks, a known place 300 s and then twice as long', async () => {
    const [user, home] = [await stage.user({ mode: 'LDAP', blockTime: 0 }), somewhere()];
    expect(await right(user, home)).toEqual(granted);
    for (const seconds of [300, 600]) await expectRefusal(user, seconds, { peer: home });
    await stage.shutOut(user);
    stage.pass(25 * day);
    expect(await right(user, somewhere())).toEqual(refused);
    expect(await right(user, home)).toEqual(granted);
    await stage.manager('Otp.Block_Reset', user);
    expect(await right(user, somewhere())).toEqual(granted);
  });

  it('BlockTime of two days counts as a day, of a known place as an hour', async () => {
    const [user, home] = [await stage.user({ mode: 'LDAP', blockTime: 172_800 }), somewhere()];
    expect(await right(user, home)).toEqual(granted);
    for (let round = 0; round < 2; round += 1) await expectRefusal(user, 3600, { peer: home });
    for (let round = 0; round < 2; round += 1) await expectRefusal(user, 86_400);
  });

  it('MaxTries 1: each failure starts a refusal', async () => {
    const user = await stage.user({ mode: 'LDAP', maxTries: 1, blockTime: 60 });
    for (const seconds of [60, 120, 240]) await expectRefusal(user, seconds, { failures: 1 });
  });

  it('neither a client policy nor a request changes the two', async () => {
    const user = await stage.user({ mode: 'LDAP' });
    const trusted = { address: '192.0.2.10' };
    await stage.times(5, user, { ldapPassword: 'wrong', settings: 'MaxTries=100,BlockTime=1' }, trusted);
    stage.pass(4 * minute);
    expect(await right(user, trusted)).toEqual(refused);
    stage.pass(hour);
    expect(await right(user, trusted)).toEqual(granted);
  });
});
