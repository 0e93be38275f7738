/** What one attempt makes of a user's state, rule by rule. */
import { describe, expect, it } from 'vitest';
import type { LimitsAttempt } from './attempt.ts';
import { type Attempt, afterAttempt } from './count.ts';
import { dayOf } from './known-sources.ts';
import { unknownSources } from './source.ts';
import { day } from './span.ts';
import { noState, type UserState } from './user-state.ts';

const now = 20_000 * day + 1234;
const place = { id: 'home', words: 'home', buckets: [] };
const attempter: Pick<LimitsAttempt, 'place' | 'rules' | 'as'> = {
  ...{ place, rules: { maxTries: 5, blockTime: 300 } },
};
const failed = (judged: Partial<Attempt['judged']> = {}): Attempt => ({
  ...{ attempter, ground: unknownSources, kind: 'alone', isCodeClosed: false, now },
  judged: { end: 'failed', ...judged },
});
const granted = (judged: Partial<Attempt['judged']> = {}): Attempt => ({
  ...failed(),
  judged: { end: 'granted', ...judged },
});
const row = (failures: number, at = now) => ({ failures, level: 0, at });
const known: UserState = { ...noState, known: [{ place: 'home', day: dayOf(now) }] };
const kinds = (before: UserState, attempt: Attempt) =>
  afterAttempt(before, attempt).happened.map(({ kind }) => kind);

describe('rule 2: a failure', () => {
  it('counts where it was judged alone, and locks out with the fifth', () => {
    const { state, happened } = afterAttempt(noState, failed());
    expect([state, happened]).toEqual([{ ...noState, grounds: { strangers: { row: row(1) } } }, []]);
    const before: UserState = { ...noState, grounds: { strangers: { row: row(4) } } };
    expect(afterAttempt(before, failed()).happened).toEqual([
      { kind: 'refusal', isKnown: false, until: now + 300_000 },
    ]);
    const endless = { ...attempter, rules: { maxTries: 1, blockTime: 0 } };
    expect(afterAttempt(noState, { ...failed(), attempter: endless }).happened).toEqual([
      { kind: 'refusal', isKnown: false, until: undefined },
    ]);
    expect(afterAttempt(noState, { ...failed(), attempter: endless, ground: 'home' }).happened).toEqual([
      { kind: 'refusal', isKnown: true, until: now + 300_000 },
    ]);
  });

  it('counts for nobody where nothing was judged, or a certificate failed', () => {
    const budget = { count: 1, start: now };
    for (const judged of [{ end: 'neither' }, { costsPlaceOnly: true }] as const) {
      expect(afterAttempt(noState, failed({ wrongPasswords: 1, ...judged })).state).toBe(noState);
      expect(afterAttempt(noState, failed({ ...judged, passedOn: 1 })).state).toEqual({ ...noState, budget });
    }
  });

  it('of both factors counts for nobody under a refusal, and a partial success for rules 3 and 6 only', () => {
    const wrong = { ...failed({ wrongPasswords: 3 }), kind: 'together' } as const;
    expect(afterAttempt(noState, wrong)).toEqual({ state: noState, happened: [] });
    const half = { ...failed({ wrongPasswords: 3, isPartialSuccess: true }), kind: 'together' } as const;
    const allowance = { count: 1, start: now, quiet: 1 };
    expect(afterAttempt(noState, half).state).toEqual({
      ...noState,
      wrongPasswords: 3,
      grounds: { strangers: { allowance } },
    });
  });
});

describe('rule 3: a partial success', () => {
  const counted = (count: number): UserState => ({
    ...noState,
    grounds: { strangers: { allowance: { count, start: now - 1 } } },
  });
  it('counts once, and is told where it was the tenth', () => {
    const half = failed({ isPartialSuccess: true });
    expect(afterAttempt(noState, half).state.grounds).toEqual({
      strangers: { allowance: { count: 1, start: now }, row: row(1) },
    });
    expect(kinds(counted(8), half)).toEqual([]);
    expect(afterAttempt(counted(9), half).happened).toEqual([
      { kind: 'allowance', isKnown: false, until: now - 1 + day },
    ]);
    expect(kinds(counted(10), half)).toEqual([]);
    expect(afterAttempt(counted(9), failed()).state.grounds).toMatchObject(counted(9).grounds);
    const there = { ...noState, grounds: { home: { allowance: { count: 9, start: now } } } };
    expect(afterAttempt(there, { ...half, ground: 'home' }).happened).toMatchObject([{ isKnown: true }]);
  });
});

describe('rule 6: wrong passwords', () => {
  it('count at each ground, and close the password at the hundredth, which is told once', () => {
    const at = (wrongPasswords: number): UserState => ({ ...noState, wrongPasswords });
    const two = failed({ wrongPasswords: 2 });
    expect(kinds(at(97), two)).toEqual([]);
    expect(afterAttempt(at(98), two)).toMatchObject({
      ...{ state: { wrongPasswords: 100 }, happened: [{ kind: 'closed', key: undefined }] },
    });
    expect(kinds(at(100), two)).toEqual([]);
    expect(afterAttempt(at(98), failed()).state.wrongPasswords).toBe(98);
  });

  it('and codes take a known place away where a hundred are wrong and MaxTries more fail', () => {
    const at = (wrongPasswords: number, ground = 'home'): UserState => ({
      ...{ ...known, wrongPasswords },
      grounds: { [ground]: { row: row(4) }, other: { row: row(2) } },
    });
    const fails = (judged: Partial<Attempt['judged']>, more: Partial<Attempt> = {}) =>
      ({ ...failed(judged), ground: 'home', ...more }) as const;
    const lost = afterAttempt(at(99), fails({ wrongPasswords: 1 }));
    expect([lost.state.known, lost.state.grounds]).toEqual([[], { other: { row: row(2) } }]);
    expect(lost.happened.map(({ kind }) => kind)).toEqual(['closed', 'refusal', 'forgotten']);
    expect(kinds(at(98), fails({ wrongPasswords: 1 }))).toEqual(['refusal']);
    expect(kinds(at(100), fails({}))).toEqual(['refusal']);
    expect(kinds(at(0), fails({}, { isCodeClosed: true }))).toEqual(['refusal', 'forgotten']);
    const strange = fails({ wrongPasswords: 1 }, { ground: unknownSources });
    expect(kinds(at(100, unknownSources), strange)).toEqual(['refusal']);
    const fourth: UserState = { ...at(100), grounds: { home: { row: row(3) } } };
    expect(kinds(fourth, fails({ wrongPasswords: 1 }))).toEqual([]);
    const more: UserState = { ...at(100), known: [...known.known, { place: 'other', day: 1 }] };
    expect(afterAttempt(more, fails({ wrongPasswords: 1 })).state.known).toEqual([
      { place: 'other', day: 1 },
    ]);
  });

  it('mark the ground of an administrator, which is listed nowhere', () => {
    const administrator = { ...attempter, as: 'administrator' } as const;
    const before: UserState = { ...noState, wrongPasswords: 100, grounds: { home: { row: row(4) } } };
    const { state } = afterAttempt(before, {
      ...{ ...failed({ wrongPasswords: 1 }), attempter: administrator, ground: 'home' },
    });
    expect(state.grounds.home).toMatchObject({ isLost: true, row: { level: 1 } });
  });
});

describe('rule 7: a full success', () => {
  const before: UserState = {
    ...{ known: known.known, wrongPasswords: 7 },
    grounds: {
      home: { row: row(3, now - 5), allowance: { count: 2, start: now } },
      strangers: { row: row(2) },
    },
  };
  const at = (ground: string, judged: Partial<Attempt['judged']> = {}, as?: LimitsAttempt['as']) =>
    afterAttempt(before, { ...granted(judged), ground, attempter: { ...attempter, as } });

  it('ends the row of its own ground, and the wrong passwords if it used one', () => {
    const { state, happened } = at('home', { used: ['password'] });
    expect([state, happened]).toEqual([
      {
        ...before,
        wrongPasswords: 0,
        grounds: { ...before.grounds, home: { ...before.grounds.home, row: row(0) } },
      },
      [],
    ]);
    expect(at('home', { used: ['t'] }).state.wrongPasswords).toBe(7);
    expect(at('home').state.wrongPasswords).toBe(7);
    expect(at(unknownSources).state.grounds.home).toEqual(before.grounds.home);
  });

  it('makes the place known, but for an administrator', () => {
    const today = [{ place: 'home', day: dayOf(now) }];
    expect(afterAttempt(noState, granted()).state.known).toEqual(today);
    const administrator = { ...granted(), attempter: { ...attempter, as: 'administrator' } } as const;
    expect(afterAttempt(noState, administrator).state).toBe(noState);
  });

  it('changes nothing at a known place where nothing has failed', () => {
    const quiet: UserState = { ...known, grounds: { home: { row: row(0, now - 9) } } };
    for (const state of [known, quiet])
      expect(afterAttempt(state, { ...granted({ used: ['password'] }), ground: 'home' }).state).toBe(state);
  });

  it('writes each of what it changes', () => {
    const changed = [
      { ...known, wrongPasswords: 1 },
      { ...known, grounds: { home: { row: row(1) } } },
      { ...noState, known: [{ place: 'home', day: dayOf(now) - 1 }] },
    ];
    for (const state of changed) {
      const after = afterAttempt(state, { ...granted({ used: ['password'] }), ground: 'home' }).state;
      expect([after.known, after.wrongPasswords, after.grounds.home?.row?.failures ?? 0]).toEqual([
        ...[known.known, 0, 0],
      ]);
    }
  });
});

describe('rule 8: a super administrator', () => {
  const asSuper = { ...failed(), attempter: { ...attempter, as: 'super' }, ground: 'home' } as const;

  it('is never locked out: failures are counted on', () => {
    expect(afterAttempt(noState, asSuper).state.grounds).toEqual({ home: { row: row(1) } });
    const many: UserState = { ...noState, grounds: { home: { row: row(104) } } };
    expect(afterAttempt(many, asSuper)).toEqual({
      ...{ state: { ...noState, grounds: { home: { row: row(105) } } }, happened: [] },
    });
  });

  it('has delays at 64 addresses, of which the oldest goes; what is refused is never forgotten', () => {
    const delays = Object.fromEntries(
      Array.from({ length: 64 }, (_, n) => [`at${n}`, { row: row(1, now - 100 + n) }]),
    );
    const refusal = { start: now, length: 1 };
    const kept = {
      strangers: { row: row(1, 1) },
      refused: { row: { ...row(0, 1), refusal } },
      half: { row: row(1, 1), allowance: { count: 1, start: 1 } },
      lost: { row: row(1, 1), isLost: true },
      noRow: { allowance: { count: 1, start: 1 } },
    } as const;
    const ids = (grounds: UserState['grounds']) =>
      Object.keys(afterAttempt({ ...noState, grounds }, asSuper).state.grounds);
    const { at0, ...others } = delays;
    expect(ids({ ...delays, ...kept })).toEqual([...Object.keys(others), ...Object.keys(kept), 'home']);
    expect(ids({ ...others, ...kept })).toEqual([...Object.keys(others), ...Object.keys(kept), 'home']);
    expect(ids({ home: { row: row(1) }, ...others })).toHaveLength(64);
    const few = Object.fromEntries(Object.entries(delays).slice(0, 40));
    expect(ids(few)).toHaveLength(41);
    const reversed = Object.fromEntries(Object.entries(delays).reverse());
    expect(ids(reversed)).not.toContain('at0');
    expect(at0).toBeDefined();
  });
});

describe('rule 9: what was passed on to the directory', () => {
  it('counts for strangers, whatever came of it', () => {
    const budget = { count: 2, start: now };
    expect(afterAttempt(noState, failed({ passedOn: 2 })).state.budget).toEqual(budget);
    expect(afterAttempt(noState, granted({ passedOn: 2 })).state.budget).toEqual(budget);
    expect(afterAttempt(noState, failed({ passedOn: 0 })).state.budget).toBeUndefined();
    expect(
      afterAttempt(noState, { ...failed({ passedOn: 2 }), ground: 'home' }).state.budget,
    ).toBeUndefined();
  });
});
