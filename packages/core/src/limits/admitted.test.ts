/** An attempt that was admitted: its answer, its cost to its source, and the records that it leaves. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { admittedTo, attemptAt, type Made } from '../testing/bed/attempts.ts';
import { alice, failuresLeft, type Ground, openGround, placeAt } from '../testing/bed/limits-ground.ts';
import { type AttemptResult, fixedOutcome, type LimitsAttempt } from './limits-attempt.ts';

const granted: AttemptResult = { end: 'granted', used: ['password'] };
const wrong: AttemptResult = { end: 'failed', wrongPasswords: 1 };
const other = placeAt('192.0.2.2');

let ground: Ground;
beforeEach(async () => {
  ground = await openGround();
});
afterEach(() => ground.close());

const admitted = (more: Partial<LimitsAttempt> = {}) => admittedTo(ground.limits, { ...alice, ...more });

const attempt = (judged: AttemptResult, more: Partial<LimitsAttempt> = {}) =>
  attemptAt(
    ground.limits,
    { ...alice, ...more },
    async (): Promise<Made<string>> => ({
      ...judged,
      answer: '',
    }),
  );

const leftAt = (source = alice.source) =>
  failuresLeft(async (user) => (await attempt(wrong, { source, user })).kind === 'refused');

it('frees the lock when it is committed or left, and leaving again changes nothing', async () => {
  const committed = await admitted();
  await committed.commit(fixedOutcome(granted));
  const next = await admitted();
  await committed.leave();
  await next.leave();
  await next.leave();
  await (await admitted()).leave();
  ground.clock.advance(1000);
  expect(
    [ground.clock.repeating, ground.clock.slept],
    'nothing is renewed, and nothing was waited for',
  ).toEqual([...[0, []]]);
});

it('ends without an error when the ledger is down: its lock and its tokens end with their time', async () => {
  const one = await admitted();
  await ground.close();
  await one.leave();
  ground = await openGround();
});

describe('the ground that it is told', () => {
  it('is that of strangers until the user has logged in at the place', async () => {
    const first = await admitted();
    expect(first.admission).toMatchObject({ kind: 'separate', scope: 'unknown', isDoomed: false });
    await first.commit(fixedOutcome(granted));
    const second = await admitted();
    expect(second.admission.scope).toBe('known');
    await second.leave();
  });

  it('is known to an administrator, until too much has failed there', async () => {
    const administrator = { as: 'administrator', source: { ...alice.source, buckets: [] } } as const;
    const ofFirst = async () => {
      const one = await admitted(administrator);
      await one.leave();
      return one.admission.scope;
    };
    expect(await ofFirst()).toBe('known');
    for (let n = 0; n < 5; n += 1) await attempt({ ...wrong, wrongPasswords: 20 }, administrator);
    ground.clock.advance(3_600_000);
    expect(await attempt(wrong, administrator)).toMatchObject({ reason: 'too many wrong passwords' });
    const one = await admitted({ ...administrator, combined: 'both' });
    expect(one.admission).toMatchObject({ kind: 'combined', scope: 'unknown' });
    await one.leave();
  });
});

describe('tokens of the source', () => {
  it('loses a failure by a stranger, also where the attempt might have been granted', async () => {
    const one = await admitted();
    const decision = { ...fixedOutcome(wrong), possible: [granted, wrong] };
    await one.commit(decision);
    expect(await leftAt()).toBe(19);
  });

  it('loses a failure by a user who is known there, and nothing by a success', async () => {
    await attempt(granted);
    await attempt(granted);
    await attempt(wrong);
    expect(await leftAt()).toBe(19);
  });

  it('has back once what a success took, which leaves after it was settled, too', async () => {
    await attempt(wrong, { user: 'user:bob' });
    await attempt(granted);
    expect(await leftAt()).toBe(19);
  });

  it('loses nothing by an attempt that left without being judged', async () => {
    await (await admitted()).leave();
    expect(await leftAt()).toBe(20);
  });

  it('has back what was taken for an attempt that waited until the place was known', async () => {
    const first = await admitted();
    const second = admitted();
    while (ground.limits.waiting === 0 && ground.clock.slept.length === 0)
      await new Promise((resolve) => setImmediate(resolve));
    await first.commit(fixedOutcome(granted));
    const moved = await second;
    expect(moved.admission.scope).toBe('known');
    await moved.commit(fixedOutcome(granted));
    expect(await leftAt()).toBe(20);
  });

  it('of another address has failures of its own', async () => {
    await attempt(wrong);
    expect(await leftAt(other)).toBe(20);
  });

  it.each([
    ['keeps the failure', 'only a failure was possible', [wrong], 19],
    ['has the token back', 'a success was possible', [granted, wrong], 20],
  ])('%s of a commit that fails where %s', async (_, __, possible, left) => {
    const one = await admitted();
    const commit = vi.spyOn(ground.store, 'commit').mockRejectedValueOnce(new Error('lost'));
    await expect(one.commit({ ...fixedOutcome(wrong), possible })).rejects.toThrow('lost');
    commit.mockRestore();
    await one.leave();
    expect(await leftAt()).toBe(left);
  });

  it('loses nothing at a known source by a commit that fails', async () => {
    await attempt(granted);
    const one = await admitted();
    const commit = vi.spyOn(ground.store, 'commit').mockRejectedValueOnce(new Error('lost'));
    await expect(one.commit(fixedOutcome(wrong))).rejects.toThrow('lost');
    commit.mockRestore();
    await one.leave();
    expect(await leftAt()).toBe(20);
  });
});
