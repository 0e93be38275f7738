/** What is kept of a user, as it is at a moment: what is over is gone, and what a clock ahead has written begins now. */
import { describe, expect, it } from 'vitest';
import { day } from './interval.ts';
import {
  formatState,
  noState,
  recordOf,
  scopeAt,
  stateNow,
  type UserState,
  withoutForgotten,
} from './user-state.ts';

const now = 20_000 * day + 1234;
const today = 20_000;
const source = 'a1b2c3d4'.repeat(4);
const other = '0123456789abcdef'.repeat(2);
const directoryFailures = { most: 3, minutes: 30 };
const terms = (moment = now, of: typeof directoryFailures | undefined = directoryFailures) => ({
  ...{ now: moment, directoryFailures: of },
});
const text = (state: UserState) => Buffer.from(formatState(state));
const read = (state: UserState, moment?: number, of?: typeof directoryFailures) =>
  stateNow(text(state), terms(moment, of));
const known = [{ source, day: today }];
const streak = (at = now) => ({ failures: 1, level: 0, at });

it('is nothing where nothing is kept', () => {
  expect(stateNow(undefined, terms())).toEqual({ state: noState, isAheadOfClock: false });
});

describe('what is over', () => {
  it.each<[string, UserState, number]>([
    ['a row', { ...noState, scopes: { strangers: { streak: streak() } } }, 8 * day],
    ['a daily quota', { ...noState, scopes: { strangers: { quota: { count: 1, start: now } } } }, day],
    ['a budget', { ...noState, budget: { count: 1, start: now } }, 1_800_000],
    ['a block', { ...noState, block: { start: now, length: 1000 } }, 1000],
    ['a known place', { ...noState, known: [{ source, day: today }] }, 31 * day - 1234],
    [
      'a known place of another kind',
      { ...noState, known: [{ source: 'short', day: today }] },
      31 * day - 1234,
    ],
  ])('%s stays until then, and is gone then', (_, state, life) => {
    expect(read(state, now + life - 1)).toEqual({ state, isAheadOfClock: false });
    const { state: left, isAheadOfClock } = read(state, now + life);
    expect([left, isAheadOfClock]).toStrictEqual([noState, false]);
    expect(recordOf(state, terms())?.seconds).toBe(Math.ceil(life / 1000));
  });

  it('leaves a ground that has something else', () => {
    const strangers = { streak: streak(now - 8 * day), quota: { count: 1, start: now } };
    const scopes = { strangers, home: { streak: streak() } };
    expect(read({ ...noState, scopes }).state.scopes).toEqual({
      ...{ strangers: { quota: strangers.quota }, home: { streak: streak() } },
    });
  });

  it('leaves wrong passwords, and an endless block, for ever', () => {
    for (const state of [
      { ...noState, wrongPasswords: 1 },
      { ...noState, block: { start: now, length: null } },
    ]) {
      expect(read(state, now + 9999 * day)).toEqual({ state, isAheadOfClock: false });
      expect(recordOf(state, terms())?.seconds).toBe(100 * 365 * 86_400);
    }
  });

  it('is what a ground was lost for: it goes with its row', () => {
    const lost: UserState = { ...noState, scopes: { home: { streak: streak(), countsAsUnknown: true } } };
    expect(read(lost).state).toEqual(lost);
    expect(read(lost, now + 8 * day).state).toEqual(noState);
    const kept: UserState = { ...noState, scopes: { home: { streak: streak() } } };
    expect(read(kept).state.scopes.home).not.toHaveProperty('isLost');
  });

  it('is a budget without the setting', () => {
    const state: UserState = { ...noState, budget: { count: 1, start: now } };
    expect(stateNow(text(state), { now, directoryFailures: undefined }).state).toEqual(noState);
    expect(recordOf(state, { now, directoryFailures: undefined })).toBeNull();
  });
});

describe('a clock that was ahead', () => {
  const ahead = now + 1;
  it.each<[string, UserState, UserState]>([
    [
      'a known place',
      { ...noState, known: [{ source, day: today + 1 }] },
      { ...noState, known: [{ source, day: today }] },
    ],
    [
      'a row',
      { ...noState, scopes: { strangers: { streak: streak(ahead) } } },
      { ...noState, scopes: { strangers: { streak: streak() } } },
    ],
    [
      'a refusal',
      {
        ...noState,
        scopes: { strangers: { streak: { ...streak(), lockout: { start: ahead, length: 9 } } } },
      },
      { ...noState, scopes: { strangers: { streak: { ...streak(), lockout: { start: now, length: 9 } } } } },
    ],
    [
      'a daily quota',
      { ...noState, scopes: { strangers: { quota: { count: 1, start: ahead } } } },
      { ...noState, scopes: { strangers: { quota: { count: 1, start: now } } } },
    ],
    [
      'a budget',
      { ...noState, budget: { count: 1, start: ahead } },
      { ...noState, budget: { count: 1, start: now } },
    ],
    [
      'a block',
      { ...noState, block: { start: ahead, length: 9 } },
      { ...noState, block: { start: now, length: 9 } },
    ],
  ])('has %s begin now, and have it written anew', (_, state, corrected) => {
    expect(read(state)).toEqual({ state: corrected, isAheadOfClock: true });
    expect(read(state, ahead + day).isAheadOfClock).toBe(false);
    expect(read(corrected)).toEqual({ state: corrected, isAheadOfClock: false });
  });
});

it('was not ahead at the first moment of a day', () => {
  expect(read({ ...noState, known, block: { start: 0, length: null } }, today * day).isAheadOfClock).toBe(
    false,
  );
});

describe('what is read', () => {
  it('is the same object for the same text', () => {
    const state: UserState = { ...noState, wrongPasswords: 3 };
    expect(read(state).state.wrongPasswords).toBe(3);
    expect(read({ ...state, known }).state).toEqual({ ...state, known });
    expect(read({ ...noState, known }).state).toEqual({ ...noState, known });
  });

  it('of a ground is what stands at its id', () => {
    const scopes = { a: { streak: streak() }, b: {} };
    expect([scopeAt({ scopes }, 'a'), scopeAt({ scopes }, 'c')]).toEqual([scopes.a, undefined]);
  });
});

it('forgets what was counted at places that are known no more, and at no other', () => {
  const scopes = {
    [source]: { streak: streak() },
    [other]: { streak: streak() },
    strangers: { streak: streak() },
  };
  const both = [...known, { source: other, day: today }];
  expect(Object.keys(withoutForgotten(scopes, both, known))).toEqual([source, 'strangers']);
  expect(withoutForgotten(scopes, both, [])).toEqual({ strangers: { streak: streak() } });
  expect(withoutForgotten(scopes, known, both)).toEqual(scopes);
});

it('reads and writes the record of the first release', () => {
  const span = { start: now - 1, length: 1000 };
  const record = {
    known: [{ place: 'home', day: Math.floor(now / day) }],
    grounds: {
      home: { row: { failures: 0, level: 1, refusal: span, at: now } },
      strangers: {
        row: { failures: 2, level: 0, at: now },
        allowance: { count: 3, start: now - 1, quiet: 2 },
      },
      desk: { row: { failures: 1, level: 0, at: now }, isLost: true },
      late: { allowance: { count: 1, start: now } },
    },
    wrongPasswords: 7,
    block: span,
  };
  const { state } = stateNow(Buffer.from(JSON.stringify(record)), terms());
  expect(state).toEqual({
    known: [{ source: 'home', day: record.known[0]?.day }],
    scopes: {
      home: { streak: { failures: 0, level: 1, lockout: span, at: now } },
      strangers: {
        streak: { failures: 2, level: 0, at: now },
        quota: { count: 3, start: now - 1, combined: 2 },
      },
      desk: { streak: { failures: 1, level: 0, at: now }, countsAsUnknown: true },
      late: { quota: { count: 1, start: now } },
    },
    wrongPasswords: 7,
    block: span,
  });
  expect(JSON.parse(formatState(state))).toEqual(record);
});
