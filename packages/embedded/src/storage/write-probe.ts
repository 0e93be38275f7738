/**
 * Whether a database can still be written, found out by writing: a disk that is full lets everybody read. Anybody may
 * ask, as often as they like, so it is written at most once a second, for all who ask.
 */
import { statfs } from 'node:fs/promises';

const lasting = 1000;

/**
 * In bytes: more than a login writes. LMDB uses the pages of one probe again for the next, so this much is set aside,
 * and when others have used it up the probe is the first to fail.
 */
const probeLength = 65_536;

export class WriteProbe {
  readonly #write: (value: Uint8Array) => Promise<void>;
  readonly #folder: string;
  /** What was written within the last second. */
  #last: Promise<void> | undefined;

  /** @param write stores a value, in the place of the one before */
  constructor(folder: string, write: (value: Uint8Array) => Promise<void>) {
    this.#folder = folder;
    this.#write = write;
  }

  /** @returns the bytes that are free where it writes @throws what writing throws */
  async look(): Promise<number> {
    await this.#lately();
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize;
  }

  #lately(): Promise<void> {
    if (this.#last) return this.#last;
    this.#last = this.#write(Buffer.alloc(probeLength));
    setTimeout(() => {
      this.#last = undefined;
    }, lasting).unref();
    return this.#last;
  }
}
