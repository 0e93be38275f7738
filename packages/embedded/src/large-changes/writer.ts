/** The process that makes large changes, seen from the one that has them made. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Dn, ServiceError } from '@watchword/core/foundation';
import type { Clock } from '@watchword/core/ports';
import type { Order } from '../entries/update.ts';
import { type Answer, headOf, type Message, piecesOf } from './orders.ts';

export interface Writer {
  /** Durable when it resolves. @throws ServiceError as `makeUpdate`; `unavailable` if the process ends meanwhile */
  make(order: Order): Promise<void>;
  /** Lets it end when it has made what it was given. */
  end(): Promise<void>;
}

export interface WriterOptions {
  readonly folder: string;
  readonly base: Dn;
  readonly clock: Pick<Clock, 'every'>;
  /** Called as soon as it takes no more orders. */
  readonly onEnd: () => void;
  /** Called in the place of that if it has ended by itself before it answered anything. */
  readonly onFailure: (cause: unknown) => void;
}

/** Minutes that an answer, or the end, may take: a hundred times what the largest change took that was measured. */
const patience = 10;

/** Beside this file, as a source and in what is packed. */
const kind = extname(fileURLToPath(import.meta.url));
const program = fileURLToPath(new URL(`./large-changes-program${kind}`, import.meta.url));

/** What this process was started with is not for that one, a debugger's port least of all: sources need their loader. */
const execArgv = (): string[] =>
  kind === '.ts' ? process.execArgv.filter((argument) => !argument.startsWith('--inspect')) : [];

/** Starts it on a data folder. @throws ServiceError `unavailable` if it cannot be started */
export async function startWriter(about: WriterOptions): Promise<Writer> {
  await access(program).catch((cause) => {
    const words = `${program} is not there: a program that is bundled leaves @watchword/core outside its bundle`;
    throw notStarted(new Error(words, { cause }));
  });
  try {
    const child = fork(program, [about.folder, about.base.toString()], {
      serialization: 'advanced',
      env: {}, // keys and passwords of the server may be there
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
  /** It has answered, or was let end. */
  #isProven = false;
  #last = 0;

  constructor(child: ChildProcess, { clock, onEnd, onFailure }: WriterOptions) {
    this.#child = child;
    this.#clock = clock;
    child.on('message', (answer: Answer) => this.#settle(answer));
    child.on('error', () => undefined); // told by what ends with it
    const over = (cause: unknown) => {
      this.#isOver = true;
      if (this.#isProven) onEnd();
      else onFailure(cause);
      for (const { reject } of this.#pending.values())
        reject(this.#isLate ? tooSlow(cause) : endedMeanwhile(cause));
    };
    // Its last answers are there when the channel is closed.
    const closed = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
    this.#ended = closed.then(([[code, signal]]) => over(`it ended with ${signal ?? code}`), over);
  }

  async make(order: Order): Promise<void> {
    if (this.#isOver) throw endedMeanwhile('it had ended');
    const made = this.#inTime(() => this.#make(order));
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
    await this.#inTime(() => this.#ended);
  }

  /** One that takes too long is killed: what it holds, the database's lock as well, is then free. */
  async #inTime(task: () => Promise<void>): Promise<void> {
    const stop = this.#clock.every(patience * 60_000, () => {
      this.#isLate = true;
      this.#child.kill('SIGKILL');
    });
    try {
      await task();
    } finally {
      stop();
    }
  }

  async #make(order: Order): Promise<void> {
    this.#last += 1;
    const id = this.#last;
    const answered = new Promise<void>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
    });
    try {
      await Promise.race([answered, this.#send(id, order).then(() => answered)]);
    } finally {
      this.#pending.delete(id);
    }
  }

  async #send(id: number, order: Order): Promise<void> {
    await this.#tell({ id, head: headOf(order) });
    for (const parts of piecesOf(order)) await this.#tell({ id, parts });
    await this.#tell({ id, isWhole: true });
  }

  /** Resolves when it is on its way; where it cannot be, the end of the process tells so. */
  #tell(message: Message): Promise<void> {
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

  /** Only while something is on its way does it keep this process from ending. */
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
    detail: `the process that makes large changes did not answer for ${patience} minutes and was ended; this one was made as a whole or not at all`,
    cause,
  });
