/** What a bundled server says of a configuration that it is only to check. */
import { runServer } from '../start/command.ts';

export interface Verdict {
  /** 0: it is good. */
  readonly code: number;
  readonly printed: readonly string[];
  readonly errors: readonly string[];
}

/** `--check --config file` */
export async function checkServer(file: string): Promise<Verdict> {
  const [printed, errors]: [string[], string[]] = [[], []];
  const code = await runServer(
    { name: 'watchword', server: 'manager', handler: () => async () => new Response() },
    {
      arguments: ['--check', '--config', file],
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
