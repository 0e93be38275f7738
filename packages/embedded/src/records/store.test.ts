import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundle } from '../../../core/src/testing/bed/children/test-child.ts';
import { storeContract } from '../../../core/src/testing/contracts/store-contract.ts';
import { TestClock } from '../../../core/src/testing/test-clock.ts';
import {
  dropEnds,
  type Environment,
  maxEphemeralRecords,
  openEnvironment,
  openEphemeral,
  openEventLog,
  openStore,
} from '../index.ts';
import { keptEvents } from '../testing/kept-events.ts';

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

storeContract('embedded, ephemeral', async () => {
  const folder = await scratch();
  const clock = new TestClock();
  const environment = await openEphemeral(folder, 'this-run');
  return {
    store: openStore(environment, clock, maxEphemeralRecords),
    pass: async (seconds) => clock.advance(seconds * 1000),
    another: async () => openStore(environment, clock, maxEphemeralRecords),
    async dispose() {
      await environment.close();
      await rm(folder, { recursive: true });
    },
  };
});

describe('ephemeral store', () => {
  it('drops the records that end first when it is full', async () => {
    const folder = await scratch();
    const environment = await openEphemeral(folder, 'this-run');
    const store = openStore(environment, new TestClock(), 100);
    for (let n = 0; n < 300; n += 1) await store.put(`place:${n}`, Buffer.from('x'), 60 + n);
    await store.put('turn', Buffer.from('x'), 1000);
    for (let n = 300; n < 400; n += 1) await store.put(`place:${n}`, Buffer.from('x'), 60 + n);
    expect(environment.table('store', { encoding: 'binary' }).getCount()).toBeLessThanOrEqual(100);
    expect(await store.get('place:0')).toBeUndefined();
    expect(await store.get('place:399')).toBeDefined();
    expect(await store.get('turn')).toBeDefined();
    await environment.close();
    await rm(folder, { recursive: true });
  });

  it('is emptied by a restart of the machine, with the folder of the former boot', async () => {
    const folder = await scratch();
    const clock = new TestClock();
    const open = async (boot: string | undefined) => {
      const environment = await openEphemeral(folder, boot);
      return { environment, store: openStore(environment, clock) };
    };
    const kept: boolean[] = [];
    for (const boot of ['one', 'one', 'two', undefined]) {
      const { environment, store } = await open(boot);
      kept.push((await store.get('kept')) !== undefined);
      await store.put('kept', Buffer.from('x'), 60);
      await environment.close();
    }
    expect(kept).toEqual([false, true, false, false]);
    expect(await readdir(folder)).toEqual(['momentary']);
    await rm(folder, { recursive: true });
  });

  it('is created again when its file is damaged', async () => {
    const folder = await scratch();
    await mkdir(join(folder, 'momentary-run'));
    await writeFile(join(folder, 'momentary-run', 'data.mdb'), 'no database');
    const environment = await openEphemeral(folder, 'run');
    const store = openStore(environment, new TestClock());
    await store.put('kept', Buffer.from('x'), 60);
    expect(await store.get('kept')).toEqual(Buffer.from('x'));
    await environment.close();
    await rm(folder, { recursive: true });
  });
});

const day = 86_400_000;

describe('store on LMDB', () => {
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

  it('shortens a counter that began while the clock was ahead', async () => {
    const clock = new TestClock();
    const store = openStore(environment, clock);
    const count = () => store.count('ahead', { by: 1, limit: 2, seconds: 60 });
    clock.advance(day);
    expect([await count(), await count(), await count()]).toEqual([1, 2, undefined]);
    clock.advance(-day);
    expect(await count()).toBeUndefined();
    clock.advance(61_000);
    expect(await count()).toBe(1);
  });

  it('does not grow with ended values', async () => {
    const clock = new TestClock();
    const store = openStore(environment, clock);
    for (let n = 0; n < 300; n += 1) {
      await store.put(`value:${n}`, Buffer.from('x'), 1);
      clock.advance(100);
    }
    expect(environment.table('store', { encoding: 'binary' }).getCount()).toBeLessThan(80);
  });

  it('keeps at most a third as many ended values as live ones', async () => {
    const clock = new TestClock();
    const store = openStore(environment, clock);
    const put = (keys: readonly string[], seconds: number) =>
      Promise.all(keys.map((key) => store.put(key, Buffer.from('x'), seconds)));
    const keys = (n: number, length: number) =>
      Array.from({ length }, (_, i) => `${(i * 7919 + n) % 997}:${n}:${i}`);
    await put(keys(0, 600), day);
    for (let n = 1; n < 40; n += 1) {
      await put(keys(n, 50), 1);
      clock.advance(2000);
    }
    const { length } = [...environment.table('store', { encoding: 'binary' }).getKeys()];
    expect(length).toBeGreaterThanOrEqual(600);
    expect(length).toBeLessThanOrEqual(600 + 200 + 50 + 32);
  });

  it('clears the index of ends of an earlier version', async () => {
    const ends = environment.table<true, [number, string]>('store-ends', {});
    await environment.write(() => ends.put([1, 'value:1'], true));
    await dropEnds(environment);
    expect(ends.getCount()).toBe(0);
  });

  it('keeps values over a restart', async () => {
    const clock = new TestClock();
    await openStore(environment, clock).put('value:kept', Buffer.from('x'), 60);
    await environment.close();
    environment = await openEnvironment(folder);
    expect(await openStore(environment, clock).get('value:kept')).toEqual(Buffer.from('x'));
  });

  it('refuses calls when the environment is closed', async () => {
    const store = openStore(environment, new TestClock());
    await environment.close();
    await expect(store.get('value:x')).rejects.toMatchObject({ reason: 'unavailable' });
    await expect(store.probe()).rejects.toMatchObject({ reason: 'unavailable' });
    await expect(store.count('count:x', { by: 1, seconds: 1 })).rejects.toMatchObject({
      reason: 'unavailable',
    });
  });

  it('keeps events in the order of their calls', async () => {
    const log = await openEventLog(environment);
    const event = (n: number) => ({
      time: n,
      client: '-',
      application: 'Manager',
      session: 'A',
      text: `event ${n}`,
    });
    await Promise.all([1, 2, 3].map((n) => log.append(event(n))));
    expect(keptEvents(environment)).toEqual([event(1), event(2), event(3)]);
  });

  it('counts each call of four processes once', async () => {
    const child = await bundle(new URL('../testing/store-child.ts', import.meta.url));
    const processes = [1, 2, 3, 4].map(() => child.start(folder, '100'));
    const reached = await Promise.all(
      processes.map(async (it) => (await once(it, 'message'))[0] as number[]),
    );
    await Promise.all(processes.map((it) => it.exitCode ?? once(it, 'exit')));
    await child.dispose();
    expect(reached.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 400 }, (_, n) => n + 1));
  });
});
