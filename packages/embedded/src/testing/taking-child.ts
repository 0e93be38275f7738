/** For `held.test.ts`: a program that does nothing but take a lease in the folder given, tell it and end. */
import { systemClock } from '../../../node/src/machine/index.ts';
import { openEnvironment, openEventLog, openLedger, openMomentary } from '../index.ts';

const [folder = ''] = process.argv.slice(2);
const lasting = await openEnvironment(folder);
const momentary = await openMomentary(folder, 'this-run');
const ledger = openLedger({ lasting, momentary }, systemClock, await openEventLog(lasting));
const entered = await ledger.enter({
  ...{ lasting: [], momentary: ['turn:of its own'], held: 1 },
  decide: () => ({ result: 'entered' }),
});
process.send?.(entered);
await momentary.close();
await lasting.close();
