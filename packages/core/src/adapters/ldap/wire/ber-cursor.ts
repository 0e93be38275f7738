/** Reads BER (X.690 §8.1, as RFC 4511 §5.1 limits it) element by element; no length reaches beyond its frame. */
import { ServiceError } from '../../../errors/errors.ts';

export class BerCursor {
  readonly #bytes: Buffer;
  readonly #end: number;
  #at: number;

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
    return this.#byteAt(this.#at);
  }

  /** Goes over the next element, which has to have this tag, and reads inside it. */
  open(tag: number): BerCursor {
    const [start, end] = this.#next(tag);
    return new BerCursor(this.#bytes, start, end);
  }

  bytes(tag: number): Buffer {
    const [start, end] = this.#next(tag);
    return this.#bytes.subarray(start, end);
  }

  text(tag: number): string {
    const [start, end] = this.#next(tag);
    return this.#bytes.toString('utf8', start, end);
  }

  /** At most 4 bytes, as everything that is a number in LDAP. */
  integer(tag = 0x02): number {
    const [start, end] = this.#next(tag);
    if (end === start || end - start > 4) throw notLdap();
    return this.#bytes.readIntBE(start, end - start);
  }

  /** Where the contents of the next element begin and end. */
  #next(tag: number): readonly [start: number, end: number] {
    if (this.tag !== tag) throw notLdap();
    const first = this.#byteAt(this.#at + 1);
    const size = first < 0x80 ? 0 : first & 0x7f;
    const start = this.#at + 2 + size;
    if (first === 0x80 || size > 4 || start > this.#end) throw notLdap();
    const end = start + (size === 0 ? first : this.#bytes.readUIntBE(this.#at + 2, size));
    if (end > this.#end) throw notLdap();
    this.#at = end;
    return [start, end];
  }

  #byteAt(index: number): number {
    const byte = index < this.#end ? this.#bytes[index] : undefined;
    if (byte === undefined) throw notLdap();
    return byte;
  }
}

export function notLdap(): ServiceError {
  return new ServiceError('unavailable', { detail: 'the server does not speak LDAP' });
}
