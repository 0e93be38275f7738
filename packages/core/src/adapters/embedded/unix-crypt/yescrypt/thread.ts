/** What a thread runs that computes a yescrypt hash; it ends with it. */
import { parentPort, workerData } from 'node:worker_threads';
import { storedKey, type Task } from './key.ts';

export { storedKey };

/** Where this is: the file that a thread starts with. A bundler makes one of what is imported when it is needed. */
export const file = import.meta.url;

const { yescrypt: task }: { yescrypt?: Task } = workerData ?? {};
if (task) parentPort?.postMessage(storedKey(task));
