/**
 * Globals that Node 20 has as accessors: each use of one is a call. In a bundle they are imports, which are no more than a variable.
 */
export { Buffer } from 'node:buffer';
export { performance } from 'node:perf_hooks';
