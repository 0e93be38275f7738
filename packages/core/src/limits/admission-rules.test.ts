/** Whether an attempt is judged, and how: one rule after the other, by what is kept of the user. */
import { describe, expect, it } from 'vitest';
import { alice } from '../testing/bed/limits-ground.ts';
import { type Circumstances, longest, ruleOn, sourceRefusal } from './admission-rules.ts';
import { day } from './interval.ts';
import type { LimitsAttempt } from './limits-attempt.ts';
import { unknownSources } from './source.ts';
import { noState, type UserState } from './user-state.ts';

const now = 20_000 * day + 1234;
const home = alice.source.id;
const around: Circumstances = {
  ...{ now, directoryFailures: undefined, hasNoTokens: false, areCodesCapped: false, judgesRefused: true },
};
const streak = { failures: 0, level: 1, at: now, lockout: { start: now, length: 300_000 } };
const lockedOut: UserState = { ...noState, scopes: { strangers: { streak } } };
const both = { combined: 'both' } as const;

const ruling = (
  state: UserState,
  more: Partial<LimitsAttempt> = {},
  circumstances: Partial<Circumstances> = {},
) => ruleOn(state, { ...alice, ...more }, { ...around, ...circumstances });

/** `alone`, `together`, or why it is refused and for how many seconds. */
function words(...of: Parameters<typeof ruling>): string {
  const stood = ruling(...of);
  return stood.kind === 'refused' ? `${stood.reason}, ${stood.secondsLeft}` : stood.kind;
}

describe('the ground', () => {
  const known: UserState = {
    ...noState,
    known: [
      { source: 'other', day: 1 },
      { source: home, day: 1 },
    ],
  };
  it('is a known place, an administrator’s own, or that of all strangers', () => {
    expect(ruling(noState)).toMatchObject({ scopeId: unknownSources });
    expect(ruling(known)).toMatchObject({ scopeId: home });
    expect(ruling(noState, { as: 'administrator' })).toMatchObject({ scopeId: home });
    expect(ruling(noState, { as: 'super' })).toMatchObject({ scopeId: home });
  });
});

describe('a lockout (2)', () => {
  it('refuses a single factor, and both where such are not judged', () => {
    expect(words(lockedOut)).toBe('too many failures, 300');
    expect(words(lockedOut, both)).toBe('combined');
    expect(words(lockedOut, both, { judgesRefused: false })).toBe('too many failures, 300');
    const refusal = { kind: 'refused', reason: 'too many failures', secondsLeft: 300 };
    expect(ruling(lockedOut, both)).toEqual({
      ...{ kind: 'combined', scopeId: unknownSources, passwordsLeft: Number.POSITIVE_INFINITY },
      ...{ hidden: undefined, refusal },
    });
  });

  it('lets the answer to a challenge be judged that began no later', () => {
    const answer = (begun: number) => ({ combined: { answer: { begun } } });
    expect([words(lockedOut, answer(now)), words(lockedOut, answer(now + 1))]).toEqual([
      ...['combined', 'too many failures, 300'],
    ]);
  });

  it('never refuses a super administrator, but for a block', () => {
    const there: UserState = {
      ...noState,
      scopes: { [home]: { streak, countsAsUnknown: true } },
      wrongPasswords: 100,
    };
    const asSuper = { as: 'super' } as const;
    expect(words(there, asSuper, { hasNoTokens: true, areCodesCapped: true })).toBe('separate');
    expect(words(there, { as: 'administrator' })).toBe('too many failures, 300');
    const blocked = { ...there, block: { start: now, length: null } };
    expect(words(blocked, asSuper)).toBe('an administrator has blocked the user, undefined');
  });

  it('tells the seconds that are left, rounded up, or nothing where an administrator ends it', () => {
    const at = (later: number) => words(lockedOut, {}, { now: now + later });
    expect([at(1), at(299_999), at(300_000)]).toEqual([
      ...['too many failures, 300', 'too many failures, 1', 'separate'],
    ]);
    const endless = { ...streak, lockout: { start: now, length: null } };
    expect(words({ ...noState, scopes: { strangers: { streak: endless } } })).toBe(
      'too many failures, undefined',
    );
  });
});

describe('the daily quota (3)', () => {
  const usedUp = (quiet: number, more: object = {}): UserState => ({
    ...noState,
    scopes: { strangers: { quota: { count: 10, start: now - 1000, combined: quiet }, ...more } },
  });
  const halfRight = (seconds: number) => `the daily quota of partial successes is used up, ${seconds}`;

  it('refuses all of it, for the longer of quota and lockout', () => {
    expect(words(usedUp(0), both)).toBe(halfRight(86_399));
    const longer = { ...streak, lockout: { start: now, length: 2 * day } };
    expect(words(usedUp(0, { streak: longer }), both)).toBe(halfRight(172_800));
    expect(words(usedUp(0), both, { now: now - 1000 + day })).toBe('separate');
  });

  it('dooms attempts without a word where attempts under a lockout have used it up', () => {
    const hidden = { kind: 'refused', reason: 'the daily quota of partial successes is used up' };
    expect(ruling(usedUp(1), both)).toMatchObject({ kind: 'separate', hidden });
    expect(ruling(usedUp(1, { streak }), both)).toMatchObject({ kind: 'combined', hidden });
    expect(words(usedUp(1, { streak }))).toBe('too many failures, 300');
  });
});

describe('a place without failures left (4)', () => {
  const hasNoTokens = true;
  it('is judged for whom it is known to, and for others together', () => {
    expect(words(noState, {}, { hasNoTokens })).toBe('too many failures at the source, 3');
    expect(words(noState, both, { hasNoTokens })).toBe('combined');
    expect(words({ ...noState, known: [{ source: home, day: 1 }] }, {}, { hasNoTokens })).toBe('separate');
    expect(words(noState, { as: 'administrator' }, { hasNoTokens })).toBe('separate');
    expect(words(lockedOut, {}, { now: now + 299_000, hasNoTokens })).toBe('too many failures, 3');
    expect(sourceRefusal(now)).toEqual({
      ...{ kind: 'refused', reason: 'too many failures at the source', secondsLeft: 3 },
    });
  });
});

describe('an authenticator cap (6)', () => {
  const capped: UserState = { ...noState, wrongPasswords: 100 };
  it('refuses strangers who try it alone, until an administrator ends it', () => {
    expect(words({ ...noState, wrongPasswords: 99 })).toBe('separate');
    expect(words(capped)).toBe('too many wrong passwords, undefined');
    expect(words(capped, both)).toBe('combined');
    expect(words(capped, { combined: { answer: { begun: now + 1 } } })).toBe('combined');
    expect(words(capped, { withoutPassword: { password: false, codes: ['t'] } })).toBe('separate');
    expect(words(noState, {}, { areCodesCapped: true })).toBe('too many wrong codes, undefined');
  });

  it('refuses an administrator where too much has failed, and nobody at a known place', () => {
    const lost = {
      ...capped,
      scopes: { [home]: { streak: { ...streak, lockout: { start: 0, length: 1 } } } },
    };
    const administrator = { as: 'administrator' } as const;
    expect(words(lost, administrator)).toBe('separate');
    const marked: UserState = {
      ...lost,
      scopes: { [home]: { ...lost.scopes[home], countsAsUnknown: true } },
    };
    expect(words(marked, administrator)).toBe('too many wrong passwords, undefined');
    expect(words({ ...capped, known: [{ source: home, day: 1 }] })).toBe('separate');
  });
});

describe('the budget of the directory (9)', () => {
  const directoryFailures = { most: 2, minutes: 30 };
  const spent = (count: number): UserState => ({ ...noState, budget: { count, start: now } });

  it('refuses strangers all of it, for the longer of budget and lockout', () => {
    const why = 'the directory would lock the user';
    expect(ruling(spent(1), {}, { directoryFailures })).toMatchObject({ kind: 'separate', passwordsLeft: 1 });
    for (const count of [2, 3]) expect(words(spent(count), both, { directoryFailures })).toBe(`${why}, 1800`);
    const longer = { ...streak, lockout: { start: now, length: 3_600_000 } };
    const lockedOutToo = { ...spent(2), scopes: { strangers: { streak: longer } } };
    expect(words(lockedOutToo, both, { directoryFailures })).toBe(`${why}, 3600`);
    const known = { ...spent(2), known: [{ source: home, day: 1 }] };
    expect(words(known, {}, { directoryFailures })).toBe('separate');
    expect(words(spent(2))).toBe('separate');
  });
});

it('tells of several refusals the one that lasts longest', () => {
  const refused = (secondsLeft: number | undefined) =>
    ({ kind: 'refused', reason: '', secondsLeft }) as const;
  expect(longest([])).toBeUndefined();
  expect(longest([refused(1), refused(3), refused(2)])?.secondsLeft).toBe(3);
  expect(longest([refused(1), refused(undefined), refused(2)])).toEqual(refused(undefined));
});
