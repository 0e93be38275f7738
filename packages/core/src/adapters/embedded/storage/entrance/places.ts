/**
 * Where processes that share a folder find each other: a socket for each that has it open or is about to, as a file in `open`. Of a process
 * that is killed the file stays, and nobody listens at it.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { pid } from 'node:process';

/** Of what LMDB's folder holds. */
export const placesFolder = 'open';

type State = 'opening' | 'open';
const named = /^(\d{1,10}-[0-9a-f]{12})\.(?:opening|open)$/;

/** Bytes of a path; sockets take 104 where they take fewest. */
const longestAddress = 100;

export class Places {
  readonly #folder: string;
  /** Sockets have short paths only: of a long one Linux is given the folder by its number. */
  readonly #number: number | undefined;
  /** Tells this opening of the folder from all others. */
  readonly own = `${pid}-${randomBytes(6).toString('hex')}`;

  /** @throws what the system says if the folder cannot be made */
  constructor(folder: string) {
    this.#folder = join(folder, placesFolder);
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const isLong = Buffer.byteLength(this.#path(this.own, 'opening')) > longestAddress;
    if (isLong && process.platform === 'linux') this.#number = openSync(this.#folder, 'r');
  }

  /** Where to listen before anybody is to find it. */
  get draft(): string {
    return this.#address(`${this.own}.new`);
  }

  /** It is listened there: from now on others find it. */
  show(): void {
    renameSync(join(this.#folder, `${this.own}.new`), this.#path(this.own, 'opening'));
  }

  /** The folder has been opened. */
  opened(): void {
    renameSync(this.#path(this.own, 'opening'), this.#path(this.own, 'open'));
  }

  /** All that have the folder open or are about to, but for this one. */
  others(): string[] {
    const ids = readdirSync(this.#folder).map((name) => named.exec(name)?.[1]);
    return ids.filter((id) => id !== undefined && id !== this.own) as string[];
  }

  isOpening(id: string): boolean {
    return existsSync(this.#path(id, 'opening'));
  }

  addressOf(id: string): string {
    return this.#address(`${id}.${this.isOpening(id) ? 'opening' : 'open'}`);
  }

  /** Nobody listens there. */
  remove(id: string): void {
    for (const state of ['opening', 'open'] as const)
      try {
        unlinkSync(this.#path(id, state));
      } catch {
        // It has another state, or somebody else has removed it.
      }
  }

  close(): void {
    this.remove(this.own);
    if (this.#number !== undefined) closeSync(this.#number);
    try {
      rmdirSync(this.#folder);
    } catch {
      // Others are there.
    }
  }

  #path(id: string, state: State): string {
    return join(this.#folder, `${id}.${state}`);
  }

  #address(name: string): string {
    return this.#number === undefined ? join(this.#folder, name) : `/proc/self/fd/${this.#number}/${name}`;
  }
}

/** @returns whether it can be the name of one that opens */
export const isPlace = (id: string): boolean => named.test(`${id}.open`);
