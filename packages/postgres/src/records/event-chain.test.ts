/** The event log on PostgreSQL as several chains, which an export verifies as a whole. */
import { createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ChainRecord, checkpointPurpose, exportLine } from '../../../core/src/ports/event-log/chain.ts';
import type { AuditEvent, EventLog, LinkedRecord } from '../../../core/src/ports/event-log/event-log.ts';
import { ChainFault, ChainVerifier, type Verified } from '../../../core/src/ports/event-log/verification.ts';
import { KeyRing } from '../../../core/src/ports/keys.ts';
import { systemRandom } from '../../../node/src/machine/index.ts';
import { openEventLog, openLedger } from '../index.ts';
import { type Bed, openBed } from '../testing/bed.ts';

const signer = new KeyRing([Buffer.alloc(32, 1)], systemRandom);
const event = (time: number, more: Partial<AuditEvent> = {}): AuditEvent => ({
  ...{
    time,
    client: '-',
    application: 'Manager',
    session: 'ABCDEFGH',
    text: `at ${time}, é "quoted" \u2028`,
  },
  ...more,
});

async function exportOf(log: EventLog, since?: number): Promise<readonly LinkedRecord[]> {
  const all: LinkedRecord[] = [];
  for await (const page of log.exported({ now: 1_000_000, since })) all.push(...page);
  return all;
}

function verify(records: readonly LinkedRecord[]): Verified {
  const verifier = new ChainVerifier(
    signer.verifyingKeys(checkpointPurpose).map((key) => createPublicKey(key)),
  );
  for (const record of records) verifier.add(exportLine(record));
  return verifier.end();
}

const saidIn = (records: readonly LinkedRecord[]) =>
  records.map(({ record }): ChainRecord => JSON.parse(record));

describe('event log on PostgreSQL', () => {
  let bed: Bed;
  beforeAll(async () => {
    bed = await openBed();
  });
  afterAll(() => bed.dispose());
  beforeEach(() =>
    bed.server.query(bed.database, 'TRUNCATE watchword.events, watchword.lanes, watchword.event_age'),
  );

  const node = (eventDays = 0) => bed.anotherNode({ signer, eventDays });
  const change = (sql: string) => bed.server.query(bed.database, sql);

  it('exports whole chains, one for each concurrent writer', async () => {
    const nodes = [node(), node()];
    const ledgers = nodes.map((steps) => openLedger(steps, bed.clock));
    const [log] = nodes.map(openEventLog);
    if (!log) return;
    const settle = (time: number) =>
      ledgers[time % 2]?.commit({
        durable: [`chain:${time}`],
        decide: () => ({ result: 0, events: [event(time)] }),
      });
    // Whether two steps are concurrent is a matter of chance.
    let [events, chains] = [0, 0];
    while (chains < 2 && events < 6000) {
      await Promise.all(Array.from({ length: 300 }, (_, n) => settle(events + n)));
      events += 300;
      const records = await exportOf(log);
      expect(verify(records)).toMatchObject({ events, first: 0, last: events - 1, isPart: false });
      chains = new Set(saidIn(records).map(({ chain }) => chain)).size;
    }
    expect(chains).toBeGreaterThan(1);
    await settle(events);
    expect(verify(await exportOf(log))).toMatchObject({ events: events + 1 });
  });

  it('is signed after a thousand records, with the counts of refusals', async () => {
    const steps = node();
    const log = openEventLog(steps);
    for (let time = 0; time < 2500; time += 1) void log.append(event(time, { text: `n ${time}` }));
    await log.append(event(2500, { text: 'refused', count: 1 }));
    for (let time = 2501; time < 2510; time += 1)
      await log.append(event(time, { text: 'refused', count: 1 }));
    const records = await exportOf(log);
    const said = saidIn(records);
    // A checkpoint in between records a part of the count, and a later one the rest.
    const result = new Map(
      said.flatMap((one) =>
        'checkpoint' in one
          ? one.checkpoint.counted.map(
              ([number, count, last]) => [`${one.chain}:${number}`, { count, last }] as const,
            )
          : [],
      ),
    );
    // A step concurrent with a checkpoint begins another chain, and another count.
    const refused = said.flatMap((one) =>
      'event' in one && one.event.text === 'refused'
        ? [result.get(`${one.chain}:${one.number}`) ?? { count: 1, last: one.event.time }]
        : [],
    );
    expect(refused.reduce((sum, { count }) => sum + count, 0)).toBe(10);
    expect(Math.max(...refused.map(({ last }) => last))).toBe(2509);
    expect(verify(records).events).toBe(2500 + refused.length);
  });

  it('exports a shortened chain after old events were removed, and from a checkpoint on', async () => {
    const day = 86_400_000;
    const log = openEventLog(node(1));
    const append = (time: number) => {
      bed.clock.advance(time - bed.clock.now());
      return log.append(event(time));
    };
    for (let time = 0; time < 20; time += 1) await append(time);
    for (const time of [day, 2 * day]) await append(time);
    // A step skips a chain that is being signed, or begins another, so the number of steps varies. The last record of a chain stays.
    const old = `SELECT 1 FROM watchword.events AS e JOIN watchword.lanes AS l USING (chain)
      WHERE e.number < l.number AND e.application <> '' AND e.time < ${3 * day}`;
    let last = 3 * day;
    for (; last < 3 * day + 300; last += 1) {
      await append(last);
      if (last > 3 * day + 9 && (await change(old)).length === 0) break;
    }
    expect(await change(old)).toEqual([]);
    const whole = verify(await exportOf(log));
    const kept = last - 3 * day + 1;
    expect(whole.last).toBe(last);
    expect(whole.events).toBeGreaterThanOrEqual(kept);
    expect(whole.events).toBeLessThan(kept + 22);
    // A shortened chain begins with an event or a checkpoint.
    expect(whole.isShortened || whole.isPart).toBe(true);
    await append(4 * day);
    const part = verify(await exportOf(log, 2_000_000));
    expect(part).toMatchObject({ isPart: true, last: 4 * day });
    expect(part.events).toBeLessThan(whole.events);
  });

  it('keeps all events while the clock of one node is a year ahead', async () => {
    const day = 86_400_000;
    const now = bed.clock.now();
    const log = openEventLog(node(1));
    await log.append(event(now));
    for (let n = 0; n < 20; n += 1) await log.append(event(now + (365 + n) * day));
    expect(await log.list({ application: 'Manager', max: 99 })).toHaveLength(21);
  });

  it.each([
    [
      'changed',
      "UPDATE watchword.events SET record = replace(record, 'at 5,', 'at 6,') WHERE record LIKE '%at 5,%'",
    ],
    ['dropped', "DELETE FROM watchword.events WHERE record LIKE '%at 5,%'"],
    ['cut off', 'DELETE FROM watchword.events WHERE number > 3'],
  ])('detects a record that was %s', async (_, sql) => {
    const log = openEventLog(node());
    for (let time = 0; time < 10; time += 1) await log.append(event(time));
    await exportOf(log);
    // The change waits for a checkpoint under way, as both lock the same rows.
    await change(`BEGIN; LOCK TABLE watchword.lanes; ${sql}; COMMIT`);
    const found = exportOf(log).then(verify);
    await expect(found).rejects.toSatisfy(
      (error) =>
        error instanceof ChainFault || (error instanceof Error && /export again/.test(error.message)),
    );
  });
});
