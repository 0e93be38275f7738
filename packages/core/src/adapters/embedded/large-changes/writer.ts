/** The process that makes large changes, seen from the one that has them made. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServiceError } from '../../../errors/errors.ts';
import type { Dn } from '../../../text/dn.ts';
import type { Order } from '../entries/update.ts';
import { type Answer, headOf, type Message, piecesOf } from './orders.ts';

export interface Writer {
  /** Durable when it resolves. @throws ServiceError as `makeUpdate`; `unavailable` if the process ends meanwhile */
  make(order: Order): Promise<void>;
  /** Lets it end when it has made what it was given. */
  end(): Promise<void>;
}

/** Beside this file, as a source and in what is packed. */
const program = fileURLToPath(
  new URL(`./large-changes-program${extname(fileURLToPath(import.meta.url))}`, import.meta.url),
);

/**
 * Starts it on a data folder.
 * @param about.onEnd called as soon as it takes no more orders
 * @throws ServiceError `unavailable` if it cannot be started
 */
export async function startWriter(about: {
  readonly folder: string;
  readonly base: Dn;
  readonly onEnd: () => void;
}): Promise<Writer> {
  await access(program).catch((cause) => {
    const words = `${program} is not there: a program that is bundled leaves @watchword/core outside its bundle`;
    throw notStarted(new Error(words, { cause }));
  });
  try {
    const child = fork(program, [about.folder, about.base.toString()], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await once(child, 'spawn');
    return new WriterProcess(child, about.onEnd);
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
  readonly #pending = new Map<number, Pending>();
  readonly #making = new Set<Promise<void>>();
  readonly #ended: Promise<void>;
  #isOver = false;
  #last = 0;

  constructor(child: ChildProcess, onEnd: () => void) {
    this.#child = child;
    child.on('message', (answer: Answer) => this.#settle(answer));
    child.on('error', () => undefined); // told by what ends with it
    const over = (cause: unknown) => {
      this.#isOver = true;
      onEnd();
      for (const { reject } of this.#pending.values()) reject(endedMeanwhile(cause));
    };
    // Its last answers are there when the channel is closed.
    const closed = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
    this.#ended = closed.then(([[code, signal]]) => over(`it ended with ${signal ?? code}`), over);
  }

  async make(order: Order): Promise<void> {
    if (this.#isOver) throw endedMeanwhile('it had ended');
    const made = this.#make(order);
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
    this.#keepAlive(true);
    if (this.#child.connected) this.#child.disconnect();
    await this.#ended;
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
