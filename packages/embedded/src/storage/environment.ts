/**
 * The one LMDB environment in a data folder. The directory, the store and the event log are tables of it, so
 * that writes of all of them that happen at the same time share one transaction and one flush to disk.
 * Several processes may have the same folder open.
 */

import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Soon } from '@watchword/core/foundation';
import { elapsed } from '@watchword/core/foundation';
import type { Database, DatabaseOptions, Key, RootDatabase, Transaction } from 'lmdb';
import type { PutOff, SmallChange, TableOptions } from './changes.ts';
import { dataFile } from './database-file.ts';
import type { Gate } from './entrance/entrance.ts';
import { Gathering } from './gathering.ts';
import { makePrivate } from './private-files.ts';
import { QuickDisk } from './quick-disk.ts';
import { Reading } from './reading.ts';
import { closed, refusalOf } from './refusal.ts';
import { WriteProbe } from './write-probe.ts';

export type { Database, DatabaseOptions, Key, Transaction };

interface Opened {
  readonly folder: string;
  /** Nobody waits for a disk. */
  readonly isMomentary: boolean;
  readonly entrance: Gate;
}

export class Environment {
  readonly folder: string;
  readonly #root: RootDatabase;
  readonly #readings = new Set<Reading>();
  readonly #gathering = new Gathering((changes, beside) => this.#writeGathered(changes, beside));
  /** Those before it are written before it. */
  #last: Promise<unknown> | undefined;
  #closing: Promise<void> | undefined;
  readonly #beforeClose: (() => Promise<void>)[] = [];
  /** Nobody waits for a disk. */
  readonly isMomentary: boolean;
  readonly #quickDisk = new QuickDisk();
  #expectsLongWrites = false;
  /** Transactions that lmdb's thread makes or will make. */
  #underWay = 0;
  readonly #probe: WriteProbe;
  readonly #entrance: Gate;
  /** Rows of changes that wait for one that opens the folder. */
  #deferred = 0;
  /** Of the transaction that is being made. */
  readonly #putOff: PutOff[] = [];
  #transactions = 0;

  /** @internal */
  constructor(root: RootDatabase, { folder, isMomentary, entrance }: Opened) {
    this.folder = folder;
    this.#root = root;
    this.isMomentary = isMomentary;
    this.#entrance = entrance;
    entrance.heed(() => this.#underWay > 0);
    const probes = this.table<Buffer, string>('probe', { encoding: 'binary' });
    this.#probe = new WriteProbe(folder, async (value) => {
      await this.write(() => probes.put('last', Buffer.from(value)));
    });
  }

  /**
   * Writes something, at most once a second.
   * @returns the bytes that are free in its folder @throws ServiceError `unavailable`
   */
  probe(): Promise<number> {
    return this.#probe.look();
  }

  /** A table by name, made when it is first opened. @internal */
  table<V, K extends Key>(name: string, options: TableOptions<V>): Database<V, K> {
    this.#entrance.standHere();
    return this.#root.openDB<V, K>(name, options);
  }

  /**
   * Runs a change in a write transaction: all of it is stored, or nothing if it throws. Resolves when the
   * transaction is on disk: nobody may be told of a write that a crash could undo.
   * @throws what `change` throws; ServiceError `unavailable` if it cannot be stored.
   */
  async write<T>(change: () => T): Promise<T> {
    try {
      return await this.transact(change);
    } catch (error) {
      throw await refusalOf(error);
    }
  }

  /**
   * A transaction of its own; at once where nobody waits for a disk, unless {@link isStill}.
   * @throws whatever the database or the change does
   */
  transact<T>(change: () => T): Soon<T> {
    this.assertOpen();
    return this.isStill ? this.#whenPassed(() => this.#transactNow(change)) : this.#transactNow(change);
  }

  /** Another process opens the folder, and waits for nothing to be written. */
  get isStill(): boolean {
    return this.#entrance.isStill;
  }

  #whenPassed<T>(make: () => Soon<T>): Promise<T> {
    const making = this.#entrance.passed().then(make);
    this.#last = making;
    return making;
  }

  #transactNow<T>(change: () => T): Soon<T> {
    return this.isMomentary ? this.#transactHere(change) : this.#transactApart(change);
  }

  #transactHere<T>(change: () => T): T {
    return this.#root.transactionSync(() => this.#toItsEnd(change));
  }

  /** In lmdb's thread, but for the change itself. */
  #transactApart<T>(change: () => T): Promise<T> {
    this.#underWay += 1;
    const ended = () => {
      this.#underWay -= 1;
      this.#entrance.ended();
      this.#gathering.ended(1 + this.#underWay);
    };
    const writing = this.#root.childTransaction(() => this.#toItsEnd(change));
    writing.then(ended, ended);
    this.#last = writing;
    return writing;
  }

  /** Some small changes. @param beside how many others waited, too, or were written when these were asked for */
  #transactGathered(gathered: readonly SmallChange[], beside: number): Soon<void> {
    if (this.isStill) return this.#putOffGathered(gathered, beside);
    const change = () => {
      for (const one of gathered) one.make();
    };
    if (this.isMomentary || this.#expectsLongWrites) return this.#transactNow(change);
    const from = elapsed();
    const isQuick = this.#quickDisk.isFor(gathered.length + beside, from);
    if (!isQuick) return this.#transactNow(change);
    this.#transactHere(change);
    this.#quickDisk.took(from, elapsed());
  }

  /** Steps that are asked for meanwhile do not overtake them. */
  #putOffGathered(gathered: readonly SmallChange[], beside: number): Promise<void> {
    this.#deferred += 1;
    return this.#whenPassed(() => {
      this.#deferred -= 1;
      return this.#transactGathered(gathered, beside);
    });
  }

  /** Some process may write for long: this thread waits for none of that. */
  expectLongWrites(): void {
    this.#expectsLongWrites = true;
  }

  /** How many were made: it stands for the one that is being made. */
  get transactions(): number {
    return this.#transactions;
  }

  /** To be called within a transaction: what all its changes go through is written once, at its end. */
  atItsEnd(put: PutOff): void {
    this.#putOff.push(put);
  }

  #toItsEnd<T>(change: () => T): T {
    this.#transactions += 1;
    try {
      const made = change();
      for (const put of this.#putOff) put.write();
      return made;
    } finally {
      for (const put of this.#putOff) put.forget();
      this.#putOff.length = 0;
    }
  }

  /**
   * {@link write} for small changes that refuse nothing: those that are asked for in one turn of the event loop, or while others are
   * written, are one transaction. A login makes a few, and a transaction for each would cost more than the changes.
   */
  writeTogether(change: SmallChange): void {
    this.#gathering.add(change, this.#underWay);
  }

  /** Some changes are to be written together. */
  get hasGathered(): boolean {
    return this.#gathering.hasSome || this.#deferred > 0;
  }

  #writeGathered(gathered: readonly SmallChange[], beside: number): void {
    try {
      this.assertOpen();
      const writing = this.#transactGathered(gathered, Math.max(beside, this.#underWay));
      if (writing instanceof Promise) {
        const refused = (error: unknown) => refuseAll(gathered, error);
        writing.then(() => tellAll(gathered), refused);
      } else tellAll(gathered);
    } catch (error) {
      refuseAll(gathered, error);
    }
  }

  /** A state of all tables that later writes do not change. @internal */
  read(): Reading {
    this.assertOpen();
    const reading = new Reading(this.#root.useReadTransaction(), () => this.#readings.delete(reading));
    this.#readings.add(reading);
    return reading;
  }

  /**
   * Copies all tables as they are at this moment into a folder that holds no database, and that nobody else may read:
   * LMDB leaves the file open to others while it writes. The copy is on disk when it resolves.
   */
  async copy(folder: string): Promise<void> {
    this.assertOpen();
    const file = join(folder, dataFile);
    await this.#root.backup(folder, true);
    await makePrivate(file);
    await using copy = await openFile(file, 'r+');
    await copy.sync();
  }

  /** What is read from now on has all that other processes have written by now. */
  refresh(): void {
    if (!this.#closing) this.#root.resetReadTxn();
  }

  /** Runs a task when the environment is closed, and closes the tables after it. */
  beforeClose(task: () => Promise<void>): void {
    this.#beforeClose.push(task);
  }

  /** @throws ServiceError `unavailable` once it is closed. */
  assertOpen(): void {
    if (this.#closing) throw closed();
  }

  /** Ends what is being read, waits for what is being written or was asked for before, and closes all tables. */
  close(): Promise<void> {
    this.#gathering.write();
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const reading of this.#readings) reading.end(closed());
    await Promise.all(this.#beforeClose.map((task) => task()));
    for (let last: Promise<unknown> | undefined; last !== this.#last; ) {
      last = this.#last;
      // Whoever asked for it is told why it failed.
      await last?.catch(() => {});
    }
    await this.#entrance.leave();
    try {
      await this.#root.close();
    } finally {
      this.#entrance.close();
    }
  }
}

function tellAll(written: readonly SmallChange[]): void {
  for (const one of written) one.written();
}

async function refuseAll(changes: readonly SmallChange[], error: unknown): Promise<void> {
  const why = await refusalOf(error);
  for (const one of changes) one.refused(why);
}
