/**
 * For `held.test.ts`: takes one lease over and over, and holds it for a moment, as logins of one user do. While it holds it there is a link in the
 * folder that names the process; whoever finds one of somebody who lives tells that two had the lease at a time.
 */
import { readFileSync, readlinkSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MomentaryLeases, type TurnLease } from '../../../core/src/limits/kept/leases.ts';
import { randomWord } from '../../../core/src/ports/random.ts';
import { systemClock, systemRandom } from '../../../node/src/machine/index.ts';
import { openEnvironment, openEventLog, openLedger, openMomentary } from '../index.ts';
import { isGone, thisProcess } from '../records/holder.ts';

const [folder = ''] = process.argv.slice(2);
const lasting = await openEnvironment(folder);
const momentary = await openMomentary(folder, 'this-run');
const ledger = openLedger({ lasting, momentary }, systemClock, await openEventLog(lasting));
const leases = new MomentaryLeases(ledger, systemClock, randomWord(systemRandom, 12));
const key = 'turn:somebody';
const link = join(folder, 'held-by');

const take = (): Promise<TurnLease | undefined> =>
  ledger.enter({
    ...{ lasting: [], momentary: [key], held: 1 },
    decide: ({ momentary: found }) => {
      if (!leases.isFree(key, found)) return { result: undefined };
      const lease = leases.lease(key);
      return { result: lease, values: [leases.taken(lease)] };
    },
  });

const leave = (lease: TurnLease): Promise<void> =>
  ledger.enter({
    ...{ lasting: [], momentary: [key], held: 1 },
    decide: ({ momentary: found }) => ({ result: undefined, values: leases.left(lease, found) }),
  });

/** @returns who else holds it, and how that one stands; undefined: nobody */
function mark(): string | undefined {
  for (;;)
    try {
      symlinkSync(thisProcess, link);
      return undefined;
    } catch {
      const holder = read();
      if (holder !== undefined && !isGone(holder)) return `${holder}: ${statusOf(holder)} at ${Date.now()}`;
      if (holder !== undefined) unlinkSync(link);
    }
}

function statusOf(holder: string): string {
  try {
    return readFileSync(`/proc/${holder.split(' ')[1]}/stat`, 'latin1').slice(0, 40);
  } catch (error) {
    return String(error);
  }
}

function read(): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

const told = { times: 0, inMemory: 0, doubled: 0, by: [] as string[] };
let isOver = false;
let isToStop = false;
process.on('message', (message) => {
  if (message === 'stop') isToStop = true;
  else isOver = true;
});
process.once('disconnect', () => process.exit()); // the test run is gone

while (!isOver) {
  if (isToStop) {
    isToStop = false;
    process.kill(process.pid, 'SIGSTOP');
  }
  const before = momentary.transactions;
  const lease = await take();
  if (!lease) {
    await sleep(Math.random() * 2);
    continue;
  }
  const taken = Date.now();
  const other = mark();
  if (other !== undefined) {
    told.doubled += 1;
    if (told.by.length < 5) told.by.push(`${thisProcess} at ${taken} beside ${other}`);
  } else {
    // Now and then for longer than somebody takes who has waited for it to be written down.
    await sleep(Math.random() < 0.1 ? 30 : 1);
    unlinkSync(link);
  }
  await leave(lease);
  told.times += 1;
  if (momentary.transactions === before) told.inMemory += 1;
  if (told.times === 1 || told.inMemory === 1 || told.doubled > 0) process.send?.(told);
}
await momentary.close();
await lasting.close();
process.send?.({ ...told, isOver });
process.disconnect();
