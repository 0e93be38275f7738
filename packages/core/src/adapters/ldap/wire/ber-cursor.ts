/** Reads BER (X.690 §8.1, as RFC 4511 §5.1 limits it) element by element; no length reaches beyond its frame. */
import { ServiceError } from '../../../errors/errors.ts';

export class BerCursor {
  readonly #bytes: Buffer;
  readonly #end: number;
  #at: number;
  /** Where the contents of the element begin that was gone over last. */
  #start = 0;

  constructor(bytes: Buffer, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  /** False at the end. */
  get more(): boolean {
    return this.#at < this.#end;
  }

  /** Tag of the next element. @throws ServiceError `unavailable` at the end, as all the others */
  get tag(): number {
    const tag = this.more ? this.#bytes[this.#at] : undefined;
    if (tag === undefined) throw notLdap();
    return tag;
  }

  /** Goes over the next element, which has to have this tag, and reads inside it. */
  open(tag: number): BerCursor {
    const end = this.#next(tag);
    return new BerCursor(this.#bytes, this.#start, end);
  }

  bytes(tag: number): Buffer {
    const end = this.#next(tag);
    return this.#bytes.subarray(this.#start, end);
  }

  text(tag: number): string {
    const end = this.#next(tag);
    return this.#bytes.toString('utf8', this.#start, end);
  }

  /** At most 4 bytes, as everything that is a number in LDAP. */
  integer(tag = 0x02): number {
    const end = this.#next(tag);
    const size = end - this.#start;
    if (size === 0 || size > 4) throw notLdap();
    return this.#bytes.readIntBE(this.#start, size);
  }

  /** Goes over the next element. @returns where its contents end */
  #next(tag: number): number {
    const bytes = this.#bytes;
    const at = this.#at;
    const first = bytes[at + 1];
    if (at + 2 > this.#end || bytes[at] !== tag || first === undefined) throw notLdap();
    const size = first < 0x80 ? 0 : first & 0x7f;
    const start = at + 2 + size;
    if (first === 0x80 || size > 4 || start > this.#end) throw notLdap();
    const end = start + (size === 0 ? first : bytes.readUIntBE(at + 2, size));
    if (end > this.#end) throw notLdap();
    this.#start = start;
    this.#at = end;
    return end;
  }
}

export function notLdap(): ServiceError {
  return new ServiceError('unavailable', { detail: 'the server does not speak LDAP' });
}
