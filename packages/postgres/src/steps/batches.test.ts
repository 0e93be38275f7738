/**
 * Steps that share a batch, and steps that share a key.
 *
 * Fails without the guard: in batches.ts, let `#fail` fail all steps, or `send` set no timer; in steps-together.ts, lock all keys
 * exclusively, keep events of wrong steps, or continue wrong steps; in optimistic-step.ts, let a step queue for all its keys; in
 * primary.ts, race a promise for the end of a server for each connection.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Ledger } from '../../../core/src/ports/store/ledger.ts';
import { Database, openEventLog, openLedger } from '../index.ts';
import { type Bed, openBed, optionsOf } from '../testing/bed.ts';

let bed: Bed;
beforeAll(async () => {
  bed = await openBed();
});
afterAll(() => bed.dispose());

const bytes = (text: string) => ({ value: Buffer.from(text), seconds: 60 });

const enter = (ledger: Ledger, own: string, read: readonly string[] = []): Promise<string> =>
  ledger.admit({
    ...{ durable: read, ephemeral: [own] },
    decide: () => ({ result: own, values: [[own, bytes('taken')]] }),
  });

/** Counts up, and adds an event. */
const count = (ledger: Ledger, key: string): Promise<number> =>
  ledger.commit({
    durable: [key],
    decide: (found) => {
      const reached = Number(Buffer.from(found.value(key) ?? '0').toString()) + 1;
      const text = `${key} ${reached}`;
      return {
        result: reached,
        values: [[key, bytes(String(reached))]],
        events: [{ time: 1, client: '-', application: 'Together', session: 'AAAAAAAA', text }],
      };
    },
  });

const several = (name: string): readonly string[] => Array.from({ length: 10 }, (_, n) => `${name}:${n}`);

/** Counts the batches that are sent during some work. */
async function sentDuring(work: () => Promise<unknown>): Promise<number> {
  const queries = vi.spyOn(Client.prototype, 'query');
  await work();
  const names = queries.mock.calls.map(([query]) => Object(query).name);
  queries.mockRestore();
  return names.filter((name) => name === 'steps').length;
}

/** Takes a lock in another session, as a step under way does. @returns a function that releases it */
async function hold(lock: string, key: string): Promise<() => Promise<void>> {
  const database = new Database({ ...optionsOf(bed.server, bed.database), timeout_ms: 60_000 });
  const { promise: over, resolve: end } = promised();
  const { promise: locked, resolve: isLocked } = promised();
  const holding = database.withConnection(async (client) => {
    await client.query('BEGIN');
    await client.query(`SELECT ${lock}(hashtextextended('${key}', 0))`);
    isLocked();
    await over;
    await client.query('ROLLBACK');
  });
  await locked;
  return async () => {
    end();
    await holding;
    await database.close();
  };
}

function promised(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

it('sends steps of one tick in one batch when they read the same key', async () => {
  const ledger = openLedger(bed.anotherNode(), bed.clock);
  await enter(ledger, 'first:a');
  const keys = several('together');
  const sent = await sentDuring(async () => {
    expect(await Promise.all(keys.map((key) => enter(ledger, key, ['shared:own'])))).toEqual(keys);
  });
  expect(sent).toBeLessThanOrEqual(2);
});

it('commits or retries each step of a batch on its own, with its events', async () => {
  const [one, other] = [openLedger(bed.anotherNode(), bed.clock), openLedger(bed.anotherNode(), bed.clock)];
  const keys = several('single');
  const counted = (ledger: Ledger, some: readonly string[]) =>
    Promise.all(some.map((key) => count(ledger, key)));
  expect(await counted(one, keys)).toEqual(keys.map(() => 1));
  // Every other value differs from the first node's cache.
  const everyOther = keys.filter((_, n) => n % 2 === 0);
  expect(await counted(other, everyOther)).toEqual([2, 2, 2, 2, 2]);
  expect(await counted(other, everyOther)).toEqual([3, 3, 3, 3, 3]);
  let reached: readonly number[] = [];
  const sent = await sentDuring(async () => {
    reached = await counted(one, keys);
  });
  expect(reached).toEqual(keys.map((_, n) => (n % 2 === 0 ? 4 : 2)));
  expect(sent).toBeLessThanOrEqual(4);
  const events = await openEventLog(bed.steps).list({ application: 'Together', max: 100 });
  const expected = keys.flatMap((key, n) =>
    (n % 2 === 0 ? [1, 2, 3, 4] : [1, 2]).map((reached) => `${key} ${reached}`),
  );
  expect(events.map(({ text }) => text).sort()).toEqual(expected.sort());
});

it('commits the other steps when the database cannot take one', async () => {
  const ledger = openLedger(bed.anotherNode(), bed.clock);
  const keys = ['poisoned:a', 'poisoned:b\0', 'poisoned:c'];
  const entered = await Promise.allSettled(keys.map((key) => enter(ledger, key)));
  expect(entered).toMatchObject([
    { value: 'poisoned:a' },
    { reason: { reason: 'internal' } },
    { value: 'poisoned:c' },
  ]);
});

it('delays no step by one that is blocked, and commits those of its batch after a while', async () => {
  const ledger = openLedger(bed.anotherNode({ timeout_ms: 6000 }), bed.clock);
  await enter(ledger, 'first:a');
  const release = await hold('pg_advisory_xact_lock', 'falseheld-up:a');
  const isHeld = enter(ledger, 'held-up:a').catch(({ reason }) => reason);
  const beside = enter(ledger, 'held-up:b');
  await sleep(50);
  expect(await Promise.race([isHeld, enter(ledger, 'held-up:c')])).toBe('held-up:c');
  expect(await Promise.race([isHeld, beside])).toBe('held-up:b');
  expect(await isHeld).toBe('unavailable');
  await release();
});

it('reads a key beside other readers, and waits to change it', async () => {
  const ledger = openLedger(bed.anotherNode(), bed.clock);
  const release = await hold('pg_advisory_xact_lock_shared', 'trueshared:key');
  expect(await enter(ledger, 'looking:a', ['shared:key'])).toBe('looking:a');
  const changed = count(ledger, 'shared:key');
  expect(await Promise.race([changed, enter(ledger, 'looking:b')])).toBe('looking:b');
  await release();
  expect(await changed).toBe(1);
});

it('leaves no promises in memory', async () => {
  const ledger = openLedger(bed.anotherNode(), bed.clock);
  const promises = (): number => queryObjects(Promise, { format: 'count' });
  await enter(ledger, 'memory:a');
  const before = promises();
  for (let n = 0; n < 200; n += 1) await enter(ledger, 'memory:a');
  expect(promises() - before).toBeLessThan(100);
});
