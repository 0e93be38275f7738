/** A program as a person runs it, the quick start above all: a process, its output, and Ctrl-C. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface Program {
  readonly child: ChildProcess;
  /** What it printed so far. */
  readonly output: () => string;
  readonly errors: () => string;
  /** Resolves when the text was printed; rejects if it ends before. */
  prints(text: string): Promise<void>;
  /** @returns the exit code */
  ends(): Promise<number | null>;
  /** Ctrl-C. @returns the exit code */
  interrupt(): Promise<number | null>;
  /** SIGTERM to the process itself, and to none of its children; resolves when all of them have ended. */
  terminate(): Promise<void>;
}

export interface ProgramOptions {
  readonly data: string;
  readonly args?: readonly string[];
  /** The script, or a whole command; left out: what `npm start` ends in, when everything is installed and built. */
  readonly script?: string | readonly [program: string, ...args: string[]];
  readonly environment?: Readonly<Record<string, string>>;
}

const built = 'packages/quickstart/dist/main.js';

/** Runs the quick start on free ports unless the environment says otherwise. */
export function start({ data, args = [], script = built, environment = {} }: ProgramOptions): Program {
  const ports = { WATCHWORD_MANAGER__PORT: '0', WATCHWORD_WS__PORT: '0' };
  const [program, ...before] = typeof script === 'string' ? [process.execPath, script] : script;
  const child = spawn(program, [...before, ...args], {
    cwd: root,
    env: { ...process.env, ...ports, WATCHWORD_DATA: data, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const orphaned = () => child.kill('SIGKILL');
  process.once('exit', orphaned);
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const exit = once(child, 'close').then(([code]) => {
    process.off('exit', orphaned);
    return code as number | null;
  });
  return {
    child,
    output: () => output,
    errors: () => errors,
    prints: async (text) => {
      const ended = exit.then((code) => {
        throw new Error(`ended with ${code} before it printed '${text}': ${errors}`);
      });
      while (!output.includes(text)) await Promise.race([once(child.stdout, 'data'), ended]);
      ended.catch(() => undefined);
    },
    ends: () => exit,
    interrupt: () => {
      child.kill('SIGINT');
      return exit;
    },
    // 'close' comes when nobody holds the output any more, whoever has inherited it.
    terminate: async () => {
      child.kill('SIGTERM');
      await exit;
    },
  };
}
