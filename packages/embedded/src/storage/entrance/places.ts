/**
 * Where processes that share a folder find each other: a socket for each that has it open or is about to, as a file in `open`. Of a process
 * that is killed the file stays, and nobody listens at it.
 */
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pid } from 'node:process';
import { StartError } from '@watchword/core/foundation';

/** Of what LMDB's folder holds. */
const placesFolder = 'open';

const named = /^(\d{1,10}-[0-9a-f]{12})\.open$/;
/** The socket; that its process is about to open the folder; the socket before it is shown. */
const endings = ['open', 'opening', 'new'] as const;

/** Bytes of a path; sockets take 104 where they take fewest. */
const longestAddress = 100;

export class Places {
  readonly folder: string;
  readonly #path: string;
  /** Sockets have short paths only: of a long one Linux is given the folder by its number. */
  readonly #number: number | undefined;
  /** Tells this opening of the folder from all others. */
  readonly own = `${pid}-${randomBytes(6).toString('hex')}`;

  /** @throws StartError if its path is too long; what the system says if the folder cannot be made */
  constructor(folder: string) {
    this.folder = folder;
    this.#path = join(folder, placesFolder);
    mkdirSync(this.#path, { recursive: true, mode: 0o700 });
    this.#giveToOwner(this.#path);
    if (Buffer.byteLength(this.addressOf(this.own)) <= longestAddress) return;
    if (process.platform !== 'linux')
      throw new StartError(
        `The path of the data folder ${folder} is too long for a socket in it: choose a shorter one.`,
      );
    this.#number = openSync(this.#path, 'r');
  }

  /** Where to listen before anybody is to find it. */
  get draft(): string {
    return this.#address(`${this.own}.new`);
  }

  /** It is listened there: from now on others find it, and that it opens the folder. */
  show(): void {
    writeFileSync(this.#file(this.own, 'opening'), '', { mode: 0o600 });
    for (const ending of ['opening', 'new'] as const) this.#giveToOwner(this.#file(this.own, ending));
    renameSync(this.#file(this.own, 'new'), this.#file(this.own, 'open'));
  }

  /** The folder has been opened. */
  opened(): void {
    unlinkSync(this.#file(this.own, 'opening'));
  }

  /** All that have the folder open or are about to, but for this one. */
  others(): string[] {
    const ids = readdirSync(this.#path).map((name) => named.exec(name)?.[1]);
    return ids.filter((id) => id !== undefined && id !== this.own) as string[];
  }

  isOpening(id: string): boolean {
    return existsSync(this.#file(id, 'opening'));
  }

  addressOf(id: string): string {
    return this.#address(`${id}.open`);
  }

  /** Nobody listens there. */
  remove(id: string): void {
    for (const ending of endings)
      try {
        unlinkSync(this.#file(id, ending));
      } catch {
        // It is not there, or somebody else has removed it.
      }
  }

  /** Returns whether a folder has, or had, processes in it. */
  static areIn(folder: string): boolean {
    return existsSync(join(folder, placesFolder));
  }

  /** Closes what was looked at only. */
  release(): void {
    if (this.#number !== undefined) closeSync(this.#number);
  }

  close(): void {
    this.remove(this.own);
    this.release();
    try {
      rmdirSync(this.#path);
    } catch {
      // Others are there.
    }
  }

  /** A command that root gives beside the servers shuts out none of them, even if it is killed. */
  #giveToOwner(path: string): void {
    if (process.getuid?.() !== 0) return;
    const { uid, gid } = statSync(this.folder);
    chownSync(path, uid, gid);
  }

  #file(id: string, ending: (typeof endings)[number]): string {
    return join(this.#path, `${id}.${ending}`);
  }

  #address(name: string): string {
    return this.#number === undefined ? join(this.#path, name) : `/proc/self/fd/${this.#number}/${name}`;
  }
}

/** @returns whether it can be the name of one that opens */
export const isPlace = (id: string): boolean => named.test(`${id}.open`);
