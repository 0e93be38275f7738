/** The contract of event logs, as a vitest suite: kept in order, found by application and entry, removed in time. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AuditEvent, type EventLog, maxRefusals } from '../../ports/event-log/event-log.ts';

export interface EventLogFixture {
  /** Opens the same log again, as from another process. @param days older events are removed; optional, default: none */
  another(days?: number): Promise<EventLog>;
  /** Sets the clock, where the age of events is measured by another one than their own times. */
  at(time: number): void;
  dispose(): Promise<void>;
}

/**
 * Declares the contract of an {@link EventLog} as a suite of vitest.
 * @param name the name of the engine in the titles of the tests
 * @param open opens a new fixture, which the suite disposes of after its last test; called once
 * @see docs/architecture.md#write-an-engine-of-a-port
 * @example
 * ```ts
 * import { openEnvironment, openEventLog } from '@watchword/embedded';
 * import { eventLogContract } from '@watchword/core/testing';
 *
 * eventLogContract('embedded', async () => {
 *   const environment = await openEnvironment('./events');
 *   return {
 *     another: (days = 0) => openEventLog(environment, { days }),
 *     at: () => {},
 *     dispose: () => environment.close(),
 *   };
 * });
 * ```
 */
export function eventLogContract(name: string, open: () => Promise<EventLogFixture>): void {
  describe(`event log contract: ${name}`, () => {
    let fixture: EventLogFixture;
    beforeAll(async () => {
      fixture = await open();
    });
    afterAll(() => fixture?.dispose());
    const bed: EventLogFixture = {
      another: (days) => fixture.another(days),
      at: (time) => fixture.at(time),
      dispose: async () => {},
    };
    describe('the event log', () => describeLog(bed));
    describe('refusals', () => describeRefusals(bed));
  });
}

const day = 86_400_000;
const alice = 'uid=alice,dc=example,dc=org';
const event = (text: string, more: Partial<AuditEvent> = {}): AuditEvent => ({
  ...{ time: 0, client: '-', application: 'Otp', session: 'ABCDEFGH', text },
  ...more,
});
const texts = (events: readonly AuditEvent[]) => events.map(({ text }) => text);

function describeLog(bed: EventLogFixture): void {
  it('finds events by application and entry, however they are spelled, the newest first', async () => {
    const log = await bed.another();
    await log.append(event('one', { dn: alice }));
    await log.append(event('two', { application: 'Manager', dn: alice }));
    await log.append(event('three'));
    await log.append(event('four', { dn: alice }));
    expect(texts(await log.list({ application: 'otp', max: 10 }))).toEqual(['four', 'three', 'one']);
    expect(texts(await log.list({ application: 'Otp', max: 2 }))).toEqual(['four', 'three']);
    expect(texts(await log.list({ application: 'Otp', max: 9, dn: 'UID=Alice, dc=example,dc=org' }))).toEqual(
      ['four', 'one'],
    );
    expect(await log.list({ application: 'Sso', max: 9 })).toEqual([]);
    expect(await log.list({ application: 'Otp', max: 9, dn: 'dc=org' })).toEqual([]);
  });

  it('tells where events stand, and goes on before any of them, over all applications in one order', async () => {
    const log = await bed.another();
    for (const [n, application] of ['Left', 'Right', 'Left', 'Left', 'Right'].entries())
      await log.append(event(`n${n}`, { application, dn: alice }));
    const left = await log.placed({ application: 'Left', max: 2 });
    expect(texts(left.map((one) => one.event))).toEqual(['n3', 'n2']);
    const before = left.at(-1)?.position;
    expect(texts(await log.list({ application: 'Left', max: 9, before }))).toEqual(['n0']);
    expect(texts(await log.list({ application: 'Right', dn: alice, max: 9, before }))).toEqual(['n1']);
  });

  it('keeps the order of events that come together', async () => {
    const log = await bed.another();
    const names = Array.from({ length: 100 }, (_, n) => `n${n}`);
    await Promise.all(names.map((text) => log.append(event(text, { application: 'Many' }))));
    expect(texts(await log.list({ application: 'Many', max: 1000 }))).toEqual(names.reverse());
  });

  it('forgets what is too old, and nothing else, some of it with each event that comes', async () => {
    const log = await bed.another(30);
    const append = appending(log, bed);
    for (let n = 1; n <= 31; n += 1) await append(event(`day ${n}`, { time: n * day, application: 'Days' }));
    await append(event('young', { time: 31 * day }));
    for (let n = 0; n < 30; n += 1) await append(event('new', { time: 32 * day, application: 'New' }));
    expect(texts(await log.list({ application: 'Otp', max: 9 }))).toEqual(['young']);
    expect(texts(await log.list({ application: 'Otp', max: 9, dn: alice }))).toEqual([]);
    expect(await log.list({ application: 'Many', max: 9 })).toEqual([]);
    expect(texts(await log.list({ application: 'Days', max: 99 })).at(-1)).toBe('day 2');
    expect(await log.list({ application: 'New', max: 99 })).toHaveLength(30);
  });

  it('forgets nothing while the clock is ahead for less than a day, and nothing for that when it is back', async () => {
    const log = await bed.another(30);
    const append = appending(log, bed);
    const kept = () => log.list({ application: 'Leap', max: 99 });
    await append(event('before', { time: 33 * day, application: 'Leap' }));
    for (let n = 0; n < 30; n += 1)
      await append(event('ahead', { time: 400 * day + n, application: 'Leap' }));
    await append(event('ahead', { time: 401 * day - 1, application: 'Leap' }));
    for (let n = 0; n < 30; n += 1) await append(event('back', { time: 33 * day + n, application: 'Leap' }));
    expect(await kept()).toHaveLength(62);
    for (const time of [400, 402]) await append(event('on', { time: time * day, application: 'Leap' }));
    for (let n = 0; n < 30; n += 1) await append(event('on', { time: 402 * day, application: 'Leap' }));
    expect(texts(await kept())).not.toContain('before');
  });
}

/** Appends events while the clock is at their times. */
const appending =
  (log: EventLog, bed: EventLogFixture) =>
  (one: AuditEvent): Promise<void> => {
    bed.at(one.time);
    return log.append(one);
  };

const minute = 60_000;

function describeRefusals(bed: EventLogFixture): void {
  let application = '';
  let log: EventLog;
  beforeAll(async () => {
    log = await bed.another();
  });
  beforeEach(({ task }) => {
    application = task.id;
  });

  const refuse = (more: Partial<AuditEvent> = {}) =>
    log.append(event('refused', { application, client: '192.0.2.1:40000', count: 1, ...more }));
  const counts = async (dn?: string) => {
    const all = await log.list({ application, dn, max: 10_000 });
    return all.map(({ text, time, last, count }) => [text, count, time, last]);
  };

  it('that are equal are one event, the last, with the first time and the last', async () => {
    await refuse({ time: 100, client: '192.0.2.1:40000', host: 'a', session: 'FIRSTONE' });
    await refuse({ time: 200, text: 'another' });
    const other = await bed.another();
    const [before] = await log.list({ application, max: 9 });
    await refuse({ time: 300, client: '192.0.2.1:50000', host: 'b' });
    await other.append(event('refused', { application, client: '192.0.2.1:2', time: 400, count: 1 }));
    expect(before?.text).toBe('another');
    expect(await counts()).toEqual([
      ['refused', 3, 100, 400],
      ['another', 1, 200, undefined],
    ]);
    expect((await log.list({ application, max: 1 }))[0]).toMatchObject({ session: 'FIRSTONE', host: 'a' });
  });

  it('of one who has an IPv6 network are one event, and so are those of an entry, however it is spelled', async () => {
    await refuse({ client: '2001:db8::1:40000', dn: alice.toUpperCase() });
    await refuse({ client: '2001:db8::2:50000', dn: alice });
    expect(await counts(alice)).toEqual([['refused', 2, 0, 0]]);
  });

  it.each<[string, Partial<AuditEvent>]>([
    ['another caller', { client: '192.0.2.2:40000' }],
    ['another entry', { dn: 'uid=bob,dc=example,dc=org' }],
    ['no particular entry', { dn: '' }],
    ['another text', { text: 'refused, for another reason' }],
    ['another hour', { time: 60 * minute }],
    ['a time before it, by a clock that was set back', { time: -1 }],
  ])('of %s are another event', async (_, difference) => {
    await refuse({ dn: alice });
    await refuse({ dn: alice, ...difference });
    expect((await counts()).map(([, count]) => count)).toEqual([1, 1]);
  });

  it('are counted anew after something else was done with the entry', async () => {
    await refuse({ dn: alice });
    await refuse({ dn: alice, text: 'refused at another place', client: '192.0.2.2:1' });
    await refuse({ dn: alice, time: 1 });
    await log.append(event('granted', { application, dn: alice, time: 2 }));
    await refuse({ dn: alice, time: 3 });
    expect((await counts(alice)).map(([text, count]) => `${text} ${count}`)).toEqual([
      'refused 1',
      'granted undefined',
      'refused 2',
      'refused at another place 1',
    ]);
  });

  it('leave nothing behind when they are too old', async () => {
    for (const time of [0, 1, 2]) await refuse({ dn: alice, time });
    const append = appending(await bed.another(1), bed);
    for (let n = 0; n < 300; n += 1)
      await append(event('later', { time: (500 + Math.min(n / 2, 2)) * day, application: 'X' }));
    expect(await counts()).toEqual([]);
    await refuse({ dn: alice, time: 3 });
    expect(await counts(alice)).toEqual([['refused', 1, 3, undefined]]);
  });

  it('fill no disk, however they differ, and hide nothing else', async () => {
    const flood = async (name: string, time: number) => {
      const several = Array.from({ length: maxRefusals + 500 }, (_, n) => ({
        ...{ text: `${name} ${n}`, client: `198.51.100.${n % 250}:${n}`, time: time + n },
      }));
      await Promise.all(several.map(refuse));
    };
    await flood('first', 0);
    await refuse({ text: 'first 7', client: '198.51.100.7:1', time: 2000 });
    await log.append(event('granted', { application, time: 3000 }));
    await refuse({ application: `${application}-other` });
    const [granted, again, rest] = await counts();
    expect([granted?.[0], again?.slice(0, 2)]).toEqual(['granted', ['first 7', 2]]);
    expect(rest).toEqual([expect.stringMatching(/^Refused: more than 1000 /), 500, 1000, 1499]);
    expect(await counts()).toHaveLength(maxRefusals + 2);
    expect(await log.list({ application: `${application}-other`, max: 9 })).toHaveLength(1);
    await flood('second', 61 * minute);
    expect(await counts()).toHaveLength(2 * maxRefusals + 3);
  });
}
