/** The limits of docs/concepts/limits.md as pure functions. */
import { describe, expect, it } from 'vitest';
import {
  ended,
  fullBucket,
  refilled,
  spent,
  spentTokens,
  type TokenBucket,
  taken,
} from '../foundation/locks/token-bucket.ts';
import { addressBlock } from '../foundation/text/network.ts';
import { KeyRing } from '../ports/keys.ts';
import { mayTry } from './authenticator-cap.ts';
import { isInForce } from './interval.ts';
import { dayOf, knownAfterSuccess, knownNow } from './known-sources.ts';
import {
  delayOf,
  type FailureStreak,
  lockoutNow,
  noStreak,
  streakAfterFailure,
  streakAfterSuccess,
  streakLeft,
} from './lockout.ts';
import {
  budgetAfter,
  budgetLeft,
  directoryFailuresOf,
  isShownUsedUp,
  isUsedUp,
  quotaAfter,
} from './quotas.ts';
import { ipv6SiteRule, nextSlot, sourceRule } from './rate-limit.ts';
import { absentUserKey, sourceOf, userKey } from './source.ts';
import { blocked, noState, recordOf, released, reset, stateNow, type UserState } from './user-state.ts';

const day = 86_400_000;
const now = 20_000 * day + 1234;
const rules = { maxTries: 5, blockTime: 300 };

/** Fails so often that a refusal begins. */
function refusedRow(
  streak: FailureStreak,
  { at, isKnown = false, of = rules }: { at: number; isKnown?: boolean; of?: typeof rules },
): FailureStreak {
  let failed = streak;
  for (let n = 0; n < of.maxTries; n += 1)
    failed = streakAfterFailure(failed, { rules: of, isKnown, now: at }).streak;
  return failed;
}

/** Lengths of refusals, each begun when the one before has ended. */
function lengths(
  rounds: number,
  { isKnown = false, of = rules, quiet = 0 } = {},
): readonly (number | null)[] {
  let [streak, at] = [noStreak(now), now];
  return Array.from({ length: rounds }, () => {
    streak = refusedRow(streak, { at, isKnown, of });
    const { length = 0 } = streak.lockout ?? {};
    at += (length ?? 0) + quiet;
    return length && length / 1000;
  });
}

describe('lockout', () => {
  it('begins with the fifth failure in a row, which a success ends', () => {
    let streak = noStreak(now);
    for (let n = 0; n < 4; n += 1) streak = streakAfterFailure(streak, { rules, isKnown: false, now }).streak;
    expect(streak).toMatchObject({ failures: 4, level: 0 });
    expect(
      streakAfterFailure(streakAfterSuccess(streak, now), { rules, isKnown: false, now }).begun,
    ).toBeUndefined();
    expect(streakAfterFailure(streak, { rules, isKnown: false, now }).begun).toEqual({
      start: now,
      length: 300_000,
    });
  });

  it('doubles each lockout up to a day, and at a known source up to an hour', () => {
    expect(lengths(11)).toEqual([300, 600, 1200, 2400, 4800, 9600, 19_200, 38_400, 76_800, 86_400, 86_400]);
    expect(lengths(6, { isKnown: true })).toEqual([300, 600, 1200, 2400, 3600, 3600]);
    expect(lengths(2, { of: { maxTries: 1, blockTime: 172_800 } })).toEqual([86_400, 86_400]);
  });

  it('halves with each day without a lockout', () => {
    const streak = refusedRow(refusedRow(noStreak(now), { at: now }), { at: now + 300_000 });
    const end = now + 900_000;
    const next = (quiet: number) => refusedRow(streak, { at: end + quiet }).lockout?.length;
    expect([next(day - 1), next(day), next(2 * day), next(7 * day)]).toEqual([
      1_200_000, 600_000, 300_000, 300_000,
    ]);
  });

  it('BlockTime 0: strangers until an administrator unblocks, known places 300 s and so on', () => {
    const of = { maxTries: 5, blockTime: 0 };
    const streak = refusedRow(noStreak(now), { at: now, of });
    expect(lockoutNow(streak, now + 1000 * day)).toBeDefined();
    expect(streakLeft(streak, now)).toBe(Number.POSITIVE_INFINITY);
    expect(lengths(3, { isKnown: true, of })).toEqual([300, 600, 1200]);
  });

  it('expires eight days after its last change', () => {
    const streak = refusedRow(noStreak(now), { at: now });
    expect([streakLeft(streak, now + 8 * day - 1), streakLeft(streak, now + 8 * day)]).toEqual([1, 0]);
  });
});

describe('daily quota', () => {
  it('allows ten in 24 hours from the first, or twice MaxTries', () => {
    const use = (count: number, maxTries: number, loud = count) =>
      Array.from({ length: count }).reduce<ReturnType<typeof quotaAfter> | undefined>(
        (before, _, n) => quotaAfter(before?.quota, { maxTries, now: now + n, isCombined: n >= loud }),
        undefined,
      );
    expect([use(9, 5)?.isUsedUp, use(10, 5)?.isUsedUp, use(10, 6)?.isUsedUp, use(12, 6)?.isUsedUp]).toEqual([
      ...[false, true, false, true],
    ]);
    expect([use(6, 3)?.isUsedUp, use(10, 3)?.isUsedUp]).toEqual([false, true]);
    const quota = use(10, 5)?.quota;
    if (!quota) throw new Error('nothing was counted');
    expect([isUsedUp(quota, 5, now + day - 1), isUsedUp(quota, 5, now + day)]).toEqual([true, false]);
    const outcomeOf = (loud: number) => {
      const quiet = use(12, 5, loud)?.quota;
      return quiet && [isUsedUp(quiet, 5, now), isShownUsedUp(quiet, 5)];
    };
    expect([outcomeOf(9), outcomeOf(10)]).toEqual([
      [true, false],
      [true, true],
    ]);
  });
});

describe('rate limit of a source', () => {
  const rule = sourceRule('x');
  const emptied = () =>
    Array.from({ length: 25 }).reduce<TokenBucket>((bucket) => spent(bucket, rule), fullBucket(now));

  it('has 20 tokens, of which one returns every 3 seconds', () => {
    const bucket = emptied();
    const later = (milliseconds: number) => taken(refilled(bucket, now + milliseconds), rule, 'me');
    expect(later(0)).toBeUndefined();
    expect(later(2999)).toBeUndefined();
    expect(later(3000)).toMatchObject({ owed: 60_000 });
    expect(refilled(bucket, now + 59_999).owed).toBe(1);
    expect(refilled(bucket, now + 1_000_000)).toMatchObject({ owed: 0 });
    expect(refilled(bucket, now - 1_000_000)).toMatchObject({ owed: 60_000, at: now - 1_000_000 });
  });

  it('loses nothing that it has not: a failure that is coming back comes back', () => {
    const bucket = spent(refilled(emptied(), now + 2000), rule);
    expect(taken(refilled(bucket, now + 3000), rule, 'me')).toBeDefined();
  });

  it('gives a /48 ten times both', () => {
    const { most, every } = ipv6SiteRule('x');
    expect([most, every]).toEqual([200, 300]);
  });

  it('gets back what was taken, unless the attempt failed', () => {
    const one = taken(fullBucket(now), rule, 'me') ?? fullBucket(now);
    expect(one).toMatchObject({ owed: 3000, underWay: { me: 1 } });
    expect(spentTokens(one, rule)).toBe(0);
    expect(ended(one, rule, { isKept: false, holder: 'me' })).toMatchObject({ owed: 0, underWay: {} });
    expect(ended(one, rule, { isKept: true, holder: 'me' })).toMatchObject({ owed: 3000, underWay: {} });
    expect(spentTokens(ended(one, rule, { isKept: true, holder: 'me' }), rule)).toBe(1);
    const waited = ended(refilled(one, now + 2000), rule, { isKept: true, holder: 'me' });
    expect(waited, 'it comes back from when it failed').toMatchObject({ owed: 3000, underWay: {} });
  });
});

describe('pace of combined proofs', () => {
  it('allows one a second, also after a clock was set back', () => {
    const given = { slot: now, at: now };
    expect([
      nextSlot(undefined, now),
      nextSlot(given, now),
      nextSlot(given, now + 400),
      nextSlot(given, now + 2000),
      nextSlot({ slot: now + 1000, at: now }, now),
    ]).toEqual([now, now + 1000, now + 1000, now + 2000, now + 2000]);
    expect(nextSlot({ slot: now + day, at: now + day }, now)).toBe(now + 1000);
  });
});

describe('authenticator cap', () => {
  const [single, combined] = [
    { kind: 'separate', scope: 'unknown' },
    { kind: 'combined', scope: 'unknown' },
  ] as const;
  const known = { kind: 'separate', scope: 'known' } as const;

  it('close it after a hundred to strangers who try it alone, and to nobody else', () => {
    expect(mayTry({ wrong: 99, asSecondFactor: 0 }, false, single)).toBe(true);
    const hundred = { wrong: 100, asSecondFactor: 99 };
    expect(mayTry(hundred, false, single)).toBe(false);
    expect(mayTry(hundred, true, single)).toBe(true);
    expect(mayTry(hundred, false, combined)).toBe(true);
    expect(mayTry(hundred, false, known)).toBe(true);
  });

  it('disable it for everybody after a hundred behind right passwords', () => {
    const hundred = { wrong: 100, asSecondFactor: 100 };
    for (const admission of [single, combined, known])
      expect([mayTry(hundred, false, admission), mayTry(hundred, true, admission)]).toEqual([false, false]);
  });
});

describe('known places', () => {
  const dayNow = dayOf(now);

  it('stay known for 30 days', () => {
    const known = [{ source: 'a', day: dayNow }];
    expect(knownNow(known, now + 30 * day)).toHaveLength(1);
    expect(knownNow(known, now + 31 * day)).toHaveLength(0);
    const older = { source: 'b', day: dayNow - 1 };
    expect(knownNow([older, ...known], now + 30 * day)).toEqual(known);
    expect(knownNow(known, now - 5 * day)).toEqual([{ source: 'a', day: dayNow - 5 }]);
  });

  it('keep the same list within a day, and drop the first for the 17th', () => {
    const known = Array.from({ length: 16 }, (_, n) => ({ source: String(n), day: dayNow }));
    expect(knownAfterSuccess(known, '3', now)).toBe(known);
    expect(knownAfterSuccess(known, '0', now + day).at(-1)).toEqual({ source: '0', day: dayNow + 1 });
    const more = knownAfterSuccess(known, 'new', now);
    expect(more).toHaveLength(16);
    expect(more[0]?.source).toBe('1');
  });
});

describe('delay of super administrators', () => {
  it('waits 1, 2, 4, 5 seconds after failures in a row, and 60 after a hundred', () => {
    const after = (failures: number) => delayOf({ failures, level: 0, at: now }, now) / 1000;
    expect([0, 1, 2, 3, 4, 50, 99, 100, 500].map(after)).toEqual([0, 1, 2, 4, 5, 5, 5, 60, 60]);
    expect(delayOf({ failures: 2, level: 0, at: now }, now + 1500)).toBe(500);
    expect(delayOf({ failures: 2, level: 0, at: now }, now + 5000)).toBe(0);
    expect(delayOf({ failures: 2, level: 0, at: now + day }, now)).toBe(2000);
  });
});

describe('directory budget', () => {
  it('leaves so many in so many minutes', () => {
    const failures = directoryFailuresOf('3/30');
    expect(failures).toEqual({ most: 3, minutes: 30 });
    const budget = budgetAfter(budgetAfter(undefined, 1, now), 1, now + 60_000);
    expect([budgetLeft(undefined, failures, now), budgetLeft(budget, failures, now)]).toEqual([3, 1]);
    expect(budgetLeft(budget, failures, now + 30 * 60_000)).toBe(3);
    expect(budgetLeft(budget, directoryFailuresOf(undefined), now)).toBe(Number.POSITIVE_INFINITY);
  });
});

const some: UserState = {
  known: [{ source: 'a', day: dayOf(now) }],
  scopes: {
    a: { streak: { failures: 3, level: 0, at: now } },
    strangers: { streak: refusedRow(noStreak(now), { at: now }), quota: { count: 4, start: now } },
  },
  wrongPasswords: 77,
  budget: { count: 2, start: now },
};

describe('block and reset', () => {
  it('forgets known sources and their counts at a block', () => {
    const state = blocked(some, 60, now);
    expect(state.known).toEqual([]);
    expect(Object.keys(state.scopes)).toEqual(['strangers']);
    expect(state.block).toEqual({ start: now, length: 60_000 });
    expect(blocked(some, undefined, now).block).toEqual({ start: now, length: null });
  });

  it('keeps known sources at a reset, and ends the directory budget only by breaking glass', () => {
    const clean = { known: some.known, scopes: {}, wrongPasswords: 0 };
    expect(reset(blocked(some, 60, now))).toEqual({ ...clean, known: [], budget: some.budget });
    expect(released(some)).toEqual(clean);
  });
});

describe('what is kept', () => {
  const at = (moment: number) => ({ now: moment, directoryFailures: { most: 3, minutes: 30 } });
  const kept = recordOf(some, at(now))?.value;

  it('comes back as it was, and goes when it is over', () => {
    expect(stateNow(kept, at(now))).toEqual({ state: some, isAheadOfClock: false });
    const { state } = stateNow(kept, at(now + 31 * day));
    expect(state).toEqual({ known: [], scopes: {}, wrongPasswords: 77 });
    expect(recordOf(noState, at(now))).toBeNull();
  });

  it('lives as long as its longest part', () => {
    const { wrongPasswords: _, ...rest } = some;
    expect(recordOf({ ...rest, wrongPasswords: 0 }, at(now))?.seconds).toBe(31 * 86_400 - 1);
    expect(recordOf({ ...rest, known: [], wrongPasswords: 0 }, at(now))?.seconds).toBe(8 * 86_400);
    expect(recordOf(some, at(now))?.seconds).toBeGreaterThan(99 * 365 * 86_400);
  });

  it('begins now where the clock was ahead, and lasts as long as it was to last', () => {
    const { state, isAheadOfClock } = stateNow(kept, at(now - day));
    expect(isAheadOfClock).toBe(true);
    const refusal = state.scopes.strangers?.streak?.lockout;
    expect(refusal).toEqual({ start: now - day, length: 300_000 });
    expect(refusal && isInForce(refusal, now - day + 300_000)).toBe(false);
    expect(state.known).toEqual([{ source: 'a', day: dayOf(now) - 1 }]);
  });
});

describe('the words', () => {
  const of = (address: string, trusted: boolean, key = `address:${addressBlock(address)}`) => ({
    key,
    address,
    trusted,
  });
  const stranger = of('192.0.2.1', false);
  const trusted = of('192.0.2.1', true);

  it('takes an untrusted caller for the source, whatever it reports', () => {
    expect(sourceOf(stranger, '198.51.100.7')).toEqual(sourceOf(stranger, undefined));
    expect(sourceOf(of('::ffff:192.0.2.1', false), undefined)).toEqual(sourceOf(stranger, undefined));
    expect(sourceOf(stranger, undefined).buckets.map(({ most }) => most)).toEqual([20]);
  });

  it('each source of a trusted one is a place; loopback and its own address are none', () => {
    const [a, b] = [sourceOf(trusted, '198.51.100.7'), sourceOf(trusted, '198.51.100.8')];
    expect(a.id).not.toBe(b.id);
    expect(a.buckets).toHaveLength(1);
    const none = sourceOf(trusted, undefined);
    expect(none).toMatchObject({ buckets: [], watched: 'address:192.0.2.1' });
    for (const source of ['127.0.0.1', '::1', '127.8.8.8', '192.0.2.1', '::ffff:192.0.2.1'])
      expect(sourceOf(trusted, source)).toEqual(none);
  });

  it('identifies a caller by its credentials, not by its address', () => {
    const shown = (address: string) => sourceOf(of(address, true, 'key:7'), '198.51.100.7').id;
    expect(shown('192.0.2.1')).toBe(shown('192.0.2.2'));
    expect(shown('192.0.2.1')).not.toBe(sourceOf(trusted, '198.51.100.7').id);
  });

  it('two networks of a /48 share its failures', () => {
    const at = (address: string) => sourceOf(of(address, false), undefined);
    const [a, b, c] = [at('2001:db8:1:1::5'), at('2001:db8:1:2::5'), at('2001:db8:2:1::5')];
    expect(a.id).not.toBe(b.id);
    expect(at('2001:db8:1:1::6').id).toBe(a.id);
    expect(a.buckets[1]).toEqual(b.buckets[1]);
    expect(a.buckets[1]).not.toEqual(c.buckets[1]);
  });

  it('names that nobody has share 2^20 counters', () => {
    const keys = new KeyRing([Buffer.alloc(32, 1)], { bytes: (length) => Buffer.alloc(length) });
    const slots = Array.from({ length: 2000 }, (_, n) => absentUserKey({ key: `uid=${n}` }, keys));
    expect(slots.every((slot) => /^nobody:[0-9a-f]{5}$/.test(slot))).toBe(true);
    expect(new Set(slots).size).toBeGreaterThan(1900);
    expect(userKey({ key: 'uid=1' })).not.toBe(userKey({ key: 'uid=2' }));
  });
});
