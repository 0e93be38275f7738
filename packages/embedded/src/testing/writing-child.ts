/**
 * For `entrance.test.ts`: writes the next number under its own key over and over, and tells what is missing of what it has written before.
 * With `stop` it stops once it has begun; with `end` it tells how often it has written.
 */
import { openEnvironment } from '../index.ts';

const [folder = '', key = '', isMomentary = ''] = process.argv.slice(2);
const environment = await openEnvironment(folder, { isMomentary: isMomentary === 'momentary' });
const table = environment.table<number, string>('numbers', { encoding: 'json' });
let isOver = false;
process.on('message', (message) => {
  if (message === 'stop') process.kill(process.pid, 'SIGSTOP');
  else isOver = true;
});
process.once('disconnect', () => process.exit()); // the test run is gone

let written = 0;
while (!isOver) {
  const found = await environment.write(() => {
    const last = table.get(key) ?? 0;
    table.put(key, last + 1);
    return last;
  });
  if (found !== written) process.send?.({ lost: written, found });
  written = found + 1;
  if (written === 1) process.send?.('begun');
  // What others ask for is heard.
  if (written % 8 === 0) await new Promise(setImmediate);
}
await environment.close();
process.send?.({ written });
process.disconnect();
