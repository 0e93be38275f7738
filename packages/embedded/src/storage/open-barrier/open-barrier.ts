/**
 * The open barrier: a process that opens a data folder makes all others pause their writes until it has opened. LMDB, as lmdb-js bundles it,
 * resets the number of the last transaction on opening, so a commit at that moment would be lost (OpenLDAP ITS#9496;
 * docs/decisions/0038-opening-a-folder-pauses-its-processes.md).
 *
 * Each process acknowledges a request once it has no write under way, and resumes when the connection closes. The system closes that of a
 * killed process. Two processes that open at a time acknowledge each other at once, but neither writes before the other has opened.
 */
import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { elapsed, StartError } from '@watchword/core/foundation';
import { isSocketId, ProcessSockets } from './process-sockets.ts';

/** The longest pause in milliseconds of the first attempt, and of later ones, after which others resume for a while. */
const attempt = { first: 300, longest: 700 };
/** The period of retries in milliseconds. They begin together by the clock, so that others resume at the same time. */
const period = 1000;
/** The validity of acknowledgements in milliseconds after an attempt; a process that was held up longer asks again. */
const slack = 300;
/** The timeout of an acknowledgement in milliseconds. The process is stopped or busy with one write, and the folder is opened beside it. */
const patience = 5000;
/** {@link patience} with a process that has acknowledged an earlier attempt. */
const longPatience = 30_000;
/** The longest pause in milliseconds for one opening process; longer than an attempt and its slack. */
const longestOpening = 2000;
/** The last process to leave removes the folder of the sockets, maybe while another one joins. */
const tries = 50;

interface Attempt {
  /** Milliseconds. */
  readonly time: number;
  /** Processes that have acknowledged before. */
  readonly responsive: Set<string>;
  isOverdue(id: string): boolean;
}

interface PauseRequest {
  readonly paused: Map<string, Socket>;
  readonly responsive: Set<string>;
  /** Milliseconds. */
  readonly left: number;
}

/** The barrier of an open environment. */
export type WriterBarrier = Omit<OpenBarrier, 'open'>;

export class OpenBarrier {
  readonly #sockets: ProcessSockets;
  readonly #server: Server;
  /** Requests that wait for a write to end. */
  readonly #requests = new Map<Socket, string>();
  readonly #acknowledged = new Map<Socket, { readonly id: string; readonly until: number }>();
  #isWriting: () => boolean = () => false;
  #isLeaving = false;
  #onResume: (() => void)[] = [];

  private constructor(sockets: ProcessSockets) {
    this.#sockets = sockets;
    this.#server = createServer((socket) => this.#accept(socket));
    // With too many open files a request cannot be accepted, and is not acknowledged.
    this.#server.on('error', () => undefined);
    this.#server.unref();
  }

  /** @throws StartError if the folder takes no socket; the error of the system if nothing can be created in it */
  static async join(folder: string): Promise<OpenBarrier> {
    for (let left = tries; ; left -= 1) {
      try {
        return await OpenBarrier.#tryToJoin(folder);
      } catch (error) {
        if (left === 0 || !isMissingFolder(error)) throw error;
      }
    }
  }

  static async #tryToJoin(folder: string): Promise<OpenBarrier> {
    const barrier = new OpenBarrier(new ProcessSockets(folder));
    try {
      await barrier.#listen();
      return barrier;
    } catch (error) {
      barrier.close();
      throw error;
    }
  }

  /** Returns whether a live process has the folder open or opens it; true if that is unknown. Creates and removes nothing. */
  static async mayBeOpen(folder: string): Promise<boolean> {
    if (!ProcessSockets.existIn(folder)) return false;
    try {
      const sockets = new ProcessSockets(folder);
      try {
        for (const id of sockets.otherIds()) if (await mayListen(sockets.addressOf(id))) return true;
        return false;
      } finally {
        sockets.release();
      }
    } catch {
      return true;
    }
  }

  /** Identifies this opening of the folder. */
  get id(): string {
    return this.#sockets.ownId;
  }

  /** Another process opens the folder: nothing may be written until it has. */
  get isPaused(): boolean {
    return this.#requests.size > 0 || this.#acknowledged.size > 0;
  }

  /** Holds acknowledgements back while `isWriting`. The writer calls {@link writeEnded} after each write. */
  attachWriter(isWriting: () => boolean): void {
    this.#isWriting = isWriting;
  }

  writeEnded(): void {
    if (this.#requests.size === 0 || this.#isWriting()) return;
    for (const [socket, id] of this.#requests) this.#acknowledge(socket, id);
    this.#requests.clear();
  }

  /** Resolves when no process opens the folder. */
  resumed(): Promise<void> {
    return this.isPaused ? new Promise((resolve) => this.#onResume.push(resolve)) : Promise.resolve();
  }

  /** Blocks this thread until the acknowledged processes have opened the folder. */
  blockWhileOpening(): void {
    for (const { id, until } of this.#acknowledged.values())
      while (this.#sockets.isOpening(id) && elapsed() < until) Atomics.wait(neverNotified, 0, 0, 1);
  }

  /** Opens while no process writes. @throws the error of `open` */
  async open<T>(open: () => T): Promise<T> {
    const from = elapsed();
    const responsive = new Set<string>();
    const isOverdue = (id: string) => elapsed() - from > (responsive.has(id) ? longPatience : patience);
    for (let time = attempt.first; ; time = Math.min(2 * time, attempt.longest)) {
      const opened = await this.#tryToOpen(open, { time, responsive, isOverdue });
      if (opened) return opened.result;
      await sleep(period - (Date.now() % period));
    }
  }

  /** @returns undefined if a process has not acknowledged in time */
  async #tryToOpen<T>(
    open: () => T,
    { time, responsive, isOverdue }: Attempt,
  ): Promise<{ readonly result: T } | undefined> {
    const paused = new Map<string, Socket>();
    const end = elapsed() + time;
    try {
      for (;;) {
        const missing = this.#sockets.otherIds().filter((id) => !paused.has(id));
        const left = end - elapsed();
        const isFresh = left > -slack && missing.every(isOverdue);
        if (left > 0 ? missing.length === 0 : isFresh && missing.length > 0) {
          // A process that joins later asks this one, which acknowledges after it has opened.
          const result = open();
          this.#sockets.opened();
          return { result };
        }
        if (left <= 0) return undefined;
        await Promise.all(missing.map((id) => this.#requestPause(id, { paused, responsive, left })));
      }
    } finally {
      for (const socket of paused.values()) socket.destroy();
    }
  }

  /** Resolves when the process has acknowledged or is not found, or time is up. */
  async #requestPause(id: string, { paused, responsive, left }: PauseRequest): Promise<void> {
    const socket = createConnection(this.#sockets.addressOf(id));
    const over = new AbortController();
    const { signal } = over;
    socket.setTimeout(Math.ceil(left), () => over.abort());
    socket.on('error', () => undefined);
    socket.once('close', () => over.abort());
    try {
      await once(socket, 'connect', { signal });
      socket.write(`${this.#sockets.ownId}\n`);
      await once(socket, 'data', { signal });
      socket.setTimeout(0);
      responsive.add(id);
      paused.set(id, socket);
      socket.once('close', () => paused.delete(id));
    } catch (error) {
      socket.destroy();
      if (isForbidden(error)) throw new StartError(ofAnother(this.#sockets.folder));
      if (isRefused(error)) this.#sockets.remove(id);
      // The process is busy, has just opened, or ends: the caller looks for it again.
      else await sleep(1);
    }
  }

  /** Accepts a connection, on which a process that opens the folder sends its id. */
  #accept(socket: Socket): void {
    socket.on('error', () => undefined);
    socket.setTimeout(longestOpening, () => socket.destroy());
    socket.once('close', () => {
      this.#requests.delete(socket);
      this.#acknowledged.delete(socket);
      if (!this.isPaused) for (const resume of this.#onResume.splice(0)) resume();
    });
    socket.once('data', (bytes) => {
      const id = bytes.toString('latin1').trim();
      if (!isSocketId(id) || this.#isLeaving) socket.destroy();
      else if (this.#isWriting()) this.#requests.set(socket, id);
      else this.#acknowledge(socket, id);
    });
  }

  #acknowledge(socket: Socket, id: string): void {
    this.#acknowledged.set(socket, { id, until: elapsed() + longestOpening });
    socket.write('.');
  }

  async #listen(): Promise<void> {
    try {
      this.#server.listen(this.#sockets.draftAddress);
      await once(this.#server, 'listening');
    } catch (cause) {
      throw new StartError(takesNone(this.#sockets.folder, cause), { cause });
    }
    this.#sockets.publish();
  }

  /** Stops acknowledging, and resolves when every acknowledged process has opened the folder or given up. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    for (const socket of this.#requests.keys()) socket.destroy();
    while (this.#acknowledged.size > 0) await this.resumed();
  }

  close(): void {
    this.#sockets.close();
    this.#server.close();
    for (const socket of [...this.#requests.keys(), ...this.#acknowledged.keys()]) socket.destroy();
  }
}

const neverNotified = new Int32Array(new SharedArrayBuffer(4));

async function mayListen(address: string): Promise<boolean> {
  const socket = createConnection(address);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    return !isRefused(error);
  } finally {
    socket.destroy();
  }
}

/** Returns whether no process listens any more. */
const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';

/** Returns whether the folder of the sockets was removed by the last process that left. libuv reports EACCES in place of ENOENT. */
function isMissingFolder(error: unknown): boolean {
  const cause = error instanceof StartError ? error.cause : error;
  return cause instanceof Error && 'code' in cause && (cause.code === 'EACCES' || cause.code === 'ENOENT');
}

const isForbidden = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EACCES';

const ofAnother = (folder: string): string =>
  `A process of another user has the data folder ${folder} open: end it, and start all of the folder as one user. If there is none, remove the folder open in it.`;

const takesNone = (folder: string, why: unknown): string => {
  const how = why instanceof Error && 'code' in why ? String(why.code) : 'it cannot listen';
  return `The data folder ${folder} takes no socket (${how}), by which processes that share it find each other: choose a folder on a disk of this machine.`;
};

/** The barrier of a folder that no other process opens. */
export const noBarrier: WriterBarrier = {
  id: 'alone',
  isPaused: false,
  attachWriter: () => undefined,
  writeEnded: () => undefined,
  resumed: () => Promise.resolve(),
  blockWhileOpening: () => undefined,
  leave: () => Promise.resolve(),
  close: () => undefined,
};
