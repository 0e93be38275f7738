import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from './adapters/system/index.ts';
import type { Ports } from './core.ts';
import { isReason } from './errors.ts';
import type { Store } from './ports/store.ts';
import { type Fixture, openFixture } from './testing/fixture.ts';
import { TestClock } from './testing/test-clock.ts';
import { type Subject, Throttle } from './throttle.ts';

let fixture: Fixture;
let node: Fixture;
let clock: TestClock;

beforeAll(async () => {
  fixture = await openFixture();
  node = await fixture.another();
  clock = fixture.clock;
});
afterAll(async () => {
  await node.close();
  await fixture.close();
});

let subjects = 0;
function newSubject(): Subject {
  subjects += 1;
  return { key: `address:2001:db8::${subjects}`, failures: 5, windowSeconds: 60, blockSeconds: 20 };
}

const throttleOf = ({ store, clock }: Ports): Throttle => new Throttle(store, clock);
const wrong = async (): Promise<undefined> => undefined;
const right = async (): Promise<'in'> => 'in';

/** What came of attempts: `in`, `wrong` or `refused`, sorted and counted. */
async function outcomes(attempts: readonly Promise<'in' | undefined>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const settled of await Promise.allSettled(attempts)) {
    const refused = settled.status === 'rejected' && isReason(settled.reason, 'too_many_attempts');
    const name = settled.status === 'fulfilled' ? (settled.value ?? 'wrong') : refused ? 'refused' : 'broken';
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

describe('Throttle', () => {
  it('lets right ones in, late, when a node has died with all places taken', async () => {
    const subject = newSubject();
    const dead = throttleOf(node.ports);
    await Promise.all(times(5, () => dead.enter([subject])));
    const before = clock.now();
    const sleep = async (milliseconds: number) => clock.advance(milliseconds);
    const moving = { now: () => clock.now(), every: clock.every.bind(clock), sleep };
    expect(await new Throttle(fixture.ports.store, moving).attempt(subject, right)).toBe('in');
    expect(clock.now() - before).toBeLessThan(21_000);
  });

  it('refuses for a while after the failures that are allowed, then allows as many again', async () => {
    const throttle = throttleOf(fixture.ports);
    const subject = newSubject();
    for (let round = 0; round < 2; round += 1) {
      for (let i = 0; i < 5; i += 1) expect(await throttle.attempt(subject, wrong)).toBeUndefined();
      await expect(throttle.attempt(subject, right)).rejects.toMatchObject({
        reason: 'too_many_attempts',
        detail: 'try again in 20 seconds',
        retryAfter: 20,
      });
      clock.advance(19_999);
      await expect(throttle.attempt(subject, right)).rejects.toMatchObject({ reason: 'too_many_attempts' });
      clock.advance(2);
      expect(await throttle.attempt(subject, right)).toBe('in');
    }
  });

  it('forgets failures when their window is over', async () => {
    const throttle = throttleOf(fixture.ports);
    const subject = newSubject();
    for (let i = 0; i < 4; i += 1) await throttle.attempt(subject, wrong);
    clock.advance(60_001);
    for (let i = 0; i < 4; i += 1) await throttle.attempt(subject, wrong);
    expect(await throttle.attempt(subject, right)).toBe('in');
  });

  it('counts a success neither way', async () => {
    const throttle = throttleOf(fixture.ports);
    const subject = newSubject();
    for (let i = 0; i < 4; i += 1) {
      await throttle.attempt(subject, wrong);
      await throttle.attempt(subject, right);
    }
    await throttle.attempt(subject, wrong);
    await expect(throttle.attempt(subject, right)).rejects.toMatchObject({ reason: 'too_many_attempts' });
  });

  it('counts what is thrown neither way, and lets it through', async () => {
    const throttle = throttleOf(fixture.ports);
    const subject = newSubject();
    const broken = () => Promise.reject(new RangeError('no answer'));
    for (let i = 0; i < 20; i += 1)
      await expect(throttle.attempt(subject, broken)).rejects.toThrow(RangeError);
    expect(await throttle.attempt(subject, right)).toBe('in');
  });

  // To see the guard at work, let `#admit` return at once: all 500 are judged.
  it('judges no more parallel attempts than failures are left, on all nodes together', async () => {
    const throttles = [throttleOf(fixture.ports), throttleOf(node.ports)] as const;
    const subject = newSubject();
    let judged = 0;
    const judge = async (): Promise<undefined> => {
      judged += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
      return undefined;
    };
    const attempts = times(500, (i) => throttles[i % 2 === 0 ? 0 : 1].attempt(subject, judge));
    expect(await outcomes(attempts)).toEqual({ wrong: 5, refused: 495 });
    expect(judged).toBe(5);
  });

  // To see what it is good for, let everybody look every 20 ms: that is some hundred thousand questions.
  it('asks the store little on behalf of many who wait', async () => {
    const { store } = fixture.ports;
    let asked = 0;
    const told = <T>(answer: T): T => {
      asked += 1;
      return answer;
    };
    const watched: Store = {
      ...store,
      get: (key) => told(store.get(key)),
      count: (key, step) => told(store.count(key, step)),
    };
    const throttle = new Throttle(watched, systemClock);
    const subject = newSubject();
    const slow = () => new Promise<undefined>((resolve) => setTimeout(resolve, 1500));
    const attempts = times(1000, () => throttle.attempt(subject, slow));
    expect(await outcomes(attempts)).toEqual({ wrong: 5, refused: 995 });
    expect(asked).toBeLessThan(20_000);
  });

  it('lets parallel attempts that are right all in', async () => {
    const throttle = throttleOf(fixture.ports);
    const subject = newSubject();
    expect(await outcomes(times(500, () => throttle.attempt(subject, right)))).toEqual({ in: 500 });
  });

  it('keeps subjects apart, however long their keys are', async () => {
    const throttle = throttleOf(fixture.ports);
    const long = { ...newSubject(), key: `user:${'x'.repeat(8000)}` };
    for (let i = 0; i < 5; i += 1) await throttle.attempt(long, wrong);
    await expect(throttle.attempt(long, right)).rejects.toMatchObject({ reason: 'too_many_attempts' });
    expect(await throttle.attempt({ ...long, key: `${long.key}y` }, right)).toBe('in');
  });

  it('gives up waiting for others after half a minute', async () => {
    // Its own clock: for the store no time passes, as if somebody took the place again and again.
    const clock = new TestClock();
    const throttle = new Throttle(fixture.ports.store, clock);
    const subject = newSubject();
    let finish = () => {};
    const slow = () =>
      new Promise<'in'>((resolve) => {
        finish = () => resolve('in');
      });
    const ahead = throttle.attempt({ ...subject, failures: 1 }, slow);
    const behind = throttle.attempt({ ...subject, failures: 1 }, right);
    await new Promise((resolve) => setTimeout(resolve, 20));
    clock.advance(30_001);
    await expect(behind).rejects.toMatchObject({ reason: 'too_many_attempts' });
    finish();
    expect(await ahead).toBe('in');
  });
});
