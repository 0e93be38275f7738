/** The writer process, as the server sees it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Dn, ServiceError } from '@watchword/core/foundation';
import type { Clock } from '@watchword/core/ports';
import type { UpdateRequest } from '../entries/update.ts';
import { type Answer, headOf, type Message, messagesOf } from './update-messages.ts';

export interface Writer {
  /** Resolves when the update is durable. @throws ServiceError as `makeUpdate`; `unavailable` if the process ends meanwhile */
  make(request: UpdateRequest): Promise<void>;
  /** Ends the process after the updates under way. */
  end(): Promise<void>;
}

export interface WriterOptions {
  readonly folder: string;
  readonly base: Dn;
  readonly clock: Pick<Clock, 'every'>;
  /** Called when the process has ended. */
  readonly onEnd: () => void;
  /** Called in place of `onEnd` if the process ended before its first answer. */
  readonly onFailure: (cause: unknown) => void;
}

/** The timeout of an answer, and of the end, in minutes. */
const timeout = 10;

const kind = extname(fileURLToPath(import.meta.url));
const program = fileURLToPath(new URL(`./large-changes-program${kind}`, import.meta.url));

/** Node's arguments for the process: sources need their loader, but no debugger's port. */
const execArgv = (): string[] =>
  kind === '.ts' ? process.execArgv.filter((argument) => !argument.startsWith('--inspect')) : [];

/** Starts the process on a data folder. @throws ServiceError `unavailable` if it cannot be started */
export async function startWriter(about: WriterOptions): Promise<Writer> {
  await access(program).catch((cause) => {
    const words = `${program} is not there: a program that is bundled leaves @watchword/core outside its bundle`;
    throw notStarted(new Error(words, { cause }));
  });
  try {
    const child = fork(program, [about.folder, about.base.toString()], {
      serialization: 'advanced',
      env: {}, // the server's may contain keys and passwords
      execArgv: execArgv(),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await once(child, 'spawn');
    return new WriterProcess(child, about);
  } catch (cause) {
    throw notStarted(cause);
  }
}

const notStarted = (cause: unknown): ServiceError =>
  new ServiceError('unavailable', {
    detail: 'the process that makes large changes cannot be started',
    cause,
  });

interface Pending {
  readonly resolve: () => void;
  readonly reject: (error: ServiceError) => void;
}

class WriterProcess implements Writer {
  readonly #child: ChildProcess;
  readonly #clock: Pick<Clock, 'every'>;
  readonly #pending = new Map<number, Pending>();
  readonly #making = new Set<Promise<void>>();
  readonly #ended: Promise<void>;
  #isOver = false;
  #isLate = false;
  /** The process has answered, or was asked to end. */
  #isProven = false;
  #last = 0;

  constructor(child: ChildProcess, { clock, onEnd, onFailure }: WriterOptions) {
    this.#child = child;
    this.#clock = clock;
    child.on('message', (answer: Answer) => this.#settle(answer));
    child.on('error', () => undefined); // reported by the end of the process
    const over = (cause: unknown) => {
      this.#isOver = true;
      if (this.#isProven) onEnd();
      else onFailure(cause);
      for (const { reject } of this.#pending.values())
        reject(this.#isLate ? tooSlow(cause) : endedMeanwhile(cause));
    };
    // The last answers have arrived when the channel is closed.
    const closed = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
    this.#ended = closed.then(([[code, signal]]) => over(`it ended with ${signal ?? code}`), over);
  }

  async make(request: UpdateRequest): Promise<void> {
    if (this.#isOver) throw endedMeanwhile('it had ended');
    const made = this.#withTimeout(() => this.#make(request));
    this.#making.add(made);
    this.#keepAlive(true);
    try {
      await made;
    } finally {
      this.#making.delete(made);
      this.#keepAlive(this.#making.size > 0);
    }
  }

  async end(): Promise<void> {
    await Promise.allSettled(this.#making);
    this.#isProven = true;
    this.#keepAlive(true);
    if (this.#child.connected) this.#child.disconnect();
    await this.#withTimeout(() => this.#ended);
  }

  /** Kills the process at the timeout, which releases its locks. */
  async #withTimeout(task: () => Promise<void>): Promise<void> {
    const stop = this.#clock.every(timeout * 60_000, () => {
      this.#isLate = true;
      this.#child.kill('SIGKILL');
    });
    try {
      await task();
    } finally {
      stop();
    }
  }

  async #make(request: UpdateRequest): Promise<void> {
    this.#last += 1;
    const id = this.#last;
    const answered = new Promise<void>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
    });
    try {
      await Promise.race([answered, this.#send(id, request).then(() => answered)]);
    } finally {
      this.#pending.delete(id);
    }
  }

  async #send(id: number, request: UpdateRequest): Promise<void> {
    await this.#post({ id, head: headOf(request) });
    for (const parts of messagesOf(request)) await this.#post({ id, parts });
    await this.#post({ id, isLast: true });
  }

  /** Resolves when the message was sent; the end of the process reports a failure. */
  #post(message: Message): Promise<void> {
    return new Promise((resolve) => {
      this.#child.send(message, () => resolve());
    });
  }

  #settle({ id, error }: Answer): void {
    const pending = this.#pending.get(id);
    this.#isProven = true;
    if (error) pending?.reject(new ServiceError(error.reason, error));
    else pending?.resolve();
  }

  /** Keeps this process alive only while updates are under way. */
  #keepAlive(isWanted: boolean): void {
    for (const handle of [this.#child, this.#child.channel]) {
      if (isWanted) handle?.ref();
      else handle?.unref();
    }
  }
}

const endedMeanwhile = (cause: unknown): ServiceError =>
  new ServiceError('unavailable', {
    detail: 'the process that makes large changes has ended; this one was made as a whole or not at all',
    cause,
  });

const tooSlow = (cause: unknown): ServiceError =>
  new ServiceError('unavailable', {
    detail: `the process that makes large changes did not answer for ${timeout} minutes and was ended; this one was made as a whole or not at all`,
    cause,
  });
