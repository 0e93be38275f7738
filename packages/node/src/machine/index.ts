/** The machine's clock, random numbers, key files, log and system facts, for the bundled servers. */

// Loaded before certificate logins: otherwise X509Certificate.toLegacyObject() of Node 20 breaks node:tls in the whole process.
import 'node:tls';

export { systemClock } from './clock.ts';
export { codeOf, createOnce, isOpenToOthers, replaceFile, syncToDisk, whyUnreadable } from './file.ts';
export { type KeyFileOptions, readKeyRing } from './key-file.ts';
export { listen, urlHost } from './listen.ts';
export { createLog, type LeveledLog, type LineStream, type LogOptions } from './log.ts';
export { bearYoung, collectAtRest, collectGarbage } from './memory.ts';
export { openMailFolder, openPushFolder, openSmsFolder } from './message-folder.ts';
export { systemRandom } from './random.ts';
export { bootOf, openFileLimit, thisSystem } from './system.ts';
export { bareSecret, controlCharacter, readTextFile } from './text-file.ts';
