/** Admission of attempts that are judged at a pace, or after a delay. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  alice,
  Entering,
  failuresLeft,
  type Ground,
  openGround,
  placeAt,
  until,
} from '../testing/bed/limits-ground.ts';
import { GatedClock } from '../testing/test-clock.ts';
import type { Limits } from './limits.ts';
import type { AttemptResult, LimitsAttempt } from './limits-attempt.ts';

const granted: AttemptResult = { end: 'granted', used: ['password'] };
const wrong: AttemptResult = { end: 'failed', wrongPasswords: 1 };
const half: AttemptResult = { end: 'failed', isPartialSuccess: true };
const both = { combined: 'both' } as const;
const asSuper = { as: 'super', source: placeAt('192.0.2.200') } as const;
const elsewhere = (n: number) => placeAt(`198.51.100.${n}`);
const named = (n: number) => ({ user: `user:${n}` });

let ground: Ground<GatedClock>;
let clock: GatedClock;
let limits: Limits;
beforeEach(async () => {
  clock = new GatedClock();
  ground = await openGround({}, clock);
  limits = ground.limits;
});
afterEach(() => ground.close());

const entering = (more?: Partial<LimitsAttempt>, node = limits) => new Entering(node, clock, more);
const attempt = (judged: AttemptResult, more: Partial<LimitsAttempt> = {}, node = limits) =>
  entering(more, node).as(judged);

/** Each is judged in its turn, and leaves. */
async function leaveInTurn(...all: readonly Entering[]): Promise<void> {
  for (const one of all) await one.leave();
}

const waits = () => clock.slept.filter((milliseconds) => milliseconds >= 1000);

async function lockOut(user = alice.user): Promise<void> {
  for (let n = 0; n < 5; n += 1) await attempt(wrong, { user, source: elsewhere(n) });
}

const leftAt = (source = alice.source) =>
  failuresLeft((user) =>
    attempt(wrong, { source, user }).then(
      () => false,
      () => true,
    ),
  );

describe('pace of combined proofs', () => {
  it('is one a second for a user, wherever that is', async () => {
    await lockOut();
    for (let n = 0; n < 3; n += 1) await attempt(half, { ...both, source: elsewhere(20 + n) });
    expect(waits()).toEqual([1000, 1000]);
  });

  it('is one a second for a place, whoever that is', async () => {
    for (let n = 0; n < 4; n += 1) await lockOut(`user:${n}`);
    await leaveInTurn(...[0, 1, 2, 3].map((n) => entering({ ...both, ...named(n) })));
    expect(waits()).toEqual([1000, 1000, 1000]);
  });

  it('keeps nobody waiting at a known place, nor outside a refusal', async () => {
    await attempt(granted);
    for (let n = 0; n < 5; n += 1) await attempt(wrong);
    await leaveInTurn(entering(both), entering(both));
    await leaveInTurn(entering({ source: elsewhere(1) }), entering({ source: elsewhere(2) }));
    expect(waits()).toEqual([]);
  });

  it('is none for a trusted caller without source, but for its users', async () => {
    const source = placeAt('192.0.2.9', true);
    for (let n = 0; n < 2; n += 1) await lockOut(`user:${n}`);
    await leaveInTurn(...[0, 1].map((n) => entering({ ...both, ...named(n), source })));
    expect(waits()).toEqual([]);
  });

  it('turns away whom the second of the user comes too late for', async () => {
    await lockOut();
    const key = 'pace:web:user:alice';
    const value = Buffer.from(JSON.stringify({ slot: clock.now() + 10_000, at: clock.now() }));
    await ground.store.admit({
      ...{ durable: [], ephemeral: [key] },
      decide: () => ({ result: undefined, values: [[key, { value, seconds: 300 }]] }),
    });
    await expect(entering(both).admitted).rejects.toThrow('too many at a time');
  });

  it('turns away whom the second of the place comes too late for', async () => {
    await lockOut();
    const key = `pace:${alice.source.id}`;
    const value = Buffer.from(JSON.stringify({ slot: clock.now() + 10_000, at: clock.now() }));
    await ground.store.admit({
      ...{ durable: [], ephemeral: [key] },
      decide: () => ({ result: undefined, values: [[key, { value, seconds: 300 }]] }),
    });
    await expect(entering(both).admitted).rejects.toThrow('too many at a time');
    expect(await leftAt()).toBe(20);
  });
});

describe('the refusal of an attempt that is judged under it', () => {
  const secondsAt = async (more: Partial<LimitsAttempt>) =>
    (await attempt(half, { ...both, ...more })).refusal?.secondsLeft;

  it('tells of three seconds only where the place has none left', async () => {
    await attempt({ ...wrong, wrongPasswords: 100 }, { source: elsewhere(1) });
    expect(await secondsAt({ source: placeAt('192.0.2.9', true) })).toBeUndefined();
    clock.advance(1000);
    expect(await secondsAt({})).toBeUndefined();
    for (let n = 0; n < 20; n += 1) await attempt(wrong, { ...named(n), source: elsewhere(7) });
    clock.advance(1000);
    expect(await secondsAt({ source: elsewhere(7) })).toBe(3);
  });
});

describe('super administrator', () => {
  it('is delayed after failures, as nobody else is', async () => {
    await attempt(wrong, asSuper);
    await leaveInTurn(entering(asSuper));
    expect(waits()).toEqual([1000]);
    await attempt(granted);
    await attempt(wrong);
    await leaveInTurn(entering(), entering());
    expect(waits()).toEqual([1000]);
  });

  it('waits out a minute after a hundred failures, which is not too long', async () => {
    const grounds = { [asSuper.source.id]: { row: { failures: 100, level: 0, at: clock.now() } } };
    const value = Buffer.from(JSON.stringify({ known: [], grounds, wrongPasswords: 0 }));
    const after = { value, seconds: 600 };
    await ground.store.update('limits:web:user:alice', () => ({ result: undefined, after }));
    await leaveInTurn(entering(asSuper));
    expect(waits()).toEqual([60_000]);
  });

  it('is turned away by no number of others', async () => {
    const first = await entering(asSuper).admitted;
    const all = Array.from({ length: 40 }, () => entering(asSuper));
    await until(() => limits.waiting === 39);
    await first.leave();
    for (const one of all) await one.leave();
  });
});
