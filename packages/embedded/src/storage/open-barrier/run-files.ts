/**
 * Files that name the last run of the servers on a data folder, beside its database: `run-ID`, and `run-ID.new` while a run begins. A copy
 * that is written over the database does not remove the file of the newer run.
 */
import { closeSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from './sync-folder.ts';

const named = /^run-([0-9a-f]{32})(\.new)?$/;

export class RunFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Compares the run that is recorded in the database with the files. */
  stateOf(run: string): 'newest' | 'older' | 'unnamed' {
    const names = this.#names();
    // The process ended between begin and keepOnly.
    if (names.includes(draftOf(run))) return 'newest';
    const runs = names.filter((name) => !name.endsWith('.new'));
    if (runs.length === 0) return 'unnamed';
    return runs.every((name) => name === nameOf(run)) ? 'newest' : 'older';
  }

  /** Creates the file of a run before the database records it. Durable when it returns; follows no link. */
  begin(run: string): void {
    closeSync(openSync(join(this.#folder, draftOf(run)), 'wx', 0o600));
    syncFolder(this.#folder);
  }

  /** Removes the files of other runs after the database has recorded this one. */
  keepOnly(run: string): void {
    const others = this.#names().filter((name) => name !== draftOf(run) && name !== nameOf(run));
    for (const name of others) rmSync(join(this.#folder, name), { force: true });
    // Keeps the order across a power failure.
    syncFolder(this.#folder);
    renameSync(join(this.#folder, draftOf(run)), join(this.#folder, nameOf(run)));
  }

  #names(): readonly string[] {
    return readdirSync(this.#folder).filter((name) => named.test(name));
  }
}

const nameOf = (run: string): string => `run-${run}`;
const draftOf = (run: string): string => `run-${run}.new`;
