/** Lets the threads that tests start run TypeScript, as Node from 22.18 on does by itself. */
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

if (!isMainThread && !process.features.typescript) register('./typescript-loader.mjs', import.meta.url);
