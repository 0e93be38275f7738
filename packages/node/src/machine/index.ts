/** The machine's clock, random numbers, key files, log and system facts, for the bundled servers. */

// Loaded before certificate logins: otherwise X509Certificate.toLegacyObject() of Node 20 breaks node:tls in the whole process.
import 'node:tls';

export { systemClock } from './clock.ts';
export {
  codeOf,
  createFileExclusively,
  isOpenToOthers,
  replaceFile,
  syncToDisk,
  whyUnreadable,
} from './file.ts';
export { type KeyFileOptions, readKeyRing } from './key-file.ts';
export { listen, urlHost } from './listen.ts';
export { createLog, type LeveledLog, type LineStream, type LogOptions } from './log.ts';
export { LogFile } from './log-file.ts';
export { collectGarbage, collectGarbageWhenIdle, disablePretenuring } from './memory.ts';
export { openMailFolder, openPushFolder, openSmsFolder } from './message-folder.ts';
export { systemRandom } from './random.ts';
export { bootId, openFileLimit, thisSystem } from './system.ts';
export { controlCharacter, readTextFile, trimSecret } from './text-file.ts';
