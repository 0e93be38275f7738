/**
 * A probe of whether a database can be written: a full disk still allows reads. Results are shared for a second, because any client may ask
 * as often as it likes.
 */
import { statfs } from 'node:fs/promises';

const validMilliseconds = 1000;

/**
 * The size of a probe in bytes, more than a login writes. LMDB reuses the pages of the last probe, so this space is reserved. The probe is the
 * first write to fail when it is used up.
 */
const probeLength = 65_536;

export class WriteProbe {
  readonly #write: (value: Uint8Array) => Promise<void>;
  readonly #folder: string;
  /** The write of the last second. */
  #last: Promise<void> | undefined;

  /** @param write replaces the value of the last probe */
  constructor(folder: string, write: (value: Uint8Array) => Promise<void>) {
    this.#folder = folder;
    this.#write = write;
  }

  /** @returns the free bytes of the folder's disk @throws the error of the write */
  async run(): Promise<number> {
    await this.#writeOncePerSecond();
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize;
  }

  #writeOncePerSecond(): Promise<void> {
    if (this.#last) return this.#last;
    this.#last = this.#write(Buffer.alloc(probeLength));
    setTimeout(() => {
      this.#last = undefined;
    }, validMilliseconds).unref();
    return this.#last;
  }
}
