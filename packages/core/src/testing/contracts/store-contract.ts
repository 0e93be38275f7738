/** The contract of stores, as a vitest suite without an engine; keys of its own separate the tests. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store, Update } from '../../ports/store/store.ts';

export interface StoreFixture {
  readonly store: Store;
  /** Lets time pass for the store: moves the clock that it was given, or waits. */
  pass(seconds: number): Promise<void>;
  /** Opens the same store again, as after a crash of the process, or from another one. */
  another(): Promise<Store>;
  /** Closes the store with all that runs for it. */
  dispose(): Promise<void>;
}

/**
 * Declares the contract of a {@link Store} as a suite of vitest.
 * @param name the name of the engine in the titles of the tests
 * @param open opens a new fixture, which the suite disposes of after its last test; called once
 * @see docs/architecture.md#write-an-engine-of-a-port
 * @example
 * ```ts
 * import { openEnvironment, openStore } from '@watchword/embedded';
 * import { storeContract, TestClock } from '@watchword/core/testing';
 *
 * storeContract('embedded', async () => {
 *   const clock = new TestClock();
 *   const environment = await openEnvironment('./store');
 *   const another = async () => openStore(environment, clock);
 *   return {
 *     ...{ store: await another(), another },
 *     pass: async (seconds) => clock.advance(seconds * 1000),
 *     dispose: () => environment.close(),
 *   };
 * });
 * ```
 */
export function storeContract(name: string, open: () => Promise<StoreFixture>): void {
  describe(`store contract: ${name}`, () => {
    let fixture: StoreFixture;
    const bed: StoreBed = {
      get fixture() {
        return fixture;
      },
      get store() {
        return fixture.store;
      },
    };
    beforeAll(async () => {
      fixture = await open();
    });
    afterAll(() => fixture?.dispose());
    describeValues(bed);
    describeCounters(bed);
    describeClaims(bed);
    describeSwaps(bed);
    describeFamilies(bed);
    describeUpdates(bed);
    describeSharing(bed);
  });
}

interface StoreBed {
  readonly fixture: StoreFixture;
  readonly store: Store;
}

const text = (value: string): Uint8Array => Buffer.from(value, 'utf8');
const read = async (store: Store, key: string): Promise<string | undefined> => {
  const value = await store.get(key);
  return value && Buffer.from(value).toString('utf8');
};

function describeValues(bed: StoreBed): void {
  describe('values', () => {
    it('gives back the bytes that were put', async () => {
      const bytes = Uint8Array.from({ length: 256 }, (_, n) => n);
      await bed.store.put('value:bytes', bytes, 60);
      await bed.store.put('value:empty', new Uint8Array(), 60);
      expect(Buffer.from((await bed.store.get('value:bytes')) ?? [])).toEqual(Buffer.from(bytes));
      expect(await read(bed.store, 'value:empty')).toBe('');
    });

    it('has nothing that was never put, or was removed', async () => {
      await bed.store.put('value:gone', text('x'), 60);
      await bed.store.remove('value:gone');
      await bed.store.remove('value:never');
      expect(await bed.store.get('value:gone')).toBeUndefined();
      expect(await bed.store.get('value:never')).toBeUndefined();
    });

    it('forgets a value when its time is over, and not before', async () => {
      await bed.store.put('value:short', text('x'), 2);
      await bed.fixture.pass(1);
      expect(await read(bed.store, 'value:short')).toBe('x');
      await bed.fixture.pass(1.2);
      expect(await bed.store.get('value:short')).toBeUndefined();
    });

    it('replaces a value together with its time', async () => {
      await bed.store.put('value:again', text('first'), 1);
      await bed.store.put('value:again', text('second'), 60);
      await bed.fixture.pass(1.2);
      await bed.store.put('value:other', text('x'), 60);
      expect(await read(bed.store, 'value:again')).toBe('second');
    });
  });
}

function describeCounters(bed: StoreBed): void {
  describe('counters', () => {
    it('begin at 0, go up and down, and never below 0', async () => {
      const count = (by: number) => bed.store.count('count:plain', { by, seconds: 60 });
      expect([await count(1), await count(2), await count(-2), await count(-5), await count(1)]).toEqual([
        1, 3, 1, 0, 1,
      ]);
    });

    it('are not taken above the limit', async () => {
      const count = (by: number) => bed.store.count('count:limited', { by, seconds: 60, limit: 3 });
      expect([await count(2), await count(2), await count(1), await count(1)]).toEqual([
        2,
        undefined,
        3,
        undefined,
      ]);
      expect([await count(-1), await count(1)]).toEqual([2, 3]);
    });

    it('let exactly as many of 500 callers through as the limit says', async () => {
      const step = { by: 1, seconds: 60, limit: 37 };
      const results = await Promise.all(
        Array.from({ length: 500 }, () => bed.store.count('count:rush', step)),
      );
      const granted = results.filter((result) => result !== undefined).sort((a, b) => a - b);
      expect(granted).toEqual(Array.from({ length: 37 }, (_, n) => n + 1));
    });

    it('live from their first step on, however often they are counted', async () => {
      const step = { by: 1, seconds: 2 };
      await bed.store.count('count:window', step);
      await bed.fixture.pass(1);
      expect(await bed.store.count('count:window', step)).toBe(2);
      await bed.fixture.pass(1.2);
      expect(await bed.store.count('count:window', step)).toBe(1);
    });

    it('restart at 0', async () => {
      const count = (by: number) => bed.store.count('count:back', { by, seconds: 2 });
      await count(1);
      await bed.fixture.pass(1);
      expect([await count(-1), await count(1)]).toEqual([0, 1]);
      await bed.fixture.pass(1.2);
      expect(await count(1)).toBe(2);
    });

    it('restart when they are removed', async () => {
      await bed.store.count('count:removed', { by: 5, seconds: 60 });
      await bed.store.remove('count:removed');
      expect(await bed.store.count('count:removed', { by: 1, seconds: 60 })).toBe(1);
    });
  });
}

function describeClaims(bed: StoreBed): void {
  describe('claims', () => {
    it('grant a number once, and then only higher ones', async () => {
      const claim = (value: number) => bed.store.claim('claim:rise', value, 60);
      expect([await claim(0), await claim(0), await claim(7), await claim(3), await claim(7)]).toEqual([
        true,
        false,
        true,
        false,
        false,
      ]);
      expect(await bed.store.claimed('claim:rise')).toBe(7);
      expect(await claim(Number.MAX_SAFE_INTEGER)).toBe(true);
      expect(await bed.store.claimed('claim:rise')).toBe(Number.MAX_SAFE_INTEGER);
    });

    it('grant one of many who claim the same number, at this store and another', async () => {
      const stores = [bed.store, await bed.fixture.another()];
      const claims = Array.from({ length: 200 }, (_, n) => stores[n % 2]?.claim('claim:rush', 5, 60));
      expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1);
    });

    it('are forgotten when their time is over, which begins anew with each that is granted', async () => {
      const claim = (value: number) => bed.store.claim('claim:end', value, 2);
      await claim(1);
      await bed.fixture.pass(1);
      await claim(2);
      await claim(1);
      await bed.fixture.pass(1.5);
      expect(await bed.store.claimed('claim:end')).toBe(2);
      await bed.fixture.pass(1);
      expect(await bed.store.claimed('claim:end')).toBeUndefined();
      expect(await claim(1)).toBe(true);
    });
  });

  describe('take', () => {
    it('gives a value to one of many, and then there is none', async () => {
      await bed.store.put('take:one', text('x'), 60);
      const stores = [bed.store, await bed.fixture.another()];
      const taken = await Promise.all(Array.from({ length: 50 }, (_, n) => stores[n % 2]?.take('take:one')));
      const got = taken.filter((value) => value !== undefined);
      expect(got.map((value) => Buffer.from(value).toString())).toEqual(['x']);
      expect(await bed.store.get('take:one')).toBeUndefined();
    });

    it('gives nothing where nothing is, or its time is over', async () => {
      await bed.store.put('take:late', text('x'), 1);
      await bed.fixture.pass(1.2);
      expect(await bed.store.take('take:late')).toBeUndefined();
      expect(await bed.store.take('take:never')).toBeUndefined();
    });
  });
}

function describeSwaps(bed: StoreBed): void {
  describe('swap', () => {
    const swap = (key: string, before: string | undefined, after: string, store = bed.store) =>
      store.swap(key, {
        before: before === undefined ? undefined : text(before),
        after: text(after),
        seconds: 2,
      });

    it('changes only what is as it was thought to be', async () => {
      const key = 'swap:plain';
      expect([await swap(key, 'a', 'b'), await swap(key, '', 'b'), await read(bed.store, key)]).toEqual([
        false,
        false,
        undefined,
      ]);
      expect([await swap(key, undefined, 'a'), await swap(key, undefined, 'b')]).toEqual([true, false]);
      expect([await swap(key, 'b', 'c'), await swap(key, 'a', 'b'), await swap(key, 'a', 'c')]).toEqual([
        false,
        true,
        false,
      ]);
      expect(await read(bed.store, key)).toBe('b');
    });

    it('leaves a value its end', async () => {
      const key = 'swap:end';
      await swap(key, undefined, 'a');
      await bed.fixture.pass(1);
      expect(await swap(key, 'a', 'b')).toBe(true);
      await bed.fixture.pass(1.2);
      expect(await bed.store.get(key)).toBeUndefined();
      expect([await swap(key, 'b', 'c'), await swap(key, undefined, 'c')]).toEqual([false, true]);
    });

    it('lets one of many through, at this store and another', async () => {
      const other = await bed.fixture.another();
      const swaps = Array.from({ length: 100 }, (_, n) =>
        swap('swap:rush', undefined, String(n), n % 2 === 0 ? bed.store : other),
      );
      const winners = (await Promise.all(swaps)).flatMap((won, n) => (won ? [String(n)] : []));
      expect(winners).toHaveLength(1);
      expect(await read(other, 'swap:rush')).toBe(winners[0]);
    });
  });
}

function describeFamilies(bed: StoreBed): void {
  describe('a family', () => {
    const all = async (name: string): Promise<readonly string[]> => {
      const found: string[] = [];
      for await (const page of bed.store.family(name))
        found.push(...page.map(({ key, value }) => `${key}=${Buffer.from(value)}`));
      return found.sort();
    };

    it('is all values that begin with its name, and are not over', async () => {
      await bed.store.put('family:b', text('2'), 60);
      await bed.store.put('family:a', text('1'), 60);
      await bed.store.put('family:over', text('0'), 1);
      for (const key of ['famil:a', 'family-a:a', 'family2:a', 'familyz:a', 'FAMILY:a'])
        await bed.store.put(key, text('other'), 60);
      await bed.fixture.pass(1.2);
      expect(await all('family')).toEqual(['family:a=1', 'family:b=2']);
      expect(await all('nobody')).toEqual([]);
    });

    it('has each of many once, and those that are written while it is gone through', async () => {
      const keys = Array.from({ length: 1000 }, (_, n) => `many:${n}`);
      await Promise.all(keys.map((key) => bed.store.put(key, text('a'), 60)));
      const seen: string[] = [];
      let largest = 0;
      for await (const page of bed.store.family('many')) {
        largest = Math.max(largest, page.length);
        seen.push(...page.map(({ key }) => key));
        await Promise.all(page.map(({ key }) => bed.store.put(key, text('b'), 60)));
      }
      expect([...seen].sort()).toEqual([...keys].sort());
      expect(largest).toBeLessThan(1000);
      const few: number[] = [];
      for await (const page of bed.store.family('many', 400)) few.push(page.length);
      expect(few).toEqual([400, 400, 200]);
    });
  });
}

function describeUpdates(bed: StoreBed): void {
  const change = (key: string, after?: Update<string>['after']) =>
    bed.store.update(key, (before): Update<string> => {
      const result = before ? Buffer.from(before).toString() : 'nothing';
      return { result, ...(after !== undefined && { after }) };
    });
  const lasting = (value: string, seconds: number) => ({ value: text(value), seconds });

  describe('updates', () => {
    it('see what was there, and leave what they say', async () => {
      expect(await change('update:plain', lasting('one', 60))).toBe('nothing');
      expect(await change('update:plain', lasting('two', 60))).toBe('one');
      expect(await change('update:plain')).toBe('two');
      expect(await change('update:plain', null)).toBe('two');
      expect(await change('update:plain')).toBe('nothing');
    });

    it('give a value a time of its own, and do not see one whose time is over', async () => {
      await change('update:short', lasting('one', 1));
      await change('update:short', lasting('two', 3));
      await bed.fixture.pass(1.5);
      expect(await change('update:short')).toBe('two');
      await bed.fixture.pass(2);
      expect(await change('update:short')).toBe('nothing');
    });

    it('leave the time as it is where they change nothing', async () => {
      await change('update:kept', lasting('one', 1));
      await change('update:kept');
      await bed.fixture.pass(1.2);
      expect(await bed.store.get('update:kept')).toBeUndefined();
    });

    it('are made one after the other, at this store and another', async () => {
      const stores = [bed.store, await bed.fixture.another()];
      const increment = (before: Uint8Array | undefined): Update<number> => {
        const result = Number(Buffer.from(before ?? text('0')).toString()) + 1;
        return { result, after: lasting(String(result), 60) };
      };
      const rush = Array.from({ length: 200 }, (_, n) => stores[n % 2]?.update('update:rush', increment));
      const reached = (await Promise.all(rush)).map(Number).sort((a, b) => a - b);
      expect(reached).toEqual(Array.from({ length: 200 }, (_, n) => n + 1));
    });
  });
}

function describeSharing(bed: StoreBed): void {
  describe('sharing', () => {
    it('shows others what was answered, values and counters', async () => {
      await bed.store.put('shared:value', text('x'), 60);
      await bed.store.count('shared:count', { by: 2, seconds: 60 });
      const other = await bed.fixture.another();
      expect(await read(other, 'shared:value')).toBe('x');
      expect(await other.count('shared:count', { by: 1, seconds: 60 })).toBe(3);
    });

    it('counts once for each of many callers at both', async () => {
      const stores = [bed.store, await bed.fixture.another()];
      const calls = Array.from({ length: 200 }, (_, n) =>
        stores[n % 2]?.count('shared:rush', { by: 1, seconds: 60 }),
      );
      const reached = (await Promise.all(calls)).map(Number).sort((a, b) => a - b);
      expect(reached).toEqual(Array.from({ length: 200 }, (_, n) => n + 1));
    });

    it('answers a probe, with the room that is left if it can tell', async () => {
      const free = await bed.store.probe();
      if (free !== undefined) expect(free).toBeGreaterThan(0);
      expect(await bed.store.probe()).toEqual(free === undefined ? undefined : expect.any(Number));
    });
  });
}
