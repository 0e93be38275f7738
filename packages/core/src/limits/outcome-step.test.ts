/** Outcome of an attempt: counters, records, events and answer. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEvent } from '../ports/event-log/event-log.ts';
import type { CommitChanges } from '../ports/store/ledger.ts';
import { admittedTo, attemptAt, type Made } from '../testing/bed/attempts.ts';
import { alice, type Ground, openGround, placeAt } from '../testing/bed/limits-ground.ts';
import { wrongCodesKey, wrongCodesRecord } from './authenticator-cap.ts';
import {
  type Admitted,
  type AttemptOutcome,
  type AttemptResult,
  fixedOutcome,
  type LimitsAttempt,
  type PossibleOutcomes,
  type Reported,
} from './limits-attempt.ts';
import { releaseKeys } from './outcome-step.ts';

const granted: AttemptResult = { end: 'granted', used: ['password'] };
const wrong: AttemptResult = { end: 'failed', wrongPasswords: 1 };
const wrongCode = (key: string, afterPassword = false): AttemptResult => ({
  ...{ end: 'failed', isPartialSuccess: afterPassword, wrongCodes: [{ key, afterPassword }] },
});
const elsewhere = (n: number) => placeAt(`198.51.100.${n}`);

let ground: Ground;
let commits: CommitChanges<unknown>[];
let ephemeral: (readonly string[] | undefined)[];
let counted: string[];
beforeEach(async () => {
  commits = [];
  ephemeral = [];
  counted = [];
  ground = await openGround({
    meter: { count: (...of) => counted.push(JSON.stringify(of)) },
    watch: (store) => ({
      ...store,
      commit: (step) => {
        expect(new Set(step.durable).size, 'each key is named once').toBe(step.durable.length);
        ephemeral.push(step.ephemeral);
        return store.commit({
          ...step,
          decide: (state) => {
            const changes = step.decide(state);
            commits.push(changes);
            return changes;
          },
        });
      },
    }),
  });
});
afterEach(() => ground.close());

const attempt = (judged: AttemptResult, more: Partial<LimitsAttempt> = {}) =>
  attemptAt(
    ground.limits,
    { ...alice, ...more },
    async (): Promise<Made<string>> => ({
      ...judged,
      answer: '',
    }),
  );
async function counts(judged: AttemptResult, more: Partial<LimitsAttempt> = {}) {
  const made = await attempt(judged, more);
  if (made.kind !== 'judged') throw new Error(made.reason);
  return made;
}
const happened = async (judged: AttemptResult, more?: Partial<LimitsAttempt>) =>
  (await counts(judged, more)).happened;
const keepWrong = (key: string, wrongCodes: number, afterPassword = 0) =>
  ground.store.update(wrongCodesKey(key), () => ({
    ...{ result: undefined, after: wrongCodesRecord({ wrong: wrongCodes, asSecondFactor: afterPassword }) },
  }));

describe('a commit', () => {
  const event: AuditEvent = {
    ...{ time: 1, client: '-', application: 'Otp', session: 'AAAAAAAA', text: 'a login' },
  };
  const decision = (counts: AttemptResult | undefined): PossibleOutcomes<AttemptOutcome, Reported> => ({
    ...fixedOutcome(wrong),
    decide: () => ({ result: counts }),
    report: () => [{ event: undefined }, { event }],
  });

  it('writes nothing when nothing was judged after all, and the attempt keeps its lock', async () => {
    const one = await admittedTo(ground.limits, alice);
    expect(await one.commit(decision(undefined))).toMatchObject({
      ...{ happened: [], refusal: undefined, reports: [] },
    });
    expect([commits[0]?.events, commits[0]?.release]).toEqual([undefined, undefined]);
    let isNext = false;
    const next = admittedTo(ground.limits, alice).then((held) => {
      isNext = true;
      return held;
    });
    while (ground.clock.slept.length < 3) await new Promise((resolve) => setImmediate(resolve));
    expect(isNext, 'the lock is held').toBe(false);
    await one.leave();
    await (await next).leave();
  });

  it('records what is an event, and returns the rest, too', async () => {
    const one = await admittedTo(ground.limits, alice);
    const { reports } = await one.commit(decision(granted));
    expect([reports, commits[0]?.events]).toEqual([[{ event: undefined }, { event }], [event]]);
  });
});

describe('a refusal', () => {
  it('is the answer of a failure that was judged under it, and of no other', async () => {
    for (let n = 0; n < 5; n += 1)
      expect((await counts(wrong, { source: elsewhere(n) })).refusal).toBeUndefined();
    const both = { combined: 'both', source: elsewhere(9) } as const;
    expect((await counts(wrong, both)).refusal).toMatchObject({
      reason: 'too many failures',
      secondsLeft: 300,
    });
  });

  it('is the answer of a failure at a known place that has none left, and of no success there', async () => {
    await counts(granted);
    for (let n = 0; n < 19; n += 1) await counts(wrong, { user: `user:${n}` });
    expect((await counts(wrong)).refusal).toBeUndefined();
    expect((await counts(wrong)).refusal).toMatchObject({
      reason: 'too many failures at the source',
      secondsLeft: 3,
    });
    expect((await counts(granted)).refusal).toBeUndefined();
  });

  it('is never the answer of a super administrator, who is delayed', async () => {
    for (let n = 0; n < 20; n += 1) await counts(wrong, { user: `user:${n}` });
    expect((await counts(wrong, { as: 'super' })).refusal).toBeUndefined();
  });
});

describe('more than a hundred failures', () => {
  it('are an event of a trusted caller without source, and no success is one of them', async () => {
    const source = placeAt('192.0.2.9', true);
    for (let n = 0; n < 101; n += 1) expect(await happened(granted, { source })).toEqual([]);
    for (let n = 0; n < 100; n += 1) expect(await happened(wrong, { source, user: `user:${n}` })).toEqual([]);
    expect(await counts(wrong, { source, user: 'user:last' })).toMatchObject({
      happened: [{ kind: 'caller_watched', caller: 'address:192.0.2.9' }],
      unrecorded: [{ kind: 'caller_watched', caller: 'address:192.0.2.9' }],
    });
    expect(counted).toEqual(['["limits",{"kind":"caller_watched"}]']);
  });

  it('are none of callers that are not trusted', async () => {
    for (let n = 0; n < 110; n += 1)
      expect(await happened(wrong, { source: elsewhere(n), user: `user:${n}` })).toEqual([]);
  });
});

describe('authenticator cap', () => {
  it('close it at the hundredth in a row, which is told once', async () => {
    await keepWrong('t', 98);
    const fresh = (n: number) => ({ user: `user:${n}` });
    expect(await happened(wrongCode('t'), fresh(1))).toEqual([]);
    expect(await happened(wrongCode('t'), fresh(2))).toEqual([{ kind: 'authenticator_cap', key: 't' }]);
    expect(await happened(wrongCode('t'), fresh(3))).toEqual([]);
    expect(await ground.limits.wrongCodes('t')).toEqual({ wrong: 101, asSecondFactor: 0 });
  });

  it('disable it at the hundredth behind right passwords', async () => {
    await keepWrong('t', 120, 98);
    expect(await happened(wrongCode('t', true))).toEqual([]);
    expect(await happened(wrongCode('t', true))).toEqual([{ kind: 'token_disabled', key: 't' }]);
    expect(await happened(wrongCode('t', true))).toEqual([]);
    await keepWrong('u', 99, 99);
    expect(await happened(wrongCode('u'))).toEqual([{ kind: 'authenticator_cap', key: 'u' }]);
    await keepWrong('v', 120, 100);
    expect(await happened(wrongCode('v'), { user: 'user:bob' })).toEqual([]);
  });

  it('count where a code failed: alone, or half right under a refusal', async () => {
    const both = { combined: 'both' } as const;
    for (let n = 0; n < 5; n += 1) await counts(wrong, { source: elsewhere(n) });
    await counts({ ...wrong, wrongCodes: [{ key: 't', afterPassword: false }] }, both);
    expect(await ground.limits.wrongCodes('t')).toEqual({ wrong: 0, asSecondFactor: 0 });
    await counts(wrongCode('t', true), both);
    expect(await ground.limits.wrongCodes('t')).toEqual({ wrong: 1, asSecondFactor: 1 });
    await counts({ ...granted, wrongCodes: [{ key: 't', afterPassword: true }] }, both);
    expect(await ground.limits.wrongCodes('t')).toEqual({ wrong: 1, asSecondFactor: 1 });
    await counts({ ...granted, wrongCodes: [{ key: 't', afterPassword: true }] }, { user: 'user:bob' });
    expect(await ground.limits.wrongCodes('t')).toEqual({ wrong: 1, asSecondFactor: 1 });
  });

  it('end with a full success that used it, and with no other', async () => {
    await keepWrong('t', 7);
    await counts({ end: 'granted' });
    await counts({ end: 'granted', used: ['password', 'other'] });
    await counts({ ...wrong, used: ['t'], wrongCodes: [{ key: 'x', afterPassword: false }] });
    await counts({ ...wrong, wrongCodes: ['o', 'o'].map((key) => ({ key, afterPassword: false })) });
    expect(await ground.limits.wrongCodes('t')).toEqual({ wrong: 7, asSecondFactor: 0 });
    commits = [];
    await counts({ end: 'granted', used: ['password', 't', 'other'] });
    expect(await ground.limits.wrongCodes('t')).toEqual({ wrong: 0, asSecondFactor: 0 });
    const values = [...(commits[0]?.values ?? [])];
    expect(values.map(([key]) => key)).toEqual([wrongCodesKey('t'), 'limits:web:user:alice']);
  });

  it('take a known place away where a hundred are wrong and MaxTries more fail', async () => {
    const lost = async (key: string, more: Partial<LimitsAttempt>) => {
      await counts(granted, more);
      const kinds: string[] = [];
      for (let n = 0; n < 5; n += 1)
        kinds.push(...(await happened(wrongCode(key), more)).map(({ kind }) => kind));
      return kinds;
    };
    await keepWrong('closed', 100);
    expect(await lost('closed', {})).toEqual(['lockout', 'source_forgotten']);
    await keepWrong('open', 94);
    expect(await lost('open', { user: 'user:bob' })).toEqual(['lockout']);
    const withoutCodes = { user: 'user:carol', source: elsewhere(1) };
    await counts(granted, withoutCodes);
    const ends = [];
    for (let n = 0; n < 5; n += 1) ends.push(...(await happened(wrong, withoutCodes)));
    expect(ends.map(({ kind }) => kind)).toEqual(['lockout']);
  });
});

describe('the keys of a commit', () => {
  const at = (more: Partial<Admitted>) => ({
    attempt: alice,
    lock: { key: 'lock', owner: 'me' },
    rateTokens: [],
    ...more,
  });
  const [bucket = ''] = alice.source.buckets.map(({ key }) => key);

  it.each([
    ['a success that took no token', {}, false, ['lock']],
    ['a failure, which spends a token', {}, true, [bucket, 'lock']],
    ['a success that took a token', { rateTokens: alice.source.buckets }, false, [bucket, 'lock']],
    ['tokens of a scope before', { returnedTokens: alice.source.buckets }, false, [bucket, 'lock']],
  ])('name what is released after %s', (_, more, mayFail, keys) => {
    expect(releaseKeys(at(more), mayFail)).toEqual(keys);
  });

  it.each([
    ['every outcome is a success', [granted], ['lock']],
    ['one of them is a failure', [granted, wrong], [bucket, 'lock']],
  ])('name the tokens of a known source only where %s', async (_, possible, keys) => {
    await counts(granted);
    const one = await admittedTo(ground.limits, alice);
    await one.commit({ ...fixedOutcome(granted), possible });
    expect(ephemeral.at(-1)).toEqual(keys.map((key) => (key === 'lock' ? expect.any(String) : key)));
  });
});
