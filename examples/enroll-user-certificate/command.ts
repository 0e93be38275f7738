/** A command for the terminal: what goes wrong is one sentence, and exit code 1. */
import { CallError } from '@watchword/client';

export async function runCommand(run: (args: readonly string[]) => Promise<void>): Promise<void> {
  try {
    await run(process.argv.slice(2));
  } catch (error) {
    const { message } = error as Error;
    console.error(error instanceof CallError ? `The Manager refused: ${message}` : message);
    process.exitCode = 1;
  }
}
