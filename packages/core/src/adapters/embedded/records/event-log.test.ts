/** The event log on LMDB. */
import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { eventLogContract } from '../../../testing/contracts/event-log-contract.ts';
import { scratchFolder } from '../../../testing/scratch.ts';
import { openEnvironment, openEventLog } from '../index.ts';

eventLogContract('embedded', async () => {
  const folder = await scratchFolder('events');
  const environment = await openEnvironment(folder);
  return {
    another: (days = 0) => openEventLog(environment, { days }),
    dispose: async () => {
      await environment.close();
      await rm(folder, { recursive: true });
    },
  };
});

it('indexes a log of an earlier version', async () => {
  const folder = await scratchFolder('events');
  const environment = await openEnvironment(folder);
  const before = await openEventLog(environment);
  await before.append({ time: 0, client: '-', application: 'Manager', session: 'ABCDEFGH', text: 'kept' });
  await environment.table('events-index', { keyEncoding: 'ordered-binary' }).clearAsync();
  const log = await openEventLog(environment);
  expect(await log.list({ application: 'Manager', max: 9 })).toMatchObject([{ text: 'kept' }]);
  await environment.close();
  await rm(folder, { recursive: true });
});
