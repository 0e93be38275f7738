/** The way in, over two nodes on one ledger: who is judged at once, who waits for what, and who is turned away. */
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
import { wrongCodesKey, wrongCodesRecord } from './authenticator-cap.ts';
import type { Limits } from './limits.ts';
import { type AttemptResult, fixedOutcome, type LimitsAttempt } from './limits-attempt.ts';

const granted: AttemptResult = { end: 'granted', used: ['password'] };
const wrong: AttemptResult = { end: 'failed', wrongPasswords: 1 };
const both = { combined: 'both' } as const;
const elsewhere = (n: number) => placeAt(`198.51.100.${n}`);
const named = (n: number) => ({ user: `user:${n}` });

let ground: Ground<GatedClock>;
let clock: GatedClock;
let limits: Limits;
let other: Limits;
beforeEach(async () => {
  clock = new GatedClock();
  ground = await openGround({}, clock);
  limits = ground.limits;
  other = ground.node();
});
afterEach(() => ground.close());

/** Steps of the ledger that were asked for, and those that follow them, are over by then. */
async function settled(): Promise<void> {
  const decide = () => ({ result: undefined });
  for (let n = 0; n < 5; n += 1) {
    await ground.store.admit({ durable: [], ephemeral: ['nothing'], decide });
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const entering = (more?: Partial<LimitsAttempt>, node = limits) => new Entering(node, clock, more);
const attempt = (judged: AttemptResult, more: Partial<LimitsAttempt> = {}, node = limits) =>
  entering(more, node).as(judged);

async function leaveInTurn(...all: readonly Entering[]): Promise<void> {
  for (const one of all) await one.leave();
}

/** Waits until that number sleeps. */
const asleep = (count: number) => until(() => clock.slept.length >= count);

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

describe('an attempt that nobody has to wait for', () => {
  it('waits for no time, also in a row', async () => {
    await attempt(granted);
    await attempt(wrong);
    await attempt(wrong, { source: elsewhere(1) });
    expect(clock.slept).toEqual([]);
  });

  it('is not judged after its requester has left', async () => {
    const signal = AbortSignal.abort();
    await expect(entering({ signal }).admitted).rejects.toMatchObject({ reason: 'unavailable' });
  });

  it('of another ground is judged beside the first one', async () => {
    await attempt(granted);
    const first = await entering().admitted;
    const second = await entering({ source: elsewhere(1) }).admitted;
    await Promise.all([first.leave(), second.leave()]);
    expect(clock.slept).toEqual([]);
  });
});

describe('a turn', () => {
  it.each(['strangers', 'known'])(
    'of %s goes to those who wait before it goes to those who come',
    async (where) => {
      if (where === 'known') await attempt(granted);
      const first = await entering({}, other).admitted;
      const second = entering();
      await asleep(1);
      await first.leave();
      const third = entering();
      await settled();
      expect([second.came, third.came], 'the other node tells nobody here').toEqual([undefined, undefined]);
      await second.leave();
      await third.leave();
      expect([second.came, third.came]).toEqual(['separate', 'separate']);
    },
  );

  it.each(['at once', 'after another'])(
    'that was taken %s is renewed for as long as it is held',
    async (when) => {
      const before = when === 'at once' ? undefined : await entering().admitted;
      const holding = entering();
      if (before) await asleep(1);
      await before?.leave();
      const held = await holding.come();
      for (let second = 0; second < 8; second += 1) {
        clock.advance(1000);
        await settled();
      }
      const next = entering({}, other);
      await settled();
      expect(next.came).toBeUndefined();
      await held.leave();
      await next.leave();
    },
  );

  it('is free on this node once it was left, without a pause', async () => {
    const first = await entering().admitted;
    const second = entering();
    await asleep(1);
    await first.leave();
    await (await second.admitted).leave();
    expect(second.came).toBe('separate');
  });

  it('is waited for by 32 on a node; their places wait behind others from then on', async () => {
    const first = await entering({ source: elsewhere(0) }).admitted;
    const waiting = Array.from({ length: 33 }, (_, n) => entering({ source: elsewhere(n + 1) }));
    await until(() => limits.waiting === 32);
    const late = entering({ source: elsewhere(40) });
    await until(() => late.came !== undefined);
    expect([late.came, limits.waiting]).toEqual(['too many at a time', 32]);
    await first.leave();
    for (const one of waiting) await one.leave();

    const again = await entering({ source: elsewhere(0) }).admitted;
    const before = clock.slept.length;
    const front = entering({ source: elsewhere(1) });
    await asleep(before + 1);
    const order: string[] = [];
    let open = () => {};
    const isOpen = new Promise<void>((resolve) => {
      open = resolve;
    });
    const queue = [40, 2, 41].map(async (n) => {
      const one = entering({ source: elsewhere(n) });
      await isOpen;
      const admitted = await one.come();
      order.push(String(n));
      await admitted.leave();
    });
    await until(() => limits.waiting === 3);
    open();
    await again.leave();
    await front.leave();
    await Promise.all(queue);
    expect(order).toEqual(['2', '41', '40']);
  });

  it('is that of the known place where the place has become known meanwhile', async () => {
    const first = await entering().admitted;
    const second = entering();
    await asleep(1);
    await first.commit(fixedOutcome(granted));
    const moved = await second.come();
    const third = entering({}, other);
    await settled();
    expect(third.came).toBeUndefined();
    await moved.leave();
    await leaveInTurn(third);
  });

  it('that ends in a refusal meanwhile is refused, and leaves nothing behind', async () => {
    for (let n = 0; n < 4; n += 1) await attempt(wrong, { source: elsewhere(n) });
    const first = await entering({ source: elsewhere(5) }).admitted;
    const second = entering();
    await asleep(1);
    await first.commit(fixedOutcome(wrong));
    await expect(second.come()).rejects.toThrow('too many failures');
    clock.advance(1000);
    clock.advance(1000);
    expect([clock.repeating, await leftAt()]).toEqual([0, 20]);
  });
});

it('renews no lock after a refusal', async () => {
  for (let n = 0; n < 5; n += 1) await attempt(wrong, { source: elsewhere(n) });
  clock.advance(1000);
  await expect(entering().admitted).rejects.toThrow('too many failures');
  expect(clock.repeating).toBe(0);
});

describe('an attempt that ends while it waits', () => {
  it('gives its tokens back when its caller disconnects', async () => {
    const first = await entering().admitted;
    const caller = new AbortController();
    const second = entering({ signal: caller.signal });
    await asleep(1);
    caller.abort();
    await expect(second.come()).rejects.toMatchObject({ reason: 'unavailable' });
    await first.leave();
    expect(await leftAt()).toBe(20);
  });

  it('gives the tokens of the scope before back when it is refused in the next', async () => {
    const first = await entering().admitted;
    const second = entering();
    await asleep(1);
    const blocked = limits.block('user:alice', 60);
    await first.commit(fixedOutcome(granted));
    await blocked;
    await expect(second.come()).rejects.toThrow('blocked');
    await limits.reset('user:alice', []);
    expect(await leftAt()).toBe(20);
  });
});

describe('a place', () => {
  it('gives what comes back to those who wait before those who come', async () => {
    const under = await Promise.all(Array.from({ length: 20 }, (_, n) => entering(named(n)).admitted));
    const order: string[] = [];
    const first = entering(named(30));
    await asleep(1);
    clock.advance(3000);
    const second = entering(named(31));
    await settled();
    expect([first.came, second.came]).toEqual([undefined, undefined]);
    void first.admitted.then(() => order.push('first'));
    void second.admitted.then(() => order.push('second'));
    await under[0]?.leave();
    for (const admitted of await Promise.all([first.admitted, second.admitted])) await admitted.leave();
    expect(order).toEqual(['first', 'second']);
    for (const one of under) await one.leave();
  });

  it('that has become known meanwhile costs one by a failure, not two', async () => {
    const first = await entering().admitted;
    const second = entering();
    await asleep(1);
    await first.commit(fixedOutcome(granted));
    await second.as(wrong);
    expect(await leftAt()).toBe(19);
  });

  it('of a /48 waits for what it has under way, though its /48 is full again', async () => {
    const source = placeAt('2001:db8:1:1::5');
    const at = (n: number) => entering({ ...named(n), source });
    const under = await Promise.all(Array.from({ length: 20 }, (_, n) => at(n).admitted));
    clock.advance(7000);
    under.push(await at(20).admitted, await at(21).admitted);
    clock.advance(1000);
    const waiting = at(22);
    await settled();
    expect(waiting.came).toBeUndefined();
    for (const one of under) await one.leave();
    await leaveInTurn(waiting);
  });

  it('that is known costs one by a failure, also after it was waited for', async () => {
    await attempt(granted);
    const first = await entering().admitted;
    const second = entering();
    await asleep(1);
    await first.commit(fixedOutcome(wrong));
    await second.as(wrong);
    expect(await leftAt()).toBe(18);
  });

  it('without failures left lets a known user wait for the turn, at no pace', async () => {
    await attempt(granted);
    for (let n = 0; n < 20; n += 1) await attempt(wrong, named(n));
    const first = await entering().admitted;
    const second = entering();
    await asleep(1);
    await first.leave();
    await second.leave();
    expect(waits()).toEqual([]);
  });

  it('without failures left refuses a single factor, which takes no second of others', async () => {
    for (let n = 0; n < 20; n += 1) await attempt(wrong, named(n));
    await expect(entering(named(30)).admitted).rejects.toThrow('too many failures at the source');
    const one = await entering({ ...named(31), ...both }).admitted;
    expect([one.admission.kind, clock.slept]).toEqual(['combined', []]);
    await one.leave();
  });
});

describe('authenticator cap', () => {
  it('refuses strangers a code whose authenticators are all capped, and a reset ends that', async () => {
    const cap = (key: string) =>
      ground.store.update(wrongCodesKey(key), () => ({
        ...{ result: undefined, after: wrongCodesRecord({ wrong: 100, asSecondFactor: 0 }) },
      }));
    const codes = { withoutPassword: { password: false, codes: ['a', 'b'] } };
    await cap('a');
    await (await entering(codes).admitted).leave();
    await cap('b');
    await expect(entering(codes).admitted).rejects.toThrow('too many wrong codes');
    await limits.reset(alice.user, ['a']);
    await (await entering(codes).admitted).leave();
    await cap('a');
    await attempt(wrong);
    await limits.release(alice.user, ['a', 'b']);
    await (await entering(codes).admitted).leave();
    expect(await limits.look(alice.user, 'web')).toMatchObject({ scopes: {}, wrongPasswords: 0 });
  });
});

describe('what a user is refused for', () => {
  const refusal = () => limits.refusal(alice.user, alice.rules);

  it('is nothing, a lockout, or what lasts longer at one of the places', async () => {
    expect(await refusal()).toBeUndefined();
    await attempt(granted);
    expect(await refusal()).toBeUndefined();
    await lockOut();
    expect(await refusal()).toMatchObject({ reason: 'too many failures', secondsLeft: 300 });
    await limits.block(alice.user, undefined);
    expect(await refusal()).toMatchObject({ reason: 'an administrator has blocked the user' });
  });
});
