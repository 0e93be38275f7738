/** The output of a bundled server that only checks a configuration. */
import { runServer } from '../../../../../cli/src/index.ts';
import { fixedHandler } from '../fixed-handler.ts';

export interface Verdict {
  /** 0: it is good. */
  readonly code: number;
  readonly printed: readonly string[];
  readonly errors: readonly string[];
}

/** `--check --config file`, looking at the configuration only. */
export const checkServer = (file: string): Promise<Verdict> => check(['--offline', '--config', file]);

/** `--check --config file`, reaching out. */
export const tryServer = (file: string, server: 'manager' | 'ws' = 'manager'): Promise<Verdict> =>
  check(['--config', file], server);

async function check(options: readonly string[], server: 'manager' | 'ws' = 'manager'): Promise<Verdict> {
  const [printed, errors]: [string[], string[]] = [[], []];
  const code = await runServer(
    { name: 'watchword', server, prepare: () => () => fixedHandler() },
    {
      arguments: ['--check', ...options],
      environment: {},
      print: (text) => printed.push(text),
      printError: (text) => errors.push(text),
      logTo: { write: () => {} },
      asked: new Promise(() => {}),
    },
  );
  // Nothing is there yet in the folders of these tests, so that is said each time.
  return { code, printed, errors: errors.filter((line) => !line.includes('There is no administrator yet')) };
}

/** Starts a server and stops it when it listens and has printed its warnings. @returns the warnings */
export async function startAndStop(file: string, { warnings = 1 } = {}): Promise<readonly string[]> {
  const errors: string[] = [];
  let [stop, isListening] = [() => {}, false];
  const stopIfDone = () => {
    if (isListening && errors.length >= warnings) stop();
  };
  const code = await runServer(
    { name: 'watchword', server: 'manager', prepare: () => () => fixedHandler() },
    {
      arguments: ['--config', file],
      environment: {},
      print: () => {
        isListening = true;
        stopIfDone();
      },
      printError: (text) => {
        errors.push(text);
        stopIfDone();
      },
      logTo: { write: () => {} },
      asked: new Promise((resolve) => {
        stop = () => resolve('SIGTERM');
      }),
    },
  );
  if (code !== 0) throw new Error(errors.join('\n'));
  return errors;
}
