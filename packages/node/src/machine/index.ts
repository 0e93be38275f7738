/** What the bundled servers take from the machine they run on: time, chance, keys, a log. */

// Loaded here, before certificate logins: X509Certificate.toLegacyObject() of Node 20 otherwise leaves the whole process a node:tls
// that cannot connect.
import 'node:tls';

export { systemClock } from './clock.ts';
export { codeOf, createOnce, isOpenToOthers, replaceFile, syncToDisk, whyUnreadable } from './file.ts';
export { type KeyFileOptions, readKeyRing } from './key-file.ts';
export { listen, urlHost } from './listen.ts';
export { createLog, type LineStream, type LogOptions } from './log.ts';
export { bearYoung, collectAtRest, collectGarbage } from './memory.ts';
export { openMailFolder, openPushFolder, openSmsFolder } from './message-folder.ts';
export { systemRandom } from './random.ts';
export { bootOf, openFileLimit, thisSystem } from './system.ts';
export { bareSecret, controlCharacter, readTextFile } from './text-file.ts';
