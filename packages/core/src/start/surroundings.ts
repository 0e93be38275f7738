/** The real process, for `main.ts` files. */
import type { Surroundings } from './command.ts';
import { processStreams } from './streams.ts';

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
        for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => resolve(signal));
      });
    },
    streams: () => processStreams(process),
  };
}
