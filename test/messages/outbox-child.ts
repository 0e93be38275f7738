/** For crash.test.ts: sends one SMS after the other, and tells its parent of each that was taken over, until it is killed. */
import { openOutbox } from './outbox-ground.ts';

const [folder = '', gateway = '', first = '0'] = process.argv.slice(2);
const { manager } = await openOutbox(folder, gateway);
process.once('disconnect', () => process.exit()); // the test run is gone

for (let number = Number(first); ; number += 1) {
  await manager.Send_SMS({ to: `+4915${10_000_000 + number}`, message: `message ${number}` });
  process.send?.(number);
}
