/** The door to the limits, over two nodes with a store and a clock of their own kind: real ones, and one that is moved. */
import { EventEmitter, once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Environment,
  openEnvironment,
  openEventLog,
  openLedger,
  openStore,
} from '../../../embedded/src/index.ts';
import { systemRandom } from '../../../node/src/machine/index.ts';
import type { Ledger } from '../ports/store/ledger.ts';
import { type Attempted, attemptAt, type Made as MadeFor } from '../testing/bed/attempts.ts';
import { scratchFolder } from '../testing/bed/scratch.ts';
import { TestClock } from '../testing/test-clock.ts';
import { Limits } from './limits.ts';
import type { LimitsAttempt } from './limits-attempt.ts';
import { sourceOf } from './source.ts';

let folder: string;
let environment: Environment;
let ephemeral: Environment;
let clock: TestClock;
let limits: Limits;
let store: Ledger;
/** Keys that were written durably. */
let written: string[];

beforeEach(async () => {
  folder = await scratchFolder('limits');
  environment = await openEnvironment(folder);
  ephemeral = await openEnvironment(join(folder, 'ephemeral'), { isEphemeral: true });
  clock = new TestClock();
  store = openLedger({ lasting: environment, ephemeral }, clock, await openEventLog(environment));
  written = [];
  limits = open();
});
afterEach(async () => {
  await ephemeral.close();
  await environment.close();
  await rm(folder, { recursive: true });
});

const open = (more: { directoryFailures?: { most: number; minutes: number } } = {}): Limits =>
  new Limits({
    store: watched(store),
    ephemeral: openStore(ephemeral, clock),
    clock,
    random: systemRandom,
    judgesRefused: true,
    ...more,
  });

const watched = (inner: Ledger): Ledger => ({
  ...inner,
  update: (key, change) => {
    written.push(key);
    return inner.update(key, change);
  },
  commit: (step) =>
    inner.commit({
      ...step,
      decide: (state) => {
        const changes = step.decide(state);
        for (const [key] of changes.values ?? []) written.push(key);
        return changes;
      },
    }),
});

const at = (address: string, trusted = false) =>
  sourceOf({ key: `address:${address}`, address, trusted }, undefined);
const home = at('192.0.2.1');
const elsewhere = (n: number) => at(`198.51.${Math.floor(n / 250)}.${n % 250}`);
const alice: LimitsAttempt = {
  family: 'web',
  user: 'user:alice',
  source: home,
  rules: { maxTries: 5, blockTime: 300 },
  withoutPassword: { password: true, codes: [] },
  combined: 'none',
};

type Made = Omit<MadeFor<string>, 'answer'>;
const granted: Made = { end: 'granted', used: ['password'] };
const wrong: Made = { end: 'failed', wrongPasswords: 1, budgetSpent: 1 };
const half: Made = { end: 'failed', isPartialSuccess: true, wrongCodes: [{ key: 't', afterPassword: true }] };

/** `alone`, `together`, or why it was refused. */
async function attempt(made: Made, more: Partial<LimitsAttempt> = {}, node = limits): Promise<string> {
  return outcomeOf(
    await attemptAt(node, { ...alice, ...more }, async ({ kind, isDoomed }) => ({
      ...(isDoomed ? wrong : made),
      answer: isDoomed ? `${kind}, in vain` : kind,
    })),
  );
}
const outcomeOf = (attempted: Attempted<string>): string =>
  attempted.kind === 'judged' ? attempted.answer : attempted.reason;

async function fail(times: number, more: Partial<LimitsAttempt> = {}): Promise<void> {
  for (let n = 0; n < times; n += 1) expect(await attempt(wrong, more)).toBe('separate');
}

describe('a user', () => {
  it('is refused after five failures, at places it does not know; a known one is a ground of its own', async () => {
    await attempt(granted);
    await fail(5, { source: elsewhere(1) });
    expect(await attempt(granted, { source: elsewhere(2) })).toBe('too many failures');
    expect(await attempt(granted)).toBe('separate');
    clock.advance(300_000);
    expect(await attempt(granted, { source: elsewhere(2) })).toBe('separate');
  });

  it('is judged together under a refusal, where half right counts and wholly wrong does not', async () => {
    await fail(5, { source: elsewhere(1) });
    const both = { source: elsewhere(2), combined: 'both' as const };
    const { wrongPasswords } = await limits.look('user:alice', 'web');
    for (let n = 0; n < 12; n += 1)
      expect(await attempt(wrong, { ...both, source: elsewhere(10 + n) })).toBe('combined');
    expect((await limits.look('user:alice', 'web')).wrongPasswords).toBe(wrongPasswords);
    for (let n = 0; n < 10; n += 1)
      expect(await attempt(half, { ...both, source: elsewhere(30 + n) })).toBe('combined');
    expect(await attempt(granted, both)).toBe('combined, in vain');
    expect(await limits.refusal('user:alice', alice.rules)).toMatchObject({
      reason: 'the daily quota of partial successes is used up',
    });
    clock.advance(300_000);
    expect(await attempt(granted, both)).toBe('separate, in vain');
    expect(await limits.refusal('user:alice', alice.rules)).toMatchObject({
      reason: 'the daily quota of partial successes is used up',
    });
    clock.advance(86_400_000);
    expect(await attempt(granted, both)).toBe('separate');
  });

  it('is judged by the answer to a challenge only if that began before the refusal, or if there is none', async () => {
    await fail(5, { source: elsewhere(1) });
    const begun = (ago: number): Partial<LimitsAttempt> => ({
      ...{ source: elsewhere(2), combined: { answer: { begun: clock.now() - ago } } },
    });
    clock.advance(10_000);
    expect(await attempt(wrong, begun(9999))).toBe('too many failures');
    expect(await attempt(wrong, begun(10_000))).toBe('combined');
    clock.advance(300_000);
    await attempt({ ...wrong, wrongPasswords: 100 }, { source: elsewhere(3) });
    expect(await attempt(granted, { source: elsewhere(4) })).toBe('too many wrong passwords');
    expect(await attempt(wrong, begun(0))).toBe('combined');
  });

  it('whose password was wrong a hundred times is a stranger nowhere but with both', async () => {
    await attempt(granted);
    await attempt({ ...wrong, wrongPasswords: 100 }, { source: elsewhere(1) });
    expect(await attempt(granted, { source: elsewhere(2) })).toBe('too many wrong passwords');
    expect(await attempt(wrong, { source: elsewhere(2), combined: 'both' })).toBe('combined');
    await fail(5);
    expect((await limits.look('user:alice', 'web')).known).toEqual([]);
    expect(await attempt(granted, { source: elsewhere(2), combined: 'both' })).toBe('combined');
    expect(await attempt(granted, { source: elsewhere(3) })).toBe('separate');
  });

  it('is refused everywhere by a block, and let in by a reset', async () => {
    await attempt(granted);
    await limits.block('user:alice', undefined);
    expect(await attempt(granted, { combined: 'both' })).toBe('an administrator has blocked the user');
    expect(await attempt(granted, { family: 'manager' })).toBe('an administrator has blocked the user');
    await limits.reset('user:alice', []);
    expect(await attempt(granted)).toBe('separate');
  });

  it('is counted apart at the Manager', async () => {
    await fail(5);
    expect(await attempt(granted, { family: 'manager' })).toBe('separate');
  });
});

describe('a place', () => {
  it('has twenty failures over all users, but for those who know it', async () => {
    await attempt(granted);
    for (let n = 0; n < 20; n += 1) expect(await attempt(wrong, { user: `user:${n}` })).toBe('separate');
    expect(await attempt(granted, { user: 'user:new' })).toBe('too many failures at the source');
    expect(await attempt(granted, { user: 'user:new', combined: 'both' })).toBe('combined');
    expect(await attempt(granted)).toBe('separate');
    clock.advance(3000);
    expect(await attempt(wrong, { user: 'user:more' })).toBe('separate');
    expect(await attempt(wrong, { user: 'user:last' })).toBe('too many failures at the source');
  });

  it('of a trusted caller without source is never refused; more than a hundred failures are one event', async () => {
    const source = at('192.0.2.1', true);
    const happened: string[] = [];
    for (let n = 0; n < 150; n += 1) {
      const attempt = { ...alice, source, user: `user:${n}` };
      const made = await attemptAt(limits, attempt, async () => ({ ...wrong, answer: 'x' }));
      if (made.kind === 'judged') happened.push(...made.happened.map(({ kind }) => kind));
    }
    expect(happened).toEqual(['caller_watched']);
  });
});

describe('parallel attempts', () => {
  it('outrun nothing: of 500 on two nodes five are judged', async () => {
    const second = open();
    let judged = 0;
    const rush = Array.from({ length: 500 }, (_, n) =>
      attemptAt(n % 2 ? limits : second, { ...alice, source: elsewhere(n) }, async () => {
        judged += 1;
        await new Promise((resolve) => setTimeout(resolve, 1));
        return { ...wrong, answer: 'x' };
      }),
    );
    await Promise.all(rush);
    expect(judged).toBe(5);
  });

  it('of one place wait for failures that others have under way', async () => {
    let [atOnce, most] = [0, 0];
    const rush = Array.from({ length: 100 }, (_, n) =>
      attemptAt(limits, { ...alice, user: `user:${n}` }, async () => {
        atOnce += 1;
        most = Math.max(most, atOnce);
        await new Promise((resolve) => setTimeout(resolve, 5));
        atOnce -= 1;
        return { ...granted, answer: 'in' };
      }),
    );
    expect((await Promise.all(rush)).every(({ kind }) => kind === 'judged')).toBe(true);
    expect(most).toBe(20);
  });

  it('whose requesters leave give their place to others, unjudged', async () => {
    const going = Array.from({ length: 40 }, () => new AbortController());
    let judged = 0;
    const slow = { ...granted, answer: 'in' };
    const signs = new EventEmitter();
    const first = attemptAt(limits, alice, async () => {
      await once(signs, 'over');
      return slow;
    });
    const others = going.slice(0, 32).map(({ signal }) =>
      attemptAt(limits, { ...alice, signal }, async () => {
        judged += 1;
        return slow;
      }),
    );
    const ends = Promise.allSettled(others);
    await new Promise((resolve) => setTimeout(resolve, 5));
    for (const controller of going) controller.abort();
    const late = attempt(granted);
    expect((await ends).map(({ status }) => status)).toEqual(others.map(() => 'rejected'));
    signs.emit('over');
    expect([(await first).kind, await late, judged]).toEqual(['judged', 'separate', 0]);
  });

  it('that fail to be judged count neither way', async () => {
    const down = () => attemptAt(limits, alice, () => Promise.reject(new Error('down')));
    for (let n = 0; n < 30; n += 1) await expect(down()).rejects.toThrow('down');
    expect(await attempt(granted)).toBe('separate');
  });
});

describe('what is written', () => {
  it('by a login that succeeds at a known place: nothing, but once a day', async () => {
    await attempt(granted);
    written = [];
    for (let n = 0; n < 5; n += 1) await attempt(granted);
    expect(written).toEqual([]);
    clock.advance(86_400_000);
    for (let n = 0; n < 5; n += 1) await attempt(granted);
    expect(written).toEqual(['limits:web:user:alice']);
  });

  it('is there when the clock was a day ahead, and lasts no longer for it', async () => {
    clock.advance(86_400_000);
    await fail(5);
    clock.advance(-86_400_000);
    expect(await attempt(granted)).toBe('too many failures');
    clock.advance(300_000);
    expect(await attempt(granted)).toBe('separate');
  });
});

describe('a clock that was a day ahead', () => {
  const ahead = 86_400_000;

  it('empties no place: its failures come back as ever', async () => {
    clock.advance(ahead);
    for (let n = 0; n < 20; n += 1) await attempt(wrong, { user: `user:${n}` });
    clock.advance(-ahead);
    expect(await attempt(granted, { user: 'user:new' })).toBe('too many failures at the source');
    clock.advance(3000);
    expect(await attempt(granted, { user: 'user:new' })).toBe('separate');
  });

  it('keeps nobody waiting who is judged together', async () => {
    const both = { source: elsewhere(2), combined: 'both' as const };
    clock.advance(ahead);
    await fail(5, { source: elsewhere(1) });
    expect(await attempt(wrong, both)).toBe('combined');
    clock.advance(-ahead);
    expect(await attempt(granted, both)).toBe('combined');
  });
});

describe('the directory', () => {
  it('sees so many wrong passwords of strangers, and none of a known place is held back', async () => {
    limits = open({ directoryFailures: { most: 3, minutes: 30 } });
    await attempt(granted);
    for (let n = 0; n < 3; n += 1) await attempt(wrong, { source: elsewhere(n) });
    expect(await attempt(granted, { source: elsewhere(9), combined: 'both' })).toBe(
      'the directory would lock the user',
    );
    expect(await attempt(granted)).toBe('separate');
    clock.advance(1_800_000);
    expect(await attempt(granted, { source: elsewhere(9) })).toBe('separate');
  });
});
