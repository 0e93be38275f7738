/** The event log on LMDB. */
import { createPublicKey } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { type ChainRecord, checkpointPurpose, exportLine } from '../../../core/src/ports/event-log/chain.ts';
import type { AuditEvent, EventLog, LinkedRecord } from '../../../core/src/ports/event-log/event-log.ts';
import { ChainVerifier, type Verified } from '../../../core/src/ports/event-log/verification.ts';
import { KeyRing } from '../../../core/src/ports/keys.ts';
import { scratchFolder } from '../../../core/src/testing/bed/scratch.ts';
import { eventLogContract } from '../../../core/src/testing/contracts/event-log-contract.ts';
import { systemRandom } from '../../../node/src/machine/index.ts';
import { type Environment, openEnvironment, openEventLog } from '../index.ts';
import { ChainRecords } from './chain-records.ts';

eventLogContract('embedded', async () => {
  const folder = await scratchFolder('events');
  const environment = await openEnvironment(folder);
  return {
    another: (days = 0) => openEventLog(environment, { days }),
    at: () => {},
    dispose: async () => {
      await environment.close();
      await rm(folder, { recursive: true });
    },
  };
});

const keys = new KeyRing([Buffer.alloc(32, 1)], systemRandom);
const event = (time: number, more: Partial<AuditEvent> = {}): AuditEvent => ({
  ...{ time, client: '-', application: 'Manager', session: 'ABCDEFGH', text: `at ${time}` },
  ...more,
});

async function onDisk<T>(work: (environment: Environment) => Promise<T>): Promise<T> {
  const folder = await scratchFolder('events');
  const environment = await openEnvironment(folder);
  try {
    return await work(environment);
  } finally {
    await environment.close();
    await rm(folder, { recursive: true });
  }
}

async function exportOf(log: EventLog, since?: number): Promise<readonly LinkedRecord[]> {
  const all: LinkedRecord[] = [];
  for await (const page of log.exported({ now: 1_000_000, since })) all.push(...page);
  return all;
}

function verify(records: readonly LinkedRecord[]): Verified {
  const verifier = new ChainVerifier(
    keys.verifyingKeys(checkpointPurpose).map((key) => createPublicKey(key)),
  );
  for (const record of records) verifier.add(exportLine(record));
  return verifier.end();
}

const countsIn = (records: readonly LinkedRecord[]) =>
  records
    .map(({ record }): ChainRecord => JSON.parse(record))
    .flatMap((said) => ('checkpoint' in said ? said.checkpoint.counted : []));

describe('event log on LMDB', () => {
  it('exports a whole chain while another log writes', () =>
    onDisk(async (environment) => {
      const [log, other] = [
        await openEventLog(environment, { signer: keys }),
        await openEventLog(environment, { signer: keys }),
      ];
      for (let time = 0; time < 1500; time += 1) void (time % 2 ? log : other).append(event(time));
      await log.append(event(1500));
      const exporting = exportOf(log);
      for (let time = 0; time < 50; time += 1) await other.append(event(2000 + time));
      expect(verify(await exporting)).toMatchObject({ events: 1501, first: 0, last: 1500, isPart: false });
      expect(verify(await exportOf(other))).toMatchObject({ events: 1551, signed: 1_000_000 });
    }));

  it('keeps one record of equal refusals, and records their count in checkpoints', () =>
    onDisk(async (environment) => {
      const log = await openEventLog(environment, { signer: keys });
      for (let time = 0; time < 5000; time += 1) void log.append(event(time, { text: 'refused', count: 1 }));
      await log.append(event(5000));
      const records = await exportOf(log);
      expect(records.length).toBeLessThan(6);
      expect(countsIn(records)).toEqual([[1, 5000, 4999]]);
      expect(verify(records)).toMatchObject({ events: 2 });
      expect(countsIn((await exportOf(log)).slice(records.length))).toEqual([]);
      expect(await log.list({ application: 'Manager', max: 9 })).toMatchObject([
        { text: 'at 5000' },
        { count: 5000 },
      ]);
    }));

  it('exports a shortened chain after old events were removed', () =>
    onDisk(async (environment) => {
      const day = 86_400_000;
      const log = await openEventLog(environment, { signer: keys, days: 1 });
      for (let time = 0; time < 20; time += 1) await log.append(event(time));
      for (const time of [day, 2 * day - 1]) await log.append(event(time));
      for (let time = 0; time < 10; time += 1) await log.append(event(3 * day - 1 + time));
      const records = await exportOf(log);
      expect(verify(records)).toMatchObject({ events: 10, first: 3 * day - 1, isShortened: true });
      expect(() => verify(records.slice(1))).toThrow();
    }));

  it('removes nothing when it is first opened with days while the clock is a year ahead', () =>
    onDisk(async (environment) => {
      const year = 365 * 86_400_000;
      const before = await openEventLog(environment, { signer: keys });
      for (let time = 0; time < 20; time += 1) await before.append(event(time));
      const log = await openEventLog(environment, { signer: keys, days: 1 });
      for (let time = 0; time < 5; time += 1) await log.append(event(year + time));
      expect(verify(await exportOf(log))).toMatchObject({ events: 25, first: 0 });
    }));

  it('exports from a checkpoint on', () =>
    onDisk(async (environment) => {
      const hour = 3_600_000;
      const log = await openEventLog(environment, { signer: keys });
      for (let n = 0; n < 30; n += 1) await log.append(event(n * hour));
      const part = verify(await exportOf(log, 20 * hour));
      expect(part).toMatchObject({ events: 9, first: 21 * hour, isPart: true });
    }));

  it('converts the events of an earlier version in their order', () =>
    onDisk(async (environment) => {
      const older = environment.table<AuditEvent, number>('events', { keyEncoding: 'ordered-binary' });
      await environment.write(() => {
        for (let number = 1; number < 100; number += 1)
          older.put(number, event(number, { text: `n${number}` }));
      });
      const log = await openEventLog(environment, { signer: keys });
      expect(await log.list({ application: 'Manager', max: 2 })).toMatchObject([
        { text: 'n99' },
        { text: 'n98' },
      ]);
      expect(verify(await exportOf(await openEventLog(environment, { signer: keys })))).toMatchObject({
        events: 99,
      });
    }));

  it('continues a chain in the format of an earlier version', () =>
    onDisk(async (environment) => {
      const log = await openEventLog(environment, { signer: keys });
      for (let time = 0; time < 3; time += 1) await log.append(event(time, { text: 'ä\n"' }));
      const packed = environment.table<object, number>('event-chain', { keyEncoding: 'ordered-binary' });
      const written = environment.table<Buffer, string>('event-chain-state', { encoding: 'binary' });
      const state = environment.table<object, string>('event-chain-state', {});
      const kept = [...new ChainRecords(environment).range()];
      await environment.write(() => {
        for (const [number, record] of kept) packed.put(number, record);
        state.put('', JSON.parse(`${written.get('')?.subarray(1)}`));
      });
      expect(kept).toHaveLength(4);
      expect([packed.get(1), packed.get(2)]).toEqual([kept[0]?.[1], kept[1]?.[1]]);
      await log.append(event(3));
      expect(verify(await exportOf(log))).toMatchObject({ events: 4, first: 0, last: 3, isPart: false });
      expect(await log.list({ application: 'Manager', max: 9 })).toHaveLength(4);
    }));

  it('writes the state once when two logs share a transaction', () =>
    onDisk(async (environment) => {
      const [one, other] = [
        await openEventLog(environment, { signer: keys }),
        await openEventLog(environment, { signer: keys }),
      ];
      const deferred = vi.spyOn(environment, 'defer');
      await Promise.all([one, other, one, other].map((log, time) => log.append(event(time))));
      expect(deferred).toHaveBeenCalledTimes(1);
      expect(verify(await exportOf(one))).toMatchObject({ events: 4 });
    }));

  it('continues from the stored state after a transaction has failed', () =>
    onDisk(async (environment) => {
      const log = await openEventLog(environment, { signer: keys });
      await log.append(event(1));
      const failing = environment.write(() => {
        log.add(event(2));
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow();
      await log.append(event(3));
      expect(await log.list({ application: 'Manager', max: 9 })).toMatchObject([{ time: 3 }, { time: 1 }]);
      expect(verify(await exportOf(log))).toMatchObject({ events: 2 });
    }));

  it('exports nothing before the first event', () =>
    onDisk(async (environment) => {
      expect(await exportOf(await openEventLog(environment, { signer: keys }))).toEqual([]);
    }));
});
