/** Computes a hash in a process of its own, and tells in how many threads. Arguments: password, stored hash. */
import process from 'node:process';
import { yescryptCrypt } from './index.ts';

let threads = 0;
process.on('worker', () => {
  threads += 1;
});
const [password = '', stored = ''] = process.argv.slice(2);
const computed = await yescryptCrypt(password, stored);
process.send?.({ computed, threads });
