/**
 * What processes hold for seconds, like the turn of a login: in memory for as long as there is one process, so that a login takes its turn and gives it
 * back without the database. Whoever comes second says so and waits, until the first has written down what it holds; from then on
 * all go by the database. When all others have ended, the one that is left is alone again.
 *
 * Who is alone need not look at each step whether others have come, as these wait for it. Of a process that is killed nothing has
 * to be known: what it held is nobody's.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { elapsed } from '@watchword/core/foundation';
import type { Database, Environment } from '../storage/environment.ts';
import { isGone, thisProcess } from './holder.ts';
import type { HeldRecords, LiveRecord, Records } from './live-records.ts';

/** Milliseconds between two looks whether others have come, or have ended. */
const beat = 250;
/** So long after its last look a process that was held up looks before it goes on. */
const heldUp = 1000;
/** Who is alone and has not answered for so long holds nothing any more: turns are over that are not renewed for five seconds. */
const patience = 5000 + heldUp;
/** Milliseconds between two looks of one that waits. */
const pause = 10;
/** So many are kept before those that are over are looked for. */
const sweepsAfter = 1024;

/** Where it stands who is alone. All other keys are processes. */
const aloneKey = '';

export class Held implements HeldRecords {
  readonly #environment: Environment;
  readonly #shared: Records;
  /** Processes that hold something, and who of them is alone. */
  readonly #processes: Database<string, string>;
  /** An environment that is opened twice by a process is like two. */
  readonly #id: string;
  /** What is held here, also while it stands in the database, too. */
  readonly #records = new Map<string, LiveRecord>();
  /** Undefined: nothing was held yet, or it waits. */
  #mode: 'alone' | 'shared' | undefined;
  #beginning: Promise<void> | undefined;
  #looking: NodeJS.Timeout | undefined;
  #lookedAt = 0;
  #kept = 0;
  /** Others know of it, or are about to. */
  #isThere = false;
  #isOver = false;

  /** @param shared where it stands while there are several */
  constructor(environment: Environment, shared: Records) {
    this.#environment = environment;
    this.#shared = shared;
    this.#processes = environment.table('holders', { encoding: 'string' });
    this.#id = `${thisProcess} ${environment.opening}`;
    // What is flushed to disk at every step is for where nobody can be told apart.
    if (!environment.isMomentary) this.#mode = 'shared';
    environment.beforeGathered(() => this.isAloneStill());
    environment.beforeClose(() => this.#end());
  }

  /** Pending until it is known who is alone; undefined: it is known. @throws ServiceError `unavailable` */
  ready(): Promise<void> | undefined {
    if (this.#mode) return undefined;
    this.#beginning ??= this.#begin().finally(() => {
      this.#beginning = undefined;
    });
    return this.#beginning;
  }

  /** Whether nobody else is there, to be asked before a row of steps: within it nothing changes. */
  isAloneStill(): boolean {
    if (!this.isAlone || elapsed() - this.#lookedAt <= heldUp) return this.isAlone;
    // Whoever cannot look now goes by the database, which waits.
    if (this.#environment.isStill) return false;
    this.#look();
    return this.isAlone;
  }

  get isAlone(): boolean {
    return this.#mode === 'alone';
  }

  get(key: string): LiveRecord | undefined {
    return this.isAlone ? this.#records.get(key) : this.#shared.get(key);
  }

  put(key: string, record: LiveRecord): void {
    this.#records.set(key, record);
    if (!this.isAlone) this.#shared.put(key, record);
  }

  remove(key: string): void {
    this.#records.delete(key);
    if (!this.isAlone) this.#shared.remove(key);
  }

  sweep(now: number): void {
    this.#kept += 1;
    if (this.#kept < sweepsAfter) return;
    this.#kept = 0;
    for (const [key, { end }] of this.#records) if (end <= now) this.#records.delete(key);
  }

  giveBack(key: string, record: LiveRecord): void {
    if (this.#records.get(key) === record) this.#records.delete(key);
  }

  async #begin(): Promise<void> {
    let from = Number.POSITIVE_INFINITY;
    for (;;) {
      const isLate = elapsed() - from > patience;
      this.#isThere = true;
      const mode = await this.#environment.write(() => this.#enter(isLate));
      // Others know of it from here on.
      from = Math.min(from, elapsed());
      // The next write tells that it is closed.
      if (this.#isOver) continue;
      if (mode) {
        this.#mode = mode;
        this.#lookedAt = elapsed();
        this.#looking = setInterval(() => this.#look(), beat).unref();
        return;
      }
      // A program that has nothing else to do must not end meanwhile.
      await sleep(pause);
    }
  }

  /** Within a transaction. @param isLate whoever is alone does not answer @returns undefined: it has to be waited for */
  #enter(isLate: boolean): 'alone' | 'shared' | undefined {
    const others = this.#othersThere();
    this.#processes.put(this.#id, '');
    const alone = this.#processes.get(aloneKey);
    if (alone !== undefined && !isLate && !isGone(alone)) return undefined;
    if (others > 0) {
      this.#processes.remove(aloneKey);
      return 'shared';
    }
    this.#processes.put(aloneKey, this.#id);
    return 'alone';
  }

  /** Within a transaction; those that have ended are struck off. */
  #othersThere(): number {
    let there = 0;
    for (const other of [...this.#others()]) {
      if (isGone(other)) this.#processes.remove(other);
      else there += 1;
    }
    return there;
  }

  *#others(): Generator<string> {
    for (const key of this.#processes.getKeys()) if (key !== aloneKey && key !== this.#id) yield key;
  }

  #look(): void {
    if (this.#environment.isStill) return;
    this.#lookedAt = elapsed();
    try {
      this.#environment.refresh();
      if (!this.isAlone) this.#beAlone();
      else if (this.#haveOthersCome()) this.#share();
    } catch {
      // It goes on as it was, and the next look tries again: others wait meanwhile.
    }
  }

  #haveOthersCome(): boolean {
    for (const _ of this.#others()) return true;
    // Whoever has waited for too long has taken it.
    return this.#processes.get(aloneKey) !== this.#id;
  }

  #share(): void {
    this.#environment.transact(() => {
      for (const [key, record] of this.#records) {
        const there = this.#shared.get(key);
        // Somebody has taken a later one where this process was held up for long.
        if (!there || there.end <= record.end) this.#shared.put(key, record);
      }
      if (this.#processes.get(aloneKey) === this.#id) this.#processes.remove(aloneKey);
    });
    this.#mode = 'shared';
  }

  /** If all others have ended. */
  #beAlone(): void {
    for (const other of this.#others()) if (!isGone(other)) return;
    const isAlone = this.#environment.transact(() => {
      if (this.#othersThere() > 0) return false;
      for (const [key, { value }] of [...this.#records]) {
        const there = this.#shared.get(key);
        if (there && Buffer.compare(there.value, value) === 0) this.#shared.remove(key);
        // Another process has had it since.
        else this.#records.delete(key);
      }
      this.#processes.put(aloneKey, this.#id);
      return true;
    });
    if (isAlone === true) this.#mode = 'alone';
  }

  async #end(): Promise<void> {
    clearInterval(this.#looking);
    this.#isOver = true;
    if (!this.#isThere) return;
    this.#mode = undefined;
    await this.#environment.transact(() => {
      this.#processes.remove(this.#id);
      if (this.#processes.get(aloneKey) === this.#id) this.#processes.remove(aloneKey);
    });
  }
}

/** One for each, whoever enters. */
const known = new WeakMap<Environment, Held>();

export function heldIn(environment: Environment, shared: Records): Held {
  const there = known.get(environment) ?? new Held(environment, shared);
  known.set(environment, there);
  return there;
}
