/** The child of `ledger.test.ts`: claims the next number on each message, and reports it when it is committed. */
import { systemClock } from '../../../node/src/machine/index.ts';
import { openEnvironment, openEphemeral, openEventLog, openLedger } from '../index.ts';

const [folder = '', key = ''] = process.argv.slice(2);
const lasting = await openEnvironment(folder);
const ephemeral = await openEphemeral(folder, 'this-run');
const ledger = openLedger({ lasting, ephemeral }, systemClock, await openEventLog(lasting));
let value = 0;
process.on('message', async (message) => {
  if (message === 'end') {
    await ephemeral.close();
    await lasting.close();
    process.disconnect();
    return;
  }
  value += 1;
  const claims = [{ key, value, seconds: 60 }];
  process.send?.(await ledger.commit({ durable: [key], decide: () => ({ result: value, claims }) }));
});
process.send?.(value);
