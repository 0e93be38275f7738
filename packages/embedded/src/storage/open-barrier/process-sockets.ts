/**
 * Sockets of the processes that share a data folder, as files in its folder `open`: one for each process that has the folder open or opens
 * it. A killed process leaves its file, at which no process listens.
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

const socketsFolder = 'open';

const named = /^(\d{1,10}-[0-9a-f]{12})\.open$/;
/** `open`: a published socket; `opening`: its process opens the folder; `new`: a socket before it is published. */
const endings = ['open', 'opening', 'new'] as const;

/** The longest path in bytes: the lowest limit of any system is 104. */
const longestAddress = 100;

export class ProcessSockets {
  readonly folder: string;
  readonly #path: string;
  /** A descriptor of the folder, for paths that are too long for a socket (Linux). */
  readonly #descriptor: number | undefined;
  /** Identifies this opening of the folder. */
  readonly ownId = `${pid}-${randomBytes(6).toString('hex')}`;

  /** @throws StartError if its path is too long; the error of the system if the folder cannot be created */
  constructor(folder: string) {
    this.folder = folder;
    this.#path = join(folder, socketsFolder);
    mkdirSync(this.#path, { recursive: true, mode: 0o700 });
    this.#giveToOwner(this.#path);
    if (Buffer.byteLength(this.addressOf(this.ownId)) <= longestAddress) return;
    if (process.platform !== 'linux')
      throw new StartError(
        `The path of the data folder ${folder} is too long for a socket in it: choose a shorter one.`,
      );
    this.#descriptor = openSync(this.#path, 'r');
  }

  /** The address to listen at before {@link publish}. */
  get draftAddress(): string {
    return this.#address(`${this.ownId}.new`);
  }

  /** Lets other processes find the socket, and see that this process opens the folder. */
  publish(): void {
    writeFileSync(this.#file(this.ownId, 'opening'), '', { mode: 0o600 });
    for (const ending of ['opening', 'new'] as const) this.#giveToOwner(this.#file(this.ownId, ending));
    renameSync(this.#file(this.ownId, 'new'), this.#file(this.ownId, 'open'));
  }

  /** Records that this process has opened the folder. */
  opened(): void {
    unlinkSync(this.#file(this.ownId, 'opening'));
  }

  /** Ids of the other processes that have the folder open or open it. */
  otherIds(): string[] {
    const ids = readdirSync(this.#path).map((name) => named.exec(name)?.[1]);
    return ids.filter((id) => id !== undefined && id !== this.ownId) as string[];
  }

  isOpening(id: string): boolean {
    return existsSync(this.#file(id, 'opening'));
  }

  addressOf(id: string): string {
    return this.#address(`${id}.open`);
  }

  /** Removes the files of a process that does not listen. */
  remove(id: string): void {
    for (const ending of endings)
      try {
        unlinkSync(this.#file(id, ending));
      } catch {
        // Another process has removed it.
      }
  }

  /** Returns whether the folder of the sockets exists. */
  static existIn(folder: string): boolean {
    return existsSync(join(folder, socketsFolder));
  }

  /** Closes the descriptor, and removes nothing. */
  release(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }

  close(): void {
    this.remove(this.ownId);
    this.release();
    try {
      rmdirSync(this.#path);
    } catch {
      // Other processes have sockets in it.
    }
  }

  /** Gives a file of a command that root runs to the owner of the folder, so that it shuts out no server. */
  #giveToOwner(path: string): void {
    if (process.getuid?.() !== 0) return;
    const { uid, gid } = statSync(this.folder);
    chownSync(path, uid, gid);
  }

  #file(id: string, ending: (typeof endings)[number]): string {
    return join(this.#path, `${id}.${ending}`);
  }

  #address(name: string): string {
    return this.#descriptor === undefined
      ? join(this.#path, name)
      : `/proc/self/fd/${this.#descriptor}/${name}`;
  }
}

export const isSocketId = (id: string): boolean => named.test(`${id}.open`);
