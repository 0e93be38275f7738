/**
 * Reads a new administrator password from a file or the terminal. It is never an argument, as other users can list those of a process.
 */

import { StartError } from '@watchword/core/foundation';
import { readNamed } from '@watchword/engines/installation';
import { isOpenToOthers } from '@watchword/node';
import type { OptionRow, Task } from './command.ts';

export const passwordOption: Readonly<Record<string, OptionRow>> = {
  'password-file': { value: 'FILE', says: 'its first line is the password; else it is asked for' },
};

/** NIST SP 800-63B-4 §3.1.1.2: of a password that is the only factor. */
const leastCharacters = 15;
const leastDifferent = 6;

/** Reads the file if one is named. @throws StartError if it cannot be read, or the password is weak */
export function readPasswordFile(task: Task): string | undefined {
  const { given, around } = task;
  const path = given['password-file'];
  if (path === undefined) return undefined;
  const [password = ''] = readNamed(path, { isLenient: false }).split(/\r?\n|\r/, 1);
  if (isOpenToOthers(path))
    around.printError(`Warning: ${path} can be read by others; remove it now, or run: chmod 600 ${path}`);
  refuseWeak(task, password);
  return password;
}

/** @param names of its owner. @throws StartError that says where it came from */
export function refuseWeak({ given }: Task, password: string, names: readonly string[] = []): void {
  const weakness = weaknessOf(password, names);
  const path = given['password-file'];
  const from = path === undefined ? '' : ` on the first line of ${path}`;
  if (weakness !== undefined) throw new StartError(`The password${from} ${weakness}.`);
}

/** Returns the origin of the password, for the output. */
export const originOf = ({ given }: Task): string =>
  given['password-file'] === undefined ? '' : ` Its password is the first line of ${given['password-file']}.`;

/** Refuses a run that nobody can answer, before anything is made. @throws StartError without a terminal */
export function refuseUnattended({ streams: { terminal } }: Task): NonNullable<typeof terminal> {
  if (terminal) return terminal;
  throw new StartError('There is no terminal to ask for a password; name a file: --password-file FILE.');
}

/** Asks until both lines are the same good password. @throws StartError where nobody can be asked */
export async function askPassword(task: Task, names: readonly string[]): Promise<string> {
  const { around } = task;
  const terminal = refuseUnattended(task);
  for (;;) {
    const password = await terminal.askSecret(`Password (${leastCharacters} characters or more)`);
    const weakness = weaknessOf(password, names);
    if (weakness !== undefined) around.printError(`It ${weakness}.`);
    else if ((await terminal.askSecret('The same again')) === password) return password;
    else around.printError('The two are not the same.');
  }
}

/** Returns the fault of a password, as the rest of a sentence. @param names of its owner */
export function weaknessOf(password: string, names: readonly string[]): string | undefined {
  if (password === '') return 'is empty';
  if (/\p{Cc}/u.test(password)) return 'has a control character in it, which no login form takes';
  const characters = [...password.normalize('NFC')];
  if (characters.length < leastCharacters) return `has fewer than ${leastCharacters} characters`;
  if (new Set(characters).size < leastDifferent)
    return `has fewer than ${leastDifferent} different characters`;
  const rest = names.reduce((text, name) => text.replaceAll(name.toLowerCase(), ''), password.toLowerCase());
  if ([...rest].length < leastCharacters / 2) return 'is little more than the name of its owner';
  return undefined;
}
