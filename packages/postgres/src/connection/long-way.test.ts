/**
 * A database with a long latency, or a silent one.
 *
 * Fails without the guard: in primary.ts, let an attempt to connect end after a quarter of the time; in patience.ts, give each step the whole
 * time, count steps that are answered at once, or keep counting when the request has ended; in silence-timeout.ts, do not watch; in
 * batches.ts, send overdue steps.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../node/src/machine/index.ts';
import { assertUpToDate, Database, openLedger, openStore, Steps } from '../index.ts';
import { type Bed, openBed, optionsOf } from '../testing/bed.ts';
import { startCuttingProxy } from '../testing/cutting-proxy.ts';
import { startLongWay } from '../testing/long-way.ts';

let bed: Bed;
beforeAll(async () => {
  bed = await openBed();
});
afterAll(() => bed.dispose());

interface Away {
  readonly ports: readonly number[];
  readonly timeout_ms: number;
  readonly connections?: number;
}

function open({ ports, timeout_ms, connections = 5 }: Away, tls = false): Database {
  const database = new Database({
    ...optionsOf(bed.server, bed.database),
    hosts: ports.map((port) => ({ host: 'localhost', port })),
    ...{ timeout_ms, connections },
    tls: tls && { ca: bed.server.ca },
  });
  onTestFinished(() => database.close());
  return database;
}

async function away(milliseconds: number) {
  const way = await startLongWay(bed.server.port, milliseconds);
  onTestFinished(() => way.stop());
  return way;
}

/** Writes as a login does. */
const write = (database: Database, key: string): Promise<boolean> =>
  openLedger(new Steps(database), systemClock).commit({
    durable: [key],
    decide: () => ({
      result: true,
      values: new Map([[key, { value: Buffer.from('x'), seconds: 60 }]]),
    }),
  });

const outcome = (work: Promise<unknown>): Promise<unknown> => work.catch(({ reason }) => reason);

describe('connecting', () => {
  it('may take longer than a quarter of the time with a long latency', async () => {
    const way = await away(200);
    const database = open({ ports: [way.port], timeout_ms: 8000 }, true);
    const begun = performance.now();
    await assertUpToDate(database);
    // Otherwise the latency is too short for the test.
    expect(performance.now() - begun).toBeGreaterThan(8000 / 4);
    expect(await write(database, 'far:a')).toBe(true);
    expect(way.opened).toBe(1);
  });

  it('gives up a silent host, and finds the primary', async () => {
    const [hole, way] = await Promise.all([away(0), away(0)]);
    hole.swallow();
    const database = open({ ports: [hole.port, way.port], timeout_ms: 8000 });
    expect(await write(database, 'hole:a')).toBe(true);
  });

  it('tries again when a host was silent for a quarter of the time', async () => {
    const hole = await away(0);
    hole.swallow();
    const database = open({ ports: [hole.port], timeout_ms: 2000 });
    expect(await outcome(write(database, 'hole:b'))).toBe('unavailable');
    expect(hole.opened).toBeGreaterThan(1);
  });

  it('leaves the connection to the next call when its own call has stopped waiting', async () => {
    const way = await away(100);
    const database = open({ ports: [way.port], timeout_ms: 30_000 });
    const impatient = database.deadline();
    Object.defineProperty(impatient, 'left', { value: 1 });
    const nothing = async () => undefined;
    await expect(database.withConnection(nothing, impatient)).rejects.toMatchObject({ fate: 'not_done' });
    await database.withConnection(nothing);
    expect(way.opened).toBe(1);
  });
});

describe('request', () => {
  /** A database that never answers statements of this name. */
  async function swallowed(timeout_ms: number, port = bed.server.port) {
    const proxy = await startCuttingProxy(port);
    onTestFinished(() => proxy.stop());
    return { proxy, database: open({ ports: [proxy.port], timeout_ms }) };
  }

  const read = (database: Database, key: string) =>
    openStore(new Steps(database), { lasting: true }).get(key);

  it.each([
    ['writes', write],
    ['reads', read],
  ] as const)('waits for all its steps together as long as for one when it %s', async (_, step) => {
    const hole = await away(0);
    hole.swallow();
    const database = open({ ports: [hole.port], timeout_ms: 1000 });
    const waited: boolean[] = [];
    await database.patience.during(async () => {
      for (const key of ['one:a', 'one:b', 'one:c']) {
        waited.push(database.deadline().left > 100);
        expect(await outcome(step(database, key))).toBe('unavailable');
      }
    });
    expect(waited).toEqual([true, false, false]);
  });

  it('has no time left when its step has failed at the deadline', async () => {
    const way = await away(150);
    const { proxy, database } = await swallowed(2000, way.port);
    proxy.cutNext('swallow', 'steps');
    await database.patience.during(async () => {
      expect(await outcome(write(database, 'told:a'))).toBe('unavailable');
      expect(database.deadline().left).toBeLessThan(100);
    });
  });

  it('has a time of its own after another request has used up its time', async () => {
    const { proxy, database } = await swallowed(2000);
    await database.patience.during(async () => {
      proxy.cutNext('swallow');
      await outcome(write(database, 'own:a'));
    });
    expect(await database.patience.during(async () => database.deadline().left)).toBeGreaterThan(1900);
  });

  it('shares its time with requests within it, except those apart', async () => {
    const { database } = await swallowed(1000);
    const { patience } = database;
    await patience.during(async () => {
      const deadline = patience.deadline();
      await sleep(500);
      deadline.ended();
      const within = await patience.during(async () => patience.deadline().left);
      const apart = await patience.apart(async () => patience.deadline().left);
      const aside = patience.detached(() => patience.deadline().left);
      expect(within).toBeLessThan(600);
      expect([apart > 900, aside > 900]).toEqual([true, true]);
    });
  });

  it('uses up no time by any number of steps that are answered at once', async () => {
    const { database } = await swallowed(30_000);
    await database.patience.during(async () => {
      for (let n = 0; n < 20; n += 1) await write(database, `many:${n}`);
      // A slow step may count.
      expect(database.deadline().left).toBeGreaterThan(10_000);
    });
    const { patience } = open({ ports: [1], timeout_ms: 400 });
    await patience.during(async () => {
      for (let n = 0; n < 10; n += 1) {
        const deadline = patience.deadline();
        await sleep(40);
        if (400 - deadline.left < 50) deadline.ended();
      }
      expect(patience.deadline().left).toBeGreaterThan(390);
    });
  });

  it('counts concurrent steps once', async () => {
    const { patience } = open({ ports: [1], timeout_ms: 1000 });
    await patience.during(async () => {
      const together = Array.from({ length: 5 }, () => patience.deadline());
      await sleep(300);
      const left = together[0]?.left ?? 0;
      for (const one of together) one.ended();
      expect(Math.abs(patience.deadline().left - left)).toBeLessThan(50);
    });
  });

  it('leaves no time limit to work that continues after it', async () => {
    const { database } = await swallowed(1000);
    let left = 0;
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    let going: Promise<void> | undefined;
    await database.patience.during(async () => {
      const deadline = database.deadline();
      going = ended.then(() => {
        left = database.deadline().left;
      });
      await sleep(500);
      deadline.ended();
    });
    end();
    await going;
    expect(left).toBeGreaterThan(900);
  });
});

it('counts a step as overdue once it has ended before its time', async () => {
  const way = await away(0);
  const deadline = open({ ports: [way.port], timeout_ms: 2000 }).deadline();
  expect(deadline.isOver).toBe(false);
  deadline.ended();
  expect(deadline.isOver).toBe(true);
});

it('sends no step that is overdue when there is a connection', async () => {
  const way = await away(0);
  const database = open({ ports: [way.port], timeout_ms: 2000, connections: 1 });
  const store = openStore(new Steps(database), { lasting: true });
  const { patience } = database;
  let others: Promise<unknown> | undefined;
  await database.withConnection(() =>
    patience.during(async () => {
      const before = patience.deadline();
      await sleep(1800);
      before.ended();
      const put = (key: string) => store.put(key, Buffer.from('x'), 60);
      // The first step is sent alone, and the others wait for the next batch.
      others = patience.detached(() => Promise.all([put('late:first'), put('late:others')]));
      expect(await outcome(store.put('late:own', Buffer.from('x'), 60))).toBe('unavailable');
    }),
  );
  await others;
  expect(await store.get('late:others')).toBeDefined();
  expect(await store.get('late:own')).toBeUndefined();
});
