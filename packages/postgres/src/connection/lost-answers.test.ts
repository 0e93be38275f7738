/**
 * Lost answers and lost servers: the outcome of a step is asked for, never assumed.
 *
 * Fails without the guard: in steps/optimistic-step.ts, let `#send` try again or give up without a question; in faults.ts, let a server that
 * is shut down have done nothing.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isFree, type Ledger } from '../../../core/src/ports/store/ledger.ts';
import { type PostgresServer, startPostgres } from '../../../core/src/testing/bed/engines/postgres.ts';
import { playMany } from '../../../core/src/testing/contracts/ledger-history.ts';
import { systemClock } from '../../../node/src/machine/index.ts';
import { Database, openEventLog, openLedger, openStore, Steps } from '../index.ts';
import { type Bed, migrate, openBed, optionsOf } from '../testing/bed.ts';
import { type Cut, startCuttingProxy } from '../testing/cutting-proxy.ts';

const event = (text: string) => ({ time: 1, client: '-', application: 'Lost', session: 'AAAAAAAA', text });

/** Claims and counts a number, and adds an event. */
const claim = (ledger: Ledger, key: string, value = 1): Promise<boolean> =>
  ledger.commit({
    durable: [key, `${key}:count`],
    decide: (found) => {
      const count = Number(Buffer.from(found.value(`${key}:count`) ?? '0').toString()) + 1;
      return {
        result: isFree(found, { key, value }),
        claims: [{ key, value, seconds: 60 }],
        values: new Map([[`${key}:count`, { value: Buffer.from(String(count)), seconds: 60 }]]),
        events: [event(`${key} ${value}`)],
      };
    },
  });

/** Waits until there is a connection. */
async function warm(ledger: Ledger): Promise<void> {
  while ((await ledger.get('warm').catch(() => 'too slow')) !== undefined);
}

describe('connection that is cut', () => {
  let bed: Bed;
  beforeAll(async () => {
    bed = await openBed();
  });
  afterAll(() => bed.dispose());

  async function behindProxy(timeout_ms = 30_000) {
    const proxy = await startCuttingProxy(bed.server.port);
    onTestFinished(() => proxy.stop());
    const steps = bed.anotherNode({ port: proxy.port, timeout_ms });
    return { proxy, steps, ledger: openLedger(steps, systemClock) };
  }

  it.each<[Cut, string]>([
    ['request', 'its request is lost'],
    ['answer', 'its answer is lost'],
    ['57P01', 'the server answers that it shuts down'],
    ['57P02', 'the server answers that another of its processes crashed'],
  ])('makes a step once (%s) when %s', async (how) => {
    const { proxy, ledger } = await behindProxy();
    const events = openEventLog(bed.steps);
    const key = `lost-${how}:a`;
    expect(await claim(ledger, key, 1)).toBe(true);
    proxy.cutNext(how, 'steps');
    expect(await claim(ledger, key, 2)).toBe(true);
    expect(proxy.cuts).toBe(1);
    expect(Buffer.from((await bed.steps.read({ key: `${key}:count`, lasting: true })) ?? '').toString()).toBe(
      '2',
    );
    const result = await events.list({ application: 'Lost', max: 100 });
    expect(result.filter(({ text }) => text.startsWith(key))).toHaveLength(2);
  });

  it.each<Cut>(['request', 'answer'])(
    'returns reads and ephemeral steps when the %s is lost',
    async (how) => {
      const { proxy, steps, ledger } = await behindProxy();
      const ephemeral = openStore(steps, { lasting: false });
      const key = `read-${how}:a`;
      const enter = () =>
        ledger.admit({
          ...{ durable: [], ephemeral: [key] },
          decide: (_, found) => {
            const count = Number(Buffer.from(found.value(key) ?? '0').toString()) + 1;
            return {
              result: count,
              values: new Map([[key, { value: Buffer.from(String(count)), seconds: 60 }]]),
            };
          },
        });
      expect(await enter()).toBe(1);
      proxy.cutNext(how, 'steps');
      expect(await enter()).toBe(2);
      proxy.cutNext(how, 'value');
      expect(Buffer.from((await ephemeral.get(key)) ?? '').toString()).toBe('2');
      expect(proxy.cuts).toBe(2);
    },
  );

  it('loses and repeats nothing when it is cut repeatedly during many logins', async () => {
    const nodes = await Promise.all([behindProxy(), behindProxy()]);
    let n = 0;
    const cutting = setInterval(() => {
      n += 1;
      if (n > 12) return;
      nodes[n % 2]?.proxy.cutNext(n % 3 === 0 ? 'request' : 'answer');
    }, 40);
    onTestFinished(() => clearInterval(cutting));
    const [events, ephemeral] = [openEventLog(bed.steps), openStore(bed.steps, { lasting: false })];
    const faults = await playMany(
      nodes.map(({ ledger }) => ledger),
      { events, ephemeral },
    );
    expect(faults).toEqual([]);
    expect(nodes.reduce((sum, { proxy }) => sum + proxy.cuts, 0)).toBeGreaterThan(0);
  });

  it('fails in time with an unknown outcome when nothing is answered', async () => {
    const { proxy, ledger } = await behindProxy(400);
    await warm(ledger);
    await proxy.stop();
    await expect(claim(ledger, 'swallowed:a')).rejects.toMatchObject({ reason: 'unavailable' });
    const hole = await behindProxy(400);
    await warm(hole.ledger);
    hole.proxy.cutNext('swallow', 'steps');
    // Another connection, with time left, learns that the step never arrived.
    const ended = await claim(hole.ledger, 'swallowed:b').catch(({ reason }) => reason);
    expect([true, 'unavailable']).toContain(ended);
  });

  it('does not make a step that arrives after the question for its outcome', async () => {
    const id = randomUUID();
    const [asked] = await bed.server.query<{ made: boolean }>(
      bed.database,
      `SELECT watchword.was_made('${id}', true) AS made`,
    );
    expect(asked?.made).toBe(false);
    const late = bed.server.query(
      bed.database,
      `SELECT watchword.steps_together('{${id}}', true, null, '[{"of":1,"family":"late","subject":"a","lasting":true,
        "matters":false,"change":"set","value":"78","life":60}]', null, null)`,
    );
    await expect(late).rejects.toMatchObject({ code: '23505' });
    expect(await bed.steps.read({ key: 'late:a', lasting: true })).toBeUndefined();
  });

  it('waits for the end of a step under way when its outcome is asked for', async () => {
    for (const [end, made] of [
      ['COMMIT', true],
      ['ROLLBACK', false],
    ] as const) {
      const id = randomUUID();
      const database = new Database({ ...optionsOf(bed.server, bed.database), timeout_ms: 60_000 });
      let answer: unknown;
      await database.withConnection(async (client) => {
        await client.query('BEGIN');
        await client.query(`INSERT INTO watchword.steps VALUES (true, '${id}', now(), false)`);
        const asking = bed.server
          .query(bed.database, `SELECT watchword.was_made('${id}', true) AS made`)
          .then(([row]) => row);
        const first = await Promise.race([asking, client.query('SELECT pg_sleep(0.1)').then(() => 'waits')]);
        expect(first).toBe('waits');
        await client.query(end);
        answer = await asking;
      });
      expect(answer).toEqual({ made });
      await database.close();
    }
  });
});

describe('server', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ fsync: true });
  });
  afterAll(() => server.stop());

  async function node(more: readonly number[] = []) {
    const database = await server.createDatabase();
    await migrate(server, database);
    const ports = [...more, server.port];
    const open = new Database({
      ...optionsOf(server, database),
      hosts: ports.map((port) => ({ host: '127.0.0.1', port })),
    });
    onTestFinished(() => open.close());
    return new Steps(open);
  }

  it('keeps acknowledged commits and loses ephemeral values when it is killed', async () => {
    const steps = await node();
    const [ledger, ephemeral] = [openLedger(steps, systemClock), openStore(steps, { lasting: false })];
    await ephemeral.put('place:a', Buffer.from('x'), 60);
    const claims = await Promise.all(Array.from({ length: 50 }, (_, n) => claim(ledger, `killed:${n}`)));
    expect(claims).toEqual(claims.map(() => true));
    const under = Array.from({ length: 50 }, (_, n) => claim(ledger, `under-way:${n}`));
    await server.halt();
    await server.resume();
    const granted = await Promise.all(under);
    expect(granted).toEqual(granted.map(() => true));
    expect(await ephemeral.get('place:a')).toBeUndefined();
    for (let n = 0; n < 50; n += 1)
      expect([await ledger.claimed(`killed:${n}`), await ledger.claimed(`under-way:${n}`)]).toEqual([1, 1]);
    const result = await openEventLog(steps).list({ application: 'Lost', max: 1000 });
    expect(new Set(result.map(({ text }) => text)).size).toBe(100);
    expect(result).toHaveLength(100);
  });

  it('fails calls in time while it is down', async () => {
    const database = await server.createDatabase();
    await migrate(server, database);
    const open = new Database({ ...optionsOf(server, database), timeout_ms: 300 });
    onTestFinished(() => open.close());
    const ledger = openLedger(new Steps(open), systemClock);
    await server.halt();
    await expect(claim(ledger, 'away:a')).rejects.toMatchObject({ reason: 'unavailable' });
    await expect(ledger.get('away:a')).rejects.toMatchObject({ reason: 'unavailable' });
    await server.resume();
    await warm(ledger);
    const patient = new Database(optionsOf(server, database));
    onTestFinished(() => patient.close());
    expect(await claim(openLedger(new Steps(patient), systemClock), 'away:a')).toBe(true);
  });

  it('is replaced by a standby while logins continue', async () => {
    const standby = await server.startStandby();
    onTestFinished(() => standby.stop());
    const steps = await node([standby.port]);
    const ledger = openLedger(steps, systemClock);
    expect(await claim(ledger, 'failover:before')).toBe(true);
    const under = Array.from({ length: 40 }, (_, n) => claim(ledger, `failover:${n}`));
    await server.halt();
    const waiting = Array.from({ length: 10 }, (_, n) => claim(ledger, `failover:late-${n}`));
    await standby.promote();
    expect((await Promise.all([...under, ...waiting])).every(Boolean)).toBe(true);
    expect(await ledger.claimed('failover:before')).toBe(1);
    const result = await openEventLog(steps).list({ application: 'Lost', max: 1000 });
    expect(result).toHaveLength(51);
  });
});
