/** The real arguments, environment and streams of the process, for `main.ts` files; tests pass their own. */
import { processStreams, type Streams } from './streams.ts';

/** The surroundings of a program; `main.ts` passes the real ones. */
export interface Surroundings {
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  readonly logTo: { write(line: string): unknown };
  /** Resolves when the program is asked to end. */
  readonly asked: Promise<string>;
  /** Runs a task at each SIGHUP. At a terminal SIGHUP ends the process as SIGTERM does, because the terminal was closed. */
  readonly onHangUp?: (task: () => Promise<void>) => void;
  /** Streams for commands. Optional; default: the program has none. */
  readonly streams?: () => Streams;
}

export function processSurroundings(): Surroundings {
  return {
    arguments: process.argv.slice(2),
    environment: process.env,
    print: (text) => process.stdout.write(`${text}\n`),
    printError: (text) => process.stderr.write(`${text}\n`),
    logTo: process.stderr,
    // Only who asks for it obeys: a command ends at once, as any program does.
    get asked() {
      return new Promise<string>((resolve) => {
        const signals = ['SIGINT', 'SIGTERM', ...(isAtTerminal() ? ['SIGHUP'] : [])];
        for (const signal of signals) process.once(signal, () => resolve(signal));
      });
    },
    onHangUp: (task) => {
      if (!isAtTerminal()) process.on('SIGHUP', () => void task());
    },
    streams: () => processStreams(process),
  };
}

const isAtTerminal = (): boolean => process.stdin.isTTY === true || process.stdout.isTTY === true;
