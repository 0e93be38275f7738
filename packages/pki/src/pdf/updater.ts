/**
 * Runs a process for each PDF to be read: a file of some kilobytes can keep the library busy for half a minute, and only a process can be
 * stopped.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServiceError } from '@watchword/core/foundation';
import type { WantedUpdate } from './update.ts';

/** Beside this file, as a source and in what is packed. */
const kind = extname(fileURLToPath(import.meta.url));
const program = fileURLToPath(new URL(`./pdf-program${kind}`, import.meta.url));

/** Milliseconds that one may take: on a machine that is busy with other work a file that is read in a second takes half of it. */
const usualPatience = 60_000;
/** Most processes at a time, and most that wait. */
const [mostAtOnce, mostWaiting] = [2, 16];
/** Memory of a process in megabytes. */
const memory = 256;

export class PdfUpdater {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /**
   * Undefined: it cannot be read, or not in time.
   * @param patience in milliseconds
   * @throws ServiceError `unavailable` where too many wait
   */
  async update(wanted: WantedUpdate, patience = usualPatience): Promise<Buffer | undefined> {
    if (this.#running >= mostAtOnce) await this.#turn();
    this.#running += 1;
    try {
      return await askProgram(wanted, patience);
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= mostWaiting)
      throw new ServiceError('unavailable', { detail: 'too many PDFs are being signed at the moment' });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** Returns the options of the process: not those of this one, a debugger's port least of all, but sources need their loader. */
const loader = (): string[] =>
  kind === '.ts' ? process.execArgv.filter((argument) => !argument.startsWith('--inspect')) : [];

function askProgram(wanted: WantedUpdate, patience: number): Promise<Buffer | undefined> {
  const child = fork(program, [], {
    serialization: 'advanced',
    env: {}, // keys and passwords of the server may be there
    execArgv: [...loader(), `--max-old-space-size=${memory}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout: patience,
    killSignal: 'SIGKILL',
  });
  return new Promise((resolve, reject) => {
    child.once('message', (updated: Uint8Array | null) =>
      resolve(updated ? Buffer.from(updated) : undefined),
    );
    child.once('error', (cause) =>
      reject(
        new ServiceError('unavailable', { detail: 'the process that reads PDFs cannot be started', cause }),
      ),
    );
    // Not at its exit: the answer may be read after that.
    child.once('close', () => resolve(undefined));
    tell(child, wanted);
  });
}

/** Sends the task; if that fails, the end of the process reports it. */
const tell = (child: ChildProcess, wanted: WantedUpdate): unknown => child.send(wanted, () => undefined);
