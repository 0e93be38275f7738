import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { bundle } from '../../../core/src/testing/bed/children/test-child.ts';
import { scratchFolder } from '../../../core/src/testing/bed/scratch.ts';
import { ledgerContract } from '../../../core/src/testing/contracts/ledger-contract.ts';
import { checkHistory } from '../../../core/src/testing/contracts/ledger-history.ts';
import { requestVersionContract } from '../../../core/src/testing/contracts/request-version-contract.ts';
import { TestClock } from '../../../core/src/testing/test-clock.ts';
import { systemClock } from '../../../node/src/machine/index.ts';
import {
  maxEphemeralRecords,
  openEnvironment,
  openEphemeral,
  openEventLog,
  openLedger,
  openPatience,
  openStore,
} from '../index.ts';

ledgerContract('embedded', async () => {
  const folder = await scratchFolder('ledger');
  const clock = new TestClock();
  const environment = await openEnvironment(folder);
  const ephemeral = await openEphemeral(folder, 'this-run');
  const open = async () =>
    openLedger({ lasting: environment, ephemeral }, clock, await openEventLog(environment));
  return {
    ledger: await open(),
    ephemeral: openStore(ephemeral, clock, maxEphemeralRecords),
    events: await openEventLog(environment),
    pass: async (seconds) => clock.advance(seconds * 1000),
    another: open,
    async dispose() {
      await ephemeral.close();
      await environment.close();
      await rm(folder, { recursive: true });
    },
  };
});

requestVersionContract('embedded', async () => {
  const folder = await scratchFolder('versions');
  const clock = new TestClock();
  const environment = await openEnvironment(folder);
  const ephemeral = await openEphemeral(folder, 'this-run');
  const open = async () => ({
    store: openLedger({ lasting: environment, ephemeral }, clock, await openEventLog(environment)),
    patience: openPatience(environment, clock),
  });
  return {
    ...(await open()),
    another: open,
    async dispose() {
      await ephemeral.close();
      await environment.close();
      await rm(folder, { recursive: true });
    },
  };
});

it('detects each fault of a history', () => {
  const at = (from: number, to: number, place = 0) => ({ from, to, place });
  const deeds = [
    { who: 1, value: 0, isGranted: true, ...at(1, 2) },
    { who: 2, value: 0, isGranted: true, ...at(3, 5) },
    { who: 3, value: 1, isGranted: false, ...at(4, 6) },
    { who: 4, value: 1, isGranted: false, ...at(5, 7, 1) },
  ];
  const events = ['1 granted 0', '3 granted 1', '2 granted 0', '2 granted 0', '4 refused 1'];
  const places = [
    { most: 0, taken: 1 },
    { most: 1, taken: 0 },
  ];
  expect(checkHistory(deeds, { events, places })).toEqual([
    '0 was granted to 2',
    '1 was granted to 0',
    '4 was let in beside 3',
    'place 0 gave 1 of 0',
    'place 1 gave 1, and 0 are taken',
    'not told once: 2 granted 0',
    'not told once: 3 refused 1',
    'told, but not answered: 3 granted 1',
  ]);
});

it('reads the commits of another process on each admission', async () => {
  const folder = await scratchFolder('ledger');
  const lasting = await openEnvironment(folder);
  const ephemeral = await openEphemeral(folder, 'this-run');
  const ledger = openLedger({ lasting, ephemeral }, systemClock, await openEventLog(lasting));
  const read = () =>
    ledger.admit({
      ...{ durable: ['claim:seen'], ephemeral: [] },
      decide: (durable) => ({ result: durable.claimed('claim:seen') ?? 0 }),
    });
  const child = await bundle(new URL('../testing/settling-child.ts', import.meta.url));
  const other = child.start(folder, 'claim:seen');
  await once(other, 'message');
  let isOver = false;
  const reading = (async () => {
    while (!isOver) await read();
  })();
  const stale: number[][] = [];
  for (let n = 0; n < 300; n += 1) {
    other.send('next');
    const [settled] = await once(other, 'message');
    const seen = await read();
    if (seen !== settled) stale.push([settled, seen]);
  }
  isOver = true;
  await reading;
  other.send('end');
  await once(other, 'exit');
  await child.dispose();
  await ephemeral.close();
  await lasting.close();
  await rm(folder, { recursive: true });
  expect(stale).toEqual([]);
});

it('keeps all acknowledged commits of a process that is killed', async () => {
  const folder = await scratchFolder('ledger');
  const child = await bundle(new URL('../testing/settling-child.ts', import.meta.url));
  const settling = child.start(folder, 'claim:told');
  await once(settling, 'message');
  let result = 0;
  while (result < 60) {
    settling.send('next');
    [result] = await once(settling, 'message');
  }
  settling.kill('SIGKILL');
  await once(settling, 'exit');
  const lasting = await openEnvironment(folder);
  expect(await openStore(lasting, systemClock).claimed('claim:told')).toBe(60);
  await lasting.close();
  await child.dispose();
  await rm(folder, { recursive: true });
});

it('removes old events when only ledger steps write', async () => {
  const folder = await scratchFolder('ledger');
  const environment = await openEnvironment(folder);
  const events = await openEventLog(environment, { days: 1 });
  const ledger = openLedger({ lasting: environment, ephemeral: environment }, new TestClock(), events);
  const event = { client: '-', application: 'Otp', session: 'AAAAAAAA' };
  const add = (time: number) =>
    ledger.commit({
      durable: [],
      decide: () => ({ result: 0, events: [{ ...event, time, text: String(time) }] }),
    });
  for (const time of [1, 2, 86_400_001, 86_400_003]) await add(time);
  expect((await events.list({ application: 'Otp', max: 9 })).map(({ text }) => text)).toEqual([
    '86400003',
    '86400001',
  ]);
  await environment.close();
  await rm(folder, { recursive: true });
});
