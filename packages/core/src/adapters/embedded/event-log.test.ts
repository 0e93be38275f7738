/** The event log: kept in order, found by application and entry, removed in time. */
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEvent } from '../../ports/records.ts';
import { scratchFolder } from '../../testing/scratch.ts';
import { type Environment, openEnvironment, openEventLog } from './index.ts';

let folder: string;
let environment: Environment;
beforeAll(async () => {
  folder = await scratchFolder('events');
  environment = await openEnvironment(folder);
});
afterAll(async () => {
  await environment.close();
  await rm(folder, { recursive: true });
});

const day = 86_400_000;
const alice = 'uid=alice,dc=example,dc=org';
const event = (text: string, more: Partial<AuditEvent> = {}): AuditEvent => ({
  ...{ time: 0, client: '-', application: 'Otp', session: 'ABCDEFGH', text },
  ...more,
});
const texts = (events: readonly AuditEvent[]) => events.map(({ text }) => text);

describe('the event log', () => {
  it('finds events by application and entry, however they are spelled, the newest first', async () => {
    const log = await openEventLog(environment);
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

  it('keeps the order of events that come together', async () => {
    const log = await openEventLog(environment);
    const names = Array.from({ length: 100 }, (_, n) => `n${n}`);
    await Promise.all(names.map((text) => log.append(event(text, { application: 'Many' }))));
    expect(texts(await log.list({ application: 'Many', max: 1000 }))).toEqual(names.reverse());
  });

  it('indexes a log of an earlier version', async () => {
    const index = environment.table('events-index', { keyEncoding: 'ordered-binary' });
    await index.clearAsync();
    const log = await openEventLog(environment);
    expect(texts(await log.list({ application: 'Manager', max: 9 }))).toEqual(['two']);
  });

  it('forgets what is too old, and nothing else, some of it with each event that comes', async () => {
    const log = await openEventLog(environment, { days: 30 });
    await log.append(event('young', { time: 2 * day }));
    for (let n = 0; n < 30; n += 1) await log.append(event('new', { time: 31 * day, application: 'New' }));
    expect(texts(await log.list({ application: 'Otp', max: 9 }))).toEqual(['young']);
    expect(texts(await log.list({ application: 'Otp', max: 9, dn: alice }))).toEqual([]);
    expect(await log.list({ application: 'Many', max: 9 })).toEqual([]);
    expect(await log.list({ application: 'New', max: 99 })).toHaveLength(30);
  });
});
