/** Whether an attempt is judged, and how: one rule after the other, by what is kept of the user. */
import { describe, expect, it } from 'vitest';
import { alice } from '../testing/bed/limits-ground.ts';
import { type Circumstances, longest, placeRefusal, stand } from './admission-rules.ts';
import type { LimitsAttempt } from './attempt.ts';
import { unknownSources } from './source.ts';
import { day } from './span.ts';
import { noState, type UserState } from './user-state.ts';

const now = 20_000 * day + 1234;
const home = alice.place.id;
const around: Circumstances = {
  ...{ now, directoryFailures: undefined, isEmpty: false, areCodesClosed: false, judgesRefused: true },
};
const row = { failures: 0, level: 1, at: now, refusal: { start: now, length: 300_000 } };
const lockedOut: UserState = { ...noState, grounds: { strangers: { row } } };
const both = { together: 'both' } as const;

const standing = (
  state: UserState,
  more: Partial<LimitsAttempt> = {},
  circumstances: Partial<Circumstances> = {},
) => stand(state, { ...alice, ...more }, { ...around, ...circumstances });

/** `alone`, `together`, or why it is refused and for how many seconds. */
function words(...of: Parameters<typeof standing>): string {
  const stood = standing(...of);
  return stood.kind === 'refused' ? `${stood.why}, ${stood.secondsLeft}` : stood.kind;
}

describe('the ground', () => {
  const known: UserState = {
    ...noState,
    known: [
      { place: 'other', day: 1 },
      { place: home, day: 1 },
    ],
  };
  it('is a known place, an administrator’s own, or that of all strangers', () => {
    expect(standing(noState)).toMatchObject({ ground: unknownSources });
    expect(standing(known)).toMatchObject({ ground: home });
    expect(standing(noState, { as: 'administrator' })).toMatchObject({ ground: home });
    expect(standing(noState, { as: 'super' })).toMatchObject({ ground: home });
  });
});

describe('a lockout (2)', () => {
  it('refuses a single factor, and both where such are not judged', () => {
    expect(words(lockedOut)).toBe('too many failures, 300');
    expect(words(lockedOut, both)).toBe('together');
    expect(words(lockedOut, both, { judgesRefused: false })).toBe('too many failures, 300');
    const refusal = { kind: 'refused', why: 'too many failures', secondsLeft: 300 };
    expect(standing(lockedOut, both)).toEqual({
      ...{ kind: 'together', ground: unknownSources, passwordsLeft: Number.POSITIVE_INFINITY },
      ...{ untold: undefined, refusal },
    });
  });

  it('lets the answer to a challenge be judged that began no later', () => {
    const answer = (begun: number) => ({ together: { answer: { begun } } });
    expect([words(lockedOut, answer(now)), words(lockedOut, answer(now + 1))]).toEqual([
      ...['together', 'too many failures, 300'],
    ]);
  });

  it('never refuses a super administrator, but for a block', () => {
    const there: UserState = { ...noState, grounds: { [home]: { row, isLost: true } }, wrongPasswords: 100 };
    const asSuper = { as: 'super' } as const;
    expect(words(there, asSuper, { isEmpty: true, areCodesClosed: true })).toBe('alone');
    expect(words(there, { as: 'administrator' })).toBe('too many failures, 300');
    const blocked = { ...there, block: { start: now, length: null } };
    expect(words(blocked, asSuper)).toBe('an administrator has blocked the user, undefined');
  });

  it('tells the seconds that are left, rounded up, or nothing where an administrator ends it', () => {
    const at = (later: number) => words(lockedOut, {}, { now: now + later });
    expect([at(1), at(299_999), at(300_000)]).toEqual([
      ...['too many failures, 300', 'too many failures, 1', 'alone'],
    ]);
    const endless = { ...row, refusal: { start: now, length: null } };
    expect(words({ ...noState, grounds: { strangers: { row: endless } } })).toBe(
      'too many failures, undefined',
    );
  });
});

describe('the daily quota (3)', () => {
  const usedUp = (quiet: number, more: object = {}): UserState => ({
    ...noState,
    grounds: { strangers: { allowance: { count: 10, start: now - 1000, quiet }, ...more } },
  });
  const halfRight = (seconds: number) => `too many attempts were half right, ${seconds}`;

  it('refuses all of it, for the longer of quota and lockout', () => {
    expect(words(usedUp(0), both)).toBe(halfRight(86_399));
    const longer = { ...row, refusal: { start: now, length: 2 * day } };
    expect(words(usedUp(0, { row: longer }), both)).toBe(halfRight(172_800));
    expect(words(usedUp(0), both, { now: now - 1000 + day })).toBe('alone');
  });

  it('dooms attempts without a word where attempts under a lockout have used it up', () => {
    const untold = { kind: 'refused', why: 'too many attempts were half right' };
    expect(standing(usedUp(1), both)).toMatchObject({ kind: 'alone', untold });
    expect(standing(usedUp(1, { row }), both)).toMatchObject({ kind: 'together', untold });
    expect(words(usedUp(1, { row }))).toBe('too many failures, 300');
  });
});

describe('a place without failures left (4)', () => {
  const isEmpty = true;
  it('is judged for whom it is known to, and for others together', () => {
    expect(words(noState, {}, { isEmpty })).toBe('too many failures at the place, 3');
    expect(words(noState, both, { isEmpty })).toBe('together');
    expect(words({ ...noState, known: [{ place: home, day: 1 }] }, {}, { isEmpty })).toBe('alone');
    expect(words(noState, { as: 'administrator' }, { isEmpty })).toBe('alone');
    expect(words(lockedOut, {}, { now: now + 299_000, isEmpty })).toBe('too many failures, 3');
    expect(placeRefusal(now)).toEqual({
      ...{ kind: 'refused', why: 'too many failures at the place', secondsLeft: 3 },
    });
  });
});

describe('an authenticator cap (6)', () => {
  const capped: UserState = { ...noState, wrongPasswords: 100 };
  it('refuses strangers who try it alone, until an administrator ends it', () => {
    expect(words({ ...noState, wrongPasswords: 99 })).toBe('alone');
    expect(words(capped)).toBe('too many wrong passwords, undefined');
    expect(words(capped, both)).toBe('together');
    expect(words(capped, { together: { answer: { begun: now + 1 } } })).toBe('together');
    expect(words(capped, { alone: { password: false, codes: ['t'] } })).toBe('alone');
    expect(words(noState, {}, { areCodesClosed: true })).toBe('too many wrong codes, undefined');
  });

  it('refuses an administrator where too much has failed, and nobody at a known place', () => {
    const lost = { ...capped, grounds: { [home]: { row: { ...row, refusal: { start: 0, length: 1 } } } } };
    const administrator = { as: 'administrator' } as const;
    expect(words(lost, administrator)).toBe('alone');
    const marked: UserState = { ...lost, grounds: { [home]: { ...lost.grounds[home], isLost: true } } };
    expect(words(marked, administrator)).toBe('too many wrong passwords, undefined');
    expect(words({ ...capped, known: [{ place: home, day: 1 }] })).toBe('alone');
  });
});

describe('the budget of the directory (9)', () => {
  const directoryFailures = { most: 2, minutes: 30 };
  const spent = (count: number): UserState => ({ ...noState, budget: { count, start: now } });

  it('refuses strangers all of it, for the longer of budget and lockout', () => {
    const why = 'the directory would lock the user';
    expect(standing(spent(1), {}, { directoryFailures })).toMatchObject({ kind: 'alone', passwordsLeft: 1 });
    for (const count of [2, 3]) expect(words(spent(count), both, { directoryFailures })).toBe(`${why}, 1800`);
    const longer = { ...row, refusal: { start: now, length: 3_600_000 } };
    const lockedOutToo = { ...spent(2), grounds: { strangers: { row: longer } } };
    expect(words(lockedOutToo, both, { directoryFailures })).toBe(`${why}, 3600`);
    const known = { ...spent(2), known: [{ place: home, day: 1 }] };
    expect(words(known, {}, { directoryFailures })).toBe('alone');
    expect(words(spent(2))).toBe('alone');
  });
});

it('tells of several refusals the one that lasts longest', () => {
  const refused = (secondsLeft: number | undefined) => ({ kind: 'refused', why: '', secondsLeft }) as const;
  expect(longest([])).toBeUndefined();
  expect(longest([refused(1), refused(3), refused(2)])?.secondsLeft).toBe(3);
  expect(longest([refused(1), refused(undefined), refused(2)])).toEqual(refused(undefined));
});
