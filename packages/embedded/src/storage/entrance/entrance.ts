/**
 * How a process opens a folder that others have open. LMDB, as lmdb-js bundles it, sets back the number of the last transaction
 * while it opens: what another process commits at that moment is undone by whoever writes next (OpenLDAP's ITS#9496). So whoever
 * opens asks all others to stand still, opens when all have answered, and lets them go on. They wait for milliseconds, and nothing is
 * asked of those that nobody joins.
 *
 * Each answers once it writes nothing, and writes again when whoever asked has hung up, as the system does for one that is killed. One
 * that opens answers at once and opens all the same: two that open do each other no harm, but neither may write before the other is in.
 */
import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { elapsed, StartError } from '@watchword/core/foundation';
import { isPlace, Places } from './places.ts';

/** Milliseconds for which others stand still at first, and at most, before they are let go on for a while, if somebody does not answer. */
const attempt = { first: 300, longest: 700 };
/** All that try again begin together, by the clock, so that others are let go on by all of them at a time. */
const period = 1000;
/** Answers are good for a while, but whoever is held up for long after them must ask again. */
const slack = 300;
/** Whoever does not answer for so long is stopped, or writes one thing for as long: the moment of opening is nothing beside it. */
const patience = 5000;
/** The same for one that has answered before, and was let go on for others' sake. */
const longPatience = 30_000;
/** For so long it is waited for one that opens, and does not hang up: longer than an attempt and its slack. */
const longestOpening = 2000;
/** Whoever leaves as the last takes the folder of the sockets away, maybe while this one comes. */
const tries = 50;

interface Attempt {
  /** Milliseconds. */
  readonly time: number;
  /** Those that have answered at some time. */
  readonly heard: Set<string>;
  isGivenUp(id: string): boolean;
}

interface Question {
  /** Those that stand still. */
  readonly standing: Map<string, Socket>;
  readonly heard: Set<string>;
  /** Milliseconds. */
  readonly left: number;
}

/** What an open environment goes by. */
export type Gate = Omit<Entrance, 'open'>;

export class Entrance {
  readonly #places: Places;
  readonly #server: Server;
  /** Who wants to open, and who of them was answered. */
  readonly #asking = new Map<Socket, string>();
  readonly #answered = new Map<Socket, { readonly id: string; readonly until: number }>();
  #isWriting: () => boolean = () => false;
  #isLeaving = false;
  #free: (() => void)[] = [];

  private constructor(places: Places) {
    this.#places = places;
    this.#server = createServer((socket) => this.#meet(socket));
    // Whoever cannot be heard, as there are too many files open, is not answered.
    this.#server.on('error', () => undefined);
    this.#server.unref();
  }

  /** @throws StartError if the folder takes no socket; what the system says if nothing can be made in it */
  static async make(folder: string): Promise<Entrance> {
    for (let left = tries; ; left -= 1) {
      try {
        return await Entrance.#tryToMake(folder);
      } catch (error) {
        if (left === 0 || !isOfMissing(error)) throw error;
      }
    }
  }

  static async #tryToMake(folder: string): Promise<Entrance> {
    const entrance = new Entrance(new Places(folder));
    try {
      await entrance.#listen();
      return entrance;
    } catch (error) {
      entrance.close();
      throw error;
    }
  }

  /** Whether a process that lives has the folder open, or is about to; also if it cannot be told. Makes and removes nothing. */
  static async mayBeIn(folder: string): Promise<boolean> {
    if (!Places.areIn(folder)) return false;
    try {
      const places = new Places(folder);
      try {
        for (const id of places.others()) if (await mayListen(places.addressOf(id))) return true;
        return false;
      } finally {
        places.release();
      }
    } catch {
      return true;
    }
  }

  /** Tells this opening of the folder from all others. */
  get id(): string {
    return this.#places.own;
  }

  /** Whether somebody opens the folder: nothing must be written until it has. */
  get isStill(): boolean {
    return this.#asking.size > 0 || this.#answered.size > 0;
  }

  /** From now on nobody is answered while something is written. {@link ended} has to be called when it no longer is. */
  heed(isWriting: () => boolean): void {
    this.#isWriting = isWriting;
  }

  /** Nothing is written any more. */
  ended(): void {
    if (this.#asking.size === 0 || this.#isWriting()) return;
    for (const [socket, id] of this.#asking) this.#answer(socket, id);
    this.#asking.clear();
  }

  /** Resolves when nobody opens the folder. */
  passed(): Promise<void> {
    return this.isStill ? new Promise((resolve) => this.#free.push(resolve)) : Promise.resolve();
  }

  /** Returns when those that were answered have opened the folder: this thread stands still, too. */
  standHere(): void {
    for (const { id, until } of this.#answered.values())
      while (this.#places.isOpening(id) && elapsed() < until) Atomics.wait(nothing, 0, 0, 1);
  }

  /** Opens while nobody writes. @throws what `open` throws */
  async open<T>(open: () => T): Promise<T> {
    const from = elapsed();
    const heard = new Set<string>();
    /** Whether it is opened beside one that does not answer. */
    const isGivenUp = (id: string) => elapsed() - from > (heard.has(id) ? longPatience : patience);
    for (let time = attempt.first; ; time = Math.min(2 * time, attempt.longest)) {
      const made = await this.#tryToOpen(open, { time, heard, isGivenUp });
      if (made) return made.result;
      await sleep(period - (Date.now() % period));
    }
  }

  /** @returns undefined: somebody has not answered */
  async #tryToOpen<T>(
    open: () => T,
    { time, heard, isGivenUp }: Attempt,
  ): Promise<{ readonly result: T } | undefined> {
    const standing = new Map<string, Socket>();
    const end = elapsed() + time;
    try {
      for (;;) {
        const missing = this.#places.others().filter((id) => !standing.has(id));
        const left = end - elapsed();
        const isFresh = left > -slack && missing.every(isGivenUp);
        if (left > 0 ? missing.length === 0 : isFresh && missing.length > 0) {
          // Those that come later find this one, and it answers when it has opened.
          const result = open();
          this.#places.opened();
          return { result };
        }
        if (left <= 0) return undefined;
        await Promise.all(missing.map((id) => this.#ask(id, { standing, heard, left })));
      }
    } finally {
      for (const socket of standing.values()) socket.destroy();
    }
  }

  /** Resolves when another one has answered, nobody is there, or time is up. */
  async #ask(id: string, { standing, heard, left }: Question): Promise<void> {
    const socket = createConnection(this.#places.addressOf(id));
    const over = new AbortController();
    const { signal } = over;
    socket.setTimeout(Math.ceil(left), () => over.abort());
    socket.on('error', () => undefined);
    socket.once('close', () => over.abort());
    try {
      await once(socket, 'connect', { signal });
      socket.write(`${this.#places.own}\n`);
      await once(socket, 'data', { signal });
      socket.setTimeout(0);
      heard.add(id);
      standing.set(id, socket);
      socket.once('close', () => standing.delete(id));
    } catch (error) {
      socket.destroy();
      if (isForbidden(error)) throw new StartError(ofAnother(this.#places.folder));
      if (isRefused(error)) this.#places.remove(id);
      // It is busy, has just opened, or ends: it is looked for again.
      else await sleep(1);
    }
  }

  /** Somebody wants to open the folder, and says who it is. */
  #meet(socket: Socket): void {
    socket.on('error', () => undefined);
    socket.setTimeout(longestOpening, () => socket.destroy());
    socket.once('close', () => {
      this.#asking.delete(socket);
      this.#answered.delete(socket);
      if (!this.isStill) for (const go of this.#free.splice(0)) go();
    });
    socket.once('data', (bytes) => {
      const id = bytes.toString('latin1').trim();
      if (!isPlace(id) || this.#isLeaving) socket.destroy();
      else if (this.#isWriting()) this.#asking.set(socket, id);
      else this.#answer(socket, id);
    });
  }

  #answer(socket: Socket, id: string): void {
    this.#answered.set(socket, { id, until: elapsed() + longestOpening });
    socket.write('.');
  }

  async #listen(): Promise<void> {
    try {
      this.#server.listen(this.#places.draft);
      await once(this.#server, 'listening');
    } catch (cause) {
      throw new StartError(takesNone(this.#places.folder, cause), { cause });
    }
    this.#places.show();
  }

  /** Nobody is answered any more; who was has opened the folder, or has given up. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    for (const socket of this.#asking.keys()) socket.destroy();
    while (this.#answered.size > 0) await this.passed();
  }

  /** Nobody asks this one any more. */
  close(): void {
    this.#places.close();
    this.#server.close();
    for (const socket of [...this.#asking.keys(), ...this.#answered.keys()]) socket.destroy();
  }
}

const nothing = new Int32Array(new SharedArrayBuffer(4));

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

/** Nobody listens at it any more. */
const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';

/**
 * The folder of the sockets was removed by one that left as the last, and may have been made again by another one since. libuv says
 * EACCES in place of ENOENT.
 */
function isOfMissing(error: unknown): boolean {
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

/** Of a folder that nobody else opens. */
export const noEntrance: Gate = {
  id: 'alone',
  isStill: false,
  heed: () => undefined,
  ended: () => undefined,
  passed: () => Promise.resolve(),
  standHere: () => undefined,
  leave: () => Promise.resolve(),
  close: () => undefined,
};
