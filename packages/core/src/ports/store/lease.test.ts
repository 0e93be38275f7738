/** One at a time over all nodes, and a node that dies holds nobody up for long. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import { Leases } from './lease.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

let keys = 0;
const newKey = () => {
  keys += 1;
  return `lease:test${keys}`;
};
const node = () => new Leases(fixture.ports.store, fixture.clock);

/** Starts a node that holds a lease until `end` is called. */
async function hold(key: string): Promise<() => Promise<void>> {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let running: Promise<void> = ended;
  await new Promise<void>((holding) => {
    running = node().run(key, () => {
      holding();
      return ended;
    });
  });
  return () => {
    end();
    return running;
  };
}

/** Long enough for others to have looked again and again. */
const aWhile = async () => {
  for (let turn = 0; turn < 200; turn += 1) await nextTurn();
};

describe('a lease', () => {
  it('is held by one at a time, on all nodes', async () => {
    const [nodes, key] = [[node(), node()], newKey()];
    let [holding, most] = [0, 0];
    const task = async () => {
      holding += 1;
      most = Math.max(most, holding);
      await nextTurn();
      holding -= 1;
    };
    await Promise.all(Array.from({ length: 20 }, (_, n) => nodes[n % 2]?.run(key, task)));
    expect(most).toBe(1);
  });

  it('is given back by a task that fails', async () => {
    const [leases, key] = [node(), newKey()];
    await expect(leases.run(key, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await node().run(key, async () => 'next')).toBe('next');
  });

  it('of a node that died is over after twenty seconds, before others lose patience', async () => {
    const key = newKey();
    await hold(key); // and never ends, as a process that is killed
    let entered = false;
    const next = node().run(key, async () => {
      entered = true;
    });
    fixture.clock.advance(19_000);
    await aWhile();
    expect(entered).toBe(false);
    fixture.clock.advance(1000);
    await next;
    expect(entered).toBe(true);
  });

  it('is waited for with patience, not for ever', async () => {
    // Somebody else always has it.
    const taken = Object.assign(Object.create(fixture.ports.store), { count: async () => undefined });
    const waiting = new Leases(taken, fixture.clock).run(newKey(), async () => 'entered');
    await aWhile();
    fixture.clock.advance(30_001);
    await expect(waiting).rejects.toMatchObject({ reason: 'unavailable', retryAfter: 20 });
  });

  it('that has run out is not given back: it may be the next one’s', async () => {
    const key = newKey();
    const endSlow = await hold(key);
    fixture.clock.advance(20_000);
    const endSecond = await hold(key);
    await endSlow();
    let entered = false;
    const third = node().run(key, async () => {
      entered = true;
    });
    await aWhile();
    expect(entered).toBe(false);
    await endSecond();
    await third;
  });

  it('is fresh for half of its time', async () => {
    await node().run(newKey(), async (lease) => {
      fixture.clock.advance(10_000);
      expect(() => lease.assertFresh()).not.toThrow();
      fixture.clock.advance(1);
      expect(() => lease.assertFresh()).toThrow('try again');
    });
  });
});
