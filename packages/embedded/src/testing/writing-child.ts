/**
 * The child of `open-barrier.test.ts`: writes the next number under its own key in a loop, and reports any number that was lost.
 * The message `stop` stops it; `end` makes it report how often it has written.
 */
import { openEnvironment } from '../index.ts';

const [folder = '', key = '', kind = ''] = process.argv.slice(2);
const environment = await openEnvironment(folder, { isEphemeral: kind === 'ephemeral' });
const table = environment.table<number, string>('numbers', { encoding: 'json' });
let isOver = false;
process.on('message', (message) => {
  if (message === 'stop') process.kill(process.pid, 'SIGSTOP');
  else isOver = true;
});
process.once('disconnect', () => process.exit()); // the test run has ended

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
  // Lets requests of other processes in.
  if (written % 8 === 0) await new Promise(setImmediate);
}
await environment.close();
process.send?.({ written });
process.disconnect();
