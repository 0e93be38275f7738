/**
 * Names of the run of the servers that worked in a data folder last, as files beside its database: `run-ID`, and `run-ID.new` while one begins. A
 * copy that is written over the database leaves the name of the newer run, whatever else is copied with it.
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

  /** Tells of a database whose last run is this one whether it is the newest that is named. */
  stateOf(run: string): 'newest' | 'older' | 'unnamed' {
    const names = this.#names();
    // The run began, and its process ended before the names of others were removed.
    if (names.includes(draftOf(run))) return 'newest';
    const runs = names.filter((name) => !name.endsWith('.new'));
    if (runs.length === 0) return 'unnamed';
    return runs.every((name) => name === nameOf(run)) ? 'newest' : 'older';
  }

  /** Names a run that is about to be noted in the database. On disk when it returns; no link is followed. */
  begin(run: string): void {
    closeSync(openSync(join(this.#folder, draftOf(run)), 'wx', 0o600));
    syncFolder(this.#folder);
  }

  /** Removes the names of other runs: this one is noted in the database. */
  keepOnly(run: string): void {
    const others = this.#names().filter((name) => name !== draftOf(run) && name !== nameOf(run));
    for (const name of others) rmSync(join(this.#folder, name), { force: true });
    // In this order at a power failure, too.
    syncFolder(this.#folder);
    renameSync(join(this.#folder, draftOf(run)), join(this.#folder, nameOf(run)));
  }

  #names(): readonly string[] {
    return readdirSync(this.#folder).filter((name) => named.test(name));
  }
}

const nameOf = (run: string): string => `run-${run}`;
const draftOf = (run: string): string => `run-${run}.new`;
