/** The real process, for `main.ts` files. */
import type { Surroundings } from './command.ts';

export function processSurroundings(): Surroundings {
  return {
    arguments: process.argv.slice(2),
    environment: process.env,
    print: (text) => process.stdout.write(`${text}\n`),
    printError: (text) => process.stderr.write(`${text}\n`),
    logTo: process.stderr,
    asked: new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => resolve(signal));
    }),
  };
}
