/** Questions to the operator at the terminal of a command. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';
import { StartError } from '@watchword/core/foundation';

export interface Terminal {
  /** A line, without blanks around it. @throws StartError if there is none any more */
  ask(question: string): Promise<string>;
  /** A line that is not shown while it is typed. @throws StartError as `ask` */
  askSecret(question: string): Promise<string>;
}

/** Undefined unless both are terminals: what comes through a pipe is no answer. */
export function openTerminal(input: ReadStream, output: WriteStream): Terminal | undefined {
  if (!(input.isTTY && output.isTTY)) return undefined;
  return {
    ask: async (question) => (await readLine(question, { input, output, shown: true })).trim(),
    askSecret: async (question) => {
      const secret = await readLine(question, { input, output, shown: false });
      output.write('\n');
      return secret;
    },
  };
}

interface Typing {
  readonly input: ReadStream;
  readonly output: WriteStream;
  readonly shown: boolean;
}

/** Readline itself echoes what is typed, so a secret's goes nowhere. */
function readLine(question: string, { input, output, shown }: Typing): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: shown ? output : nowhere, terminal: true, historySize: 0 });
  return new Promise((resolve, reject) => {
    if (!shown) output.write(`${question}: `);
    lines.question(`${question}: `, (line) => {
      resolve(line);
      lines.close();
    });
    // Ctrl-C and Ctrl-D come here first, and end the line.
    lines.once('close', () => reject(new StartError('Stopped before all was said.')));
  });
}
