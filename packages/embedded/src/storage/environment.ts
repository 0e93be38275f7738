/**
 * The LMDB environment of a data folder. Directory, store and event log are tables of one environment, so that concurrent writes of all of
 * them share a transaction and a flush. Several processes may have the same folder open.
 */

import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MaybePromise } from '@watchword/core/foundation';
import { elapsed } from '@watchword/core/foundation';
import type { Database, DatabaseOptions, Key, RootDatabase, Transaction } from 'lmdb';
import type { DeferredWrite, GroupedChange, TableOptions } from './changes.ts';
import { dataFile } from './database-file.ts';
import { GroupCommit } from './group-commit.ts';
import { InlineCommit } from './inline-commit.ts';
import type { WriterBarrier } from './open-barrier/open-barrier.ts';
import { makePrivate } from './private-files.ts';
import { ReadTransaction } from './read-transaction.ts';
import { closedError, writeError } from './write-error.ts';
import { WriteProbe } from './write-probe.ts';

export type { Database, DatabaseOptions, Key, Transaction };

interface Opened {
  readonly folder: string;
  /** Commits are not flushed. */
  readonly isEphemeral: boolean;
  readonly barrier: WriterBarrier;
}

export class Environment {
  readonly folder: string;
  readonly #root: RootDatabase;
  readonly #reads = new Set<ReadTransaction>();
  readonly #groups = new GroupCommit((changes, concurrent) => this.#commitGroup(changes, concurrent));
  /** The latest transaction: earlier ones are committed before it. */
  #last: Promise<unknown> | undefined;
  #closing: Promise<void> | undefined;
  readonly #beforeClose: (() => Promise<void>)[] = [];
  /** Commits are not flushed. */
  readonly isEphemeral: boolean;
  readonly #inlineCommit = new InlineCommit();
  #expectsLongWrites = false;
  /** Transactions in lmdb's thread, or queued for it. */
  #underWay = 0;
  readonly #probe: WriteProbe;
  readonly #barrier: WriterBarrier;
  /** Groups that wait for the barrier. */
  #pausedGroups = 0;
  /** Deferred writes of the current transaction. */
  readonly #deferred: DeferredWrite[] = [];
  #transactions = 0;

  /** @internal */
  constructor(root: RootDatabase, { folder, isEphemeral, barrier }: Opened) {
    this.folder = folder;
    this.#root = root;
    this.isEphemeral = isEphemeral;
    this.#barrier = barrier;
    barrier.attachWriter(() => this.#underWay > 0);
    const probes = this.table<Buffer, string>('probe', { encoding: 'binary' });
    this.#probe = new WriteProbe(folder, async (value) => {
      await this.write(() => probes.put('last', Buffer.from(value)));
    });
  }

  /**
   * Writes a probe value, at most once a second.
   * @returns the free bytes of the folder's disk @throws ServiceError `unavailable`
   */
  probe(): Promise<number> {
    return this.#probe.run();
  }

  /** Opens a table, and creates it if it does not exist. @internal */
  table<V, K extends Key>(name: string, options: TableOptions<V>): Database<V, K> {
    this.#barrier.blockWhileOpening();
    return this.#root.openDB<V, K>(name, options);
  }

  /**
   * Runs a change in a write transaction, which is rolled back if the change throws. Resolves when the transaction is durable.
   * @throws the error of `change`; ServiceError `unavailable` if the transaction cannot be committed
   */
  async write<T>(change: () => T): Promise<T> {
    try {
      return await this.transact(change);
    } catch (error) {
      throw await writeError(error);
    }
  }

  /**
   * Runs a change in a transaction of its own. An ephemeral environment commits at once, unless {@link isPaused}.
   * @throws the error of the database or of `change`
   */
  transact<T>(change: () => T): MaybePromise<T> {
    this.assertOpen();
    return this.isPaused ? this.#afterPause(() => this.#commit(change)) : this.#commit(change);
  }

  /** Another process opens the folder: nothing is written until it has. */
  get isPaused(): boolean {
    return this.#barrier.isPaused;
  }

  #afterPause<T>(write: () => MaybePromise<T>): Promise<T> {
    const writing = this.#barrier.resumed().then(write);
    this.#last = writing;
    return writing;
  }

  #commit<T>(change: () => T): MaybePromise<T> {
    return this.isEphemeral ? this.#commitInline(change) : this.#commitInThread(change);
  }

  #commitInline<T>(change: () => T): T {
    return this.#root.transactionSync(() => this.#runChange(change));
  }

  /** Commits in lmdb's thread. The change itself runs in the main thread. */
  #commitInThread<T>(change: () => T): Promise<T> {
    this.#underWay += 1;
    const ended = () => {
      this.#underWay -= 1;
      this.#barrier.writeEnded();
      this.#groups.transactionEnded(1 + this.#underWay);
    };
    const writing = this.#root.childTransaction(() => this.#runChange(change));
    writing.then(ended, ended);
    this.#last = writing;
    return writing;
  }

  /** @param concurrent transactions that the group has waited for, or that were under way when its changes were asked for */
  #commitChanges(changes: readonly GroupedChange[], concurrent: number): MaybePromise<void> {
    if (this.isPaused) return this.#commitAfterPause(changes, concurrent);
    const applyAll = () => {
      for (const change of changes) change.apply();
    };
    if (this.isEphemeral || this.#expectsLongWrites) return this.#commit(applyAll);
    const from = elapsed();
    if (!this.#inlineCommit.isAllowed(changes.length + concurrent, from)) return this.#commit(applyAll);
    this.#commitInline(applyAll);
    this.#inlineCommit.record(from, elapsed());
  }

  /** Counts the group as waiting, so that later steps do not overtake it. */
  #commitAfterPause(changes: readonly GroupedChange[], concurrent: number): Promise<void> {
    this.#pausedGroups += 1;
    return this.#afterPause(() => {
      this.#pausedGroups -= 1;
      return this.#commitChanges(changes, concurrent);
    });
  }

  /** Turns inline commits off: the main thread would wait for long transactions of any process. */
  expectLongWrites(): void {
    this.#expectsLongWrites = true;
  }

  /** The number of transactions begun; within a transaction it identifies the current one. */
  get transactions(): number {
    return this.#transactions;
  }

  /** Adds a write to the end of the current transaction. */
  defer(write: DeferredWrite): void {
    this.#deferred.push(write);
  }

  #runChange<T>(change: () => T): T {
    this.#transactions += 1;
    try {
      const result = change();
      for (const deferred of this.#deferred) deferred.write();
      return result;
    } finally {
      for (const deferred of this.#deferred) deferred.reset();
      this.#deferred.length = 0;
    }
  }

  /** Adds a change to the next group commit: a transaction for each change of a login would cost more than the change. */
  writeGrouped(change: GroupedChange): void {
    this.#groups.add(change, this.#underWay);
  }

  /** Changes wait for a group commit. */
  get hasGrouped(): boolean {
    return this.#groups.hasChanges || this.#pausedGroups > 0;
  }

  #commitGroup(changes: readonly GroupedChange[], concurrent: number): void {
    try {
      this.assertOpen();
      const writing = this.#commitChanges(changes, Math.max(concurrent, this.#underWay));
      if (writing instanceof Promise) {
        const onError = (error: unknown) => failAll(changes, error);
        writing.then(() => endAll(changes), onError);
      } else endAll(changes);
    } catch (error) {
      failAll(changes, error);
    }
  }

  /** Begins a read transaction: a snapshot of all tables. @internal */
  read(): ReadTransaction {
    this.assertOpen();
    const read = new ReadTransaction(this.#root.useReadTransaction(), () => this.#reads.delete(read));
    this.#reads.add(read);
    return read;
  }

  /**
   * Copies a snapshot of all tables to a folder without a database. The folder must be private: LMDB leaves the file readable by others while it
   * writes. Resolves when the copy is durable.
   */
  async copy(folder: string): Promise<void> {
    this.assertOpen();
    const file = join(folder, dataFile);
    await this.#root.backup(folder, true);
    await makePrivate(file);
    await using copy = await openFile(file, 'r+');
    await copy.sync();
  }

  /** Makes later reads see all that other processes have committed. */
  refresh(): void {
    if (!this.#closing) this.#root.resetReadTxn();
  }

  /** Registers a task that runs before the tables are closed. */
  beforeClose(task: () => Promise<void>): void {
    this.#beforeClose.push(task);
  }

  /** @throws ServiceError `unavailable` after {@link close} */
  assertOpen(): void {
    if (this.#closing) throw closedError();
  }

  /** Ends reads, waits for writes that were asked for before, and closes all tables. */
  close(): Promise<void> {
    this.#groups.flush();
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const read of this.#reads) read.end(closedError());
    await Promise.all(this.#beforeClose.map((task) => task()));
    for (let last: Promise<unknown> | undefined; last !== this.#last; ) {
      last = this.#last;
      // Its caller gets the error.
      await last?.catch(() => {});
    }
    await this.#barrier.leave();
    try {
      await this.#root.close();
    } finally {
      this.#barrier.close();
    }
  }
}

function endAll(changes: readonly GroupedChange[]): void {
  for (const change of changes) change.committed();
}

async function failAll(changes: readonly GroupedChange[], error: unknown): Promise<void> {
  const reported = await writeError(error);
  for (const change of changes) change.failed(reported);
}
