/** The streams of a command beside its output, and the operating-system account that runs it. */
import { userInfo } from 'node:os';
import { StartError } from '@watchword/core/foundation';
import { openTerminal, type Terminal } from './terminal.ts';

export interface Streams {
  /** Undefined where nobody can be asked. */
  readonly terminal: Terminal | undefined;
  readonly input: AsyncIterable<Uint8Array>;
  /** Resolves when there is place for more. @throws StartError if nobody reads it any more */
  write(text: string): Promise<void>;
  /** The account at the machine that the command runs as, for the audit. */
  readonly operator: string;
}

export function processStreams({ stdin, stdout, stderr, getuid }: NodeJS.Process): Streams {
  return {
    // Questions go to standard error: standard output may be a file.
    terminal: openTerminal(stdin, stderr),
    input: stdin,
    write: (text) => written(stdout, text),
    operator: accountName(getuid?.()),
  };
}

function written(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => reject(new StartError('The output cannot be written.', { cause }));
    stream.once('error', fail);
    stream.write(text, (cause) => {
      if (cause) return fail(cause); // the stream tells it as well, and somebody has to listen
      stream.off('error', fail);
      resolve();
    });
  });
}

/** Returns the account's name; in a container the number may have none. */
function accountName(uid: number | undefined): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${uid ?? 'unknown'}`;
  }
}
