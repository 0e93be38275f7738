/** What the bundled servers take from the machine they run on: settings, time, chance, keys, a log. */
export { systemClock } from './clock.ts';
export { type LoadedConfig, loadConfig } from './config-file.ts';
export type { Environment } from './environment.ts';
export { codeOf, createOnce, isOpenToOthers, replaceFile, syncToDisk, whyUnreadable } from './file.ts';
export { type KeyFileOptions, readKeyRing } from './key-file.ts';
export { createLog, type LineStream, type LogOptions } from './log.ts';
export { systemRandom } from './random.ts';
export { bootOf, openFileLimit, thisSystem } from './system.ts';
