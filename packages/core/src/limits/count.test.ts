/** What one attempt makes of a user's state, rule by rule. */
import { describe, expect, it } from 'vitest';
import { afterAttempt, type CountedAttempt } from './count.ts';
import { day } from './interval.ts';
import { dayOf } from './known-sources.ts';
import type { LimitsAttempt } from './limits-attempt.ts';
import { unknownSources } from './source.ts';
import { noState, type UserState } from './user-state.ts';

const now = 20_000 * day + 1234;
const source = { id: 'home', words: 'home', buckets: [] };
const attempt: Pick<LimitsAttempt, 'source' | 'rules' | 'as'> = {
  ...{ source, rules: { maxTries: 5, blockTime: 300 } },
};
const failed = (judged: Partial<CountedAttempt['result']> = {}): CountedAttempt => ({
  ...{ attempt, scopeId: unknownSources, kind: 'separate', isCodeCapped: false, now },
  result: { end: 'failed', ...judged },
});
const granted = (judged: Partial<CountedAttempt['result']> = {}): CountedAttempt => ({
  ...failed(),
  result: { end: 'granted', ...judged },
});
const streak = (failures: number, at = now) => ({ failures, level: 0, at });
const known: UserState = { ...noState, known: [{ source: 'home', day: dayOf(now) }] };
const kinds = (before: UserState, attempt: CountedAttempt) =>
  afterAttempt(before, attempt).happened.map(({ kind }) => kind);

describe('failure streak', () => {
  it('counts where it was judged alone, and locks out with the fifth', () => {
    const { state, happened } = afterAttempt(noState, failed());
    expect([state, happened]).toEqual([{ ...noState, scopes: { strangers: { streak: streak(1) } } }, []]);
    const before: UserState = { ...noState, scopes: { strangers: { streak: streak(4) } } };
    expect(afterAttempt(before, failed()).happened).toEqual([
      { kind: 'lockout', isKnown: false, until: now + 300_000 },
    ]);
    const endless = { ...attempt, rules: { maxTries: 1, blockTime: 0 } };
    expect(afterAttempt(noState, { ...failed(), attempt: endless }).happened).toEqual([
      { kind: 'lockout', isKnown: false, until: undefined },
    ]);
    expect(afterAttempt(noState, { ...failed(), attempt: endless, scopeId: 'home' }).happened).toEqual([
      { kind: 'lockout', isKnown: true, until: now + 300_000 },
    ]);
  });

  it('counts for nobody where nothing was judged, or a certificate failed', () => {
    const budget = { count: 1, start: now };
    for (const judged of [{ end: 'neither' }, { costsSourceOnly: true }] as const) {
      expect(afterAttempt(noState, failed({ wrongPasswords: 1, ...judged })).state).toBe(noState);
      expect(afterAttempt(noState, failed({ ...judged, budgetSpent: 1 })).state).toEqual({
        ...noState,
        budget,
      });
    }
  });

  it('of both factors counts for no user during a lockout, and a partial success towards the daily quota and the caps only', () => {
    const wrong = { ...failed({ wrongPasswords: 3 }), kind: 'combined' } as const;
    expect(afterAttempt(noState, wrong)).toEqual({ state: noState, happened: [] });
    const half = { ...failed({ wrongPasswords: 3, isPartialSuccess: true }), kind: 'combined' } as const;
    const quota = { count: 1, start: now, combined: 1 };
    expect(afterAttempt(noState, half).state).toEqual({
      ...noState,
      wrongPasswords: 3,
      scopes: { strangers: { quota } },
    });
  });
});

describe('partial success', () => {
  const counted = (count: number): UserState => ({
    ...noState,
    scopes: { strangers: { quota: { count, start: now - 1 } } },
  });
  it('counts once, and is told where it was the tenth', () => {
    const half = failed({ isPartialSuccess: true });
    expect(afterAttempt(noState, half).state.scopes).toEqual({
      strangers: { quota: { count: 1, start: now }, streak: streak(1) },
    });
    expect(kinds(counted(8), half)).toEqual([]);
    expect(afterAttempt(counted(9), half).happened).toEqual([
      { kind: 'daily_quota', isKnown: false, until: now - 1 + day },
    ]);
    expect(kinds(counted(10), half)).toEqual([]);
    expect(afterAttempt(counted(9), failed()).state.scopes).toMatchObject(counted(9).scopes);
    const there = { ...noState, scopes: { home: { quota: { count: 9, start: now } } } };
    expect(afterAttempt(there, { ...half, scopeId: 'home' }).happened).toMatchObject([{ isKnown: true }]);
  });
});

describe('authenticator cap of the password', () => {
  it('count at each ground, and close the password at the hundredth, which is told once', () => {
    const at = (wrongPasswords: number): UserState => ({ ...noState, wrongPasswords });
    const two = failed({ wrongPasswords: 2 });
    expect(kinds(at(97), two)).toEqual([]);
    expect(afterAttempt(at(98), two)).toMatchObject({
      ...{ state: { wrongPasswords: 100 }, happened: [{ kind: 'authenticator_cap', key: undefined }] },
    });
    expect(kinds(at(100), two)).toEqual([]);
    expect(afterAttempt(at(98), failed()).state.wrongPasswords).toBe(98);
  });

  it('and codes take a known place away where a hundred are wrong and MaxTries more fail', () => {
    const at = (wrongPasswords: number, ground = 'home'): UserState => ({
      ...{ ...known, wrongPasswords },
      scopes: { [ground]: { streak: streak(4) }, other: { streak: streak(2) } },
    });
    const fails = (judged: Partial<CountedAttempt['result']>, more: Partial<CountedAttempt> = {}) =>
      ({ ...failed(judged), scopeId: 'home', ...more }) as const;
    const lost = afterAttempt(at(99), fails({ wrongPasswords: 1 }));
    expect([lost.state.known, lost.state.scopes]).toEqual([[], { other: { streak: streak(2) } }]);
    expect(lost.happened.map(({ kind }) => kind)).toEqual([
      'authenticator_cap',
      'lockout',
      'source_forgotten',
    ]);
    expect(kinds(at(98), fails({ wrongPasswords: 1 }))).toEqual(['lockout']);
    expect(kinds(at(100), fails({}))).toEqual(['lockout']);
    expect(kinds(at(0), fails({}, { isCodeCapped: true }))).toEqual(['lockout', 'source_forgotten']);
    const strange = fails({ wrongPasswords: 1 }, { scopeId: unknownSources });
    expect(kinds(at(100, unknownSources), strange)).toEqual(['lockout']);
    const fourth: UserState = { ...at(100), scopes: { home: { streak: streak(3) } } };
    expect(kinds(fourth, fails({ wrongPasswords: 1 }))).toEqual([]);
    const more: UserState = { ...at(100), known: [...known.known, { source: 'other', day: 1 }] };
    expect(afterAttempt(more, fails({ wrongPasswords: 1 })).state.known).toEqual([
      { source: 'other', day: 1 },
    ]);
  });

  it('mark the ground of an administrator, which is listed nowhere', () => {
    const administrator = { ...attempt, as: 'administrator' } as const;
    const before: UserState = { ...noState, wrongPasswords: 100, scopes: { home: { streak: streak(4) } } };
    const { state } = afterAttempt(before, {
      ...{ ...failed({ wrongPasswords: 1 }), attempt: administrator, scopeId: 'home' },
    });
    expect(state.scopes.home).toMatchObject({ countsAsUnknown: true, streak: { level: 1 } });
  });
});

describe('full success', () => {
  const before: UserState = {
    ...{ known: known.known, wrongPasswords: 7 },
    scopes: {
      home: { streak: streak(3, now - 5), quota: { count: 2, start: now } },
      strangers: { streak: streak(2) },
    },
  };
  const at = (scopeId: string, judged: Partial<CountedAttempt['result']> = {}, as?: LimitsAttempt['as']) =>
    afterAttempt(before, { ...granted(judged), scopeId, attempt: { ...attempt, as } });

  it('ends the row of its own ground, and the wrong passwords if it used one', () => {
    const { state, happened } = at('home', { used: ['password'] });
    expect([state, happened]).toEqual([
      {
        ...before,
        wrongPasswords: 0,
        scopes: { ...before.scopes, home: { ...before.scopes.home, streak: streak(0) } },
      },
      [],
    ]);
    expect(at('home', { used: ['t'] }).state.wrongPasswords).toBe(7);
    expect(at('home').state.wrongPasswords).toBe(7);
    expect(at(unknownSources).state.scopes.home).toEqual(before.scopes.home);
  });

  it('makes the place known, but for an administrator', () => {
    const today = [{ source: 'home', day: dayOf(now) }];
    expect(afterAttempt(noState, granted()).state.known).toEqual(today);
    const administrator = { ...granted(), attempt: { ...attempt, as: 'administrator' } } as const;
    expect(afterAttempt(noState, administrator).state).toBe(noState);
  });

  it('changes nothing at a known place where nothing has failed', () => {
    const quiet: UserState = { ...known, scopes: { home: { streak: streak(0, now - 9) } } };
    for (const state of [known, quiet])
      expect(afterAttempt(state, { ...granted({ used: ['password'] }), scopeId: 'home' }).state).toBe(state);
  });

  it('writes each of what it changes', () => {
    const changed = [
      { ...known, wrongPasswords: 1 },
      { ...known, scopes: { home: { streak: streak(1) } } },
      { ...noState, known: [{ source: 'home', day: dayOf(now) - 1 }] },
    ];
    for (const state of changed) {
      const after = afterAttempt(state, { ...granted({ used: ['password'] }), scopeId: 'home' }).state;
      expect([after.known, after.wrongPasswords, after.scopes.home?.streak?.failures ?? 0]).toEqual([
        ...[known.known, 0, 0],
      ]);
    }
  });
});

describe('super administrator', () => {
  const asSuper = { ...failed(), attempt: { ...attempt, as: 'super' }, scopeId: 'home' } as const;

  it('is never locked out: failures are counted on', () => {
    expect(afterAttempt(noState, asSuper).state.scopes).toEqual({ home: { streak: streak(1) } });
    const many: UserState = { ...noState, scopes: { home: { streak: streak(104) } } };
    expect(afterAttempt(many, asSuper)).toEqual({
      ...{ state: { ...noState, scopes: { home: { streak: streak(105) } } }, happened: [] },
    });
  });

  it('has delays at 64 addresses, of which the oldest goes; what is refused is never forgotten', () => {
    const delays = Object.fromEntries(
      Array.from({ length: 64 }, (_, n) => [`at${n}`, { streak: streak(1, now - 100 + n) }]),
    );
    const refusal = { start: now, length: 1 };
    const kept = {
      strangers: { streak: streak(1, 1) },
      refused: { streak: { ...streak(0, 1), lockout: refusal } },
      half: { streak: streak(1, 1), quota: { count: 1, start: 1 } },
      lost: { streak: streak(1, 1), countsAsUnknown: true },
      noRow: { quota: { count: 1, start: 1 } },
    } as const;
    const ids = (scopes: UserState['scopes']) =>
      Object.keys(afterAttempt({ ...noState, scopes }, asSuper).state.scopes);
    const { at0, ...others } = delays;
    expect(ids({ ...delays, ...kept })).toEqual([...Object.keys(others), ...Object.keys(kept), 'home']);
    expect(ids({ ...others, ...kept })).toEqual([...Object.keys(others), ...Object.keys(kept), 'home']);
    expect(ids({ home: { streak: streak(1) }, ...others })).toHaveLength(64);
    const few = Object.fromEntries(Object.entries(delays).slice(0, 40));
    expect(ids(few)).toHaveLength(41);
    const reversed = Object.fromEntries(Object.entries(delays).reverse());
    expect(ids(reversed)).not.toContain('at0');
    expect(at0).toBeDefined();
  });
});

describe('directory budget', () => {
  it('counts for strangers, whatever came of it', () => {
    const budget = { count: 2, start: now };
    expect(afterAttempt(noState, failed({ budgetSpent: 2 })).state.budget).toEqual(budget);
    expect(afterAttempt(noState, granted({ budgetSpent: 2 })).state.budget).toEqual(budget);
    expect(afterAttempt(noState, failed({ budgetSpent: 0 })).state.budget).toBeUndefined();
    expect(
      afterAttempt(noState, { ...failed({ budgetSpent: 2 }), scopeId: 'home' }).state.budget,
    ).toBeUndefined();
  });
});
