import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storeContract } from '../../testing/store-contract.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { type Environment, openEnvironment, openEventLog, openStore } from './index.ts';
import { bundle } from './test-child.ts';

const scratch = () => mkdtemp(join(tmpdir(), 'watchword-store-'));

storeContract('embedded', async () => {
  const folder = await scratch();
  const clock = new TestClock();
  const environment = await openEnvironment(folder);
  return {
    store: openStore(environment, clock),
    pass: async (seconds) => clock.advance(seconds * 1000),
    another: async () => openStore(environment, clock),
    async dispose() {
      await environment.close();
      await rm(folder, { recursive: true });
    },
  };
});

describe('the store on lmdb', () => {
  let folder: string;
  let environment: Environment;
  beforeEach(async () => {
    folder = await scratch();
    environment = await openEnvironment(folder);
  });
  afterEach(async () => {
    await environment.close();
    await rm(folder, { recursive: true });
  });

  it('does not grow with values whose time is over', async () => {
    const clock = new TestClock();
    const store = openStore(environment, clock);
    for (let n = 0; n < 300; n += 1) {
      await store.put(`value:${n}`, Buffer.from('x'), 1);
      clock.advance(100);
    }
    const records = environment.table('store', { encoding: 'binary' }).getCount();
    expect(records).toBeLessThan(20);
    expect(environment.table('store-ends', {}).getCount()).toBe(records);
  });

  it('keeps values over a restart', async () => {
    const clock = new TestClock();
    await openStore(environment, clock).put('value:kept', Buffer.from('x'), 60);
    await environment.close();
    environment = await openEnvironment(folder);
    expect(await openStore(environment, clock).get('value:kept')).toEqual(Buffer.from('x'));
  });

  it('refuses to go on when the environment is closed', async () => {
    const store = openStore(environment, new TestClock());
    await environment.close();
    await expect(store.get('value:x')).rejects.toMatchObject({ reason: 'unavailable' });
    await expect(store.probe()).rejects.toMatchObject({ reason: 'unavailable' });
    await expect(store.count('count:x', { by: 1, seconds: 1 })).rejects.toMatchObject({
      reason: 'unavailable',
    });
  });

  it('numbers events in the order in which they came', async () => {
    const log = await openEventLog(environment);
    const event = (n: number) => ({
      time: n,
      client: '-',
      application: 'Manager',
      session: 'A',
      text: `event ${n}`,
    });
    await Promise.all([1, 2, 3].map((n) => log.append(event(n))));
    const events = environment.table('events', {});
    expect([1, 2, 3].map((n) => events.get(n))).toEqual([event(1), event(2), event(3)]);
  });

  it('counts once for each call of four processes', async () => {
    const child = await bundle('store-child.ts');
    const processes = [1, 2, 3, 4].map(() => child.start(folder, '100'));
    const reached = await Promise.all(
      processes.map(async (it) => (await once(it, 'message'))[0] as number[]),
    );
    await Promise.all(processes.map((it) => it.exitCode ?? once(it, 'exit')));
    await child.dispose();
    expect(reached.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 400 }, (_, n) => n + 1));
  });
});
