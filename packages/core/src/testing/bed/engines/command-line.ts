/** A program run in this process, with its output, for tests of commands. */

import { installationCommands } from '../../../../../cli/src/commands/index.ts';
import { runServer } from '../../../../../cli/src/index.ts';
import type { ServerCommand } from '../../../../../cli/src/program.ts';
import { fixedHandler } from '../fixed-handler.ts';

export interface CommandResult {
  /** 0: it did what it was asked to. */
  readonly code: number;
  readonly printed: string;
  readonly errors: string;
  /** The standard output. */
  readonly output: string;
}

export interface Given {
  /** Standard input. */
  readonly input?: string;
  /** Lines typed at the terminal, one for each question, or functions run before them. Optional; default: there is no terminal. */
  readonly typed?: readonly (string | (() => Promise<string>))[];
  readonly environment?: Readonly<Record<string, string>>;
}

const program: ServerCommand = {
  name: 'watchword-manager',
  server: 'manager',
  prepare: () => () => fixedHandler(),
  commands: installationCommands,
};

/** Runs `watchword-manager` with these arguments. */
export async function runCommandLine(
  args: readonly string[],
  { input = '', typed, environment = {} }: Given = {},
): Promise<CommandResult> {
  const [printed, errors, output]: [string[], string[], string[]] = [[], [], []];
  const lines = [...(typed ?? [])];
  const answer = async (question: string) => {
    errors.push(question);
    const line = lines.shift();
    if (line === undefined) throw new Error(`nobody answers: ${question}`);
    return typeof line === 'string' ? line : line();
  };
  const code = await runServer(program, {
    ...{ arguments: args, environment, asked: new Promise(() => {}), logTo: { write: () => {} } },
    print: (text) => printed.push(text),
    printError: (text) => errors.push(text),
    streams: () => ({
      terminal: typed && { ask: answer, askSecret: answer },
      input: bytesOf(input),
      write: async (text) => void output.push(text),
      operator: 'root',
    }),
  });
  return { code, printed: printed.join('\n'), errors: errors.join('\n'), output: output.join('') };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
