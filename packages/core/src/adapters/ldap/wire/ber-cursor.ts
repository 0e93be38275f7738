/** Reads BER (X.690 §8.1, as RFC 4511 §5.1 limits it) element by element; no length reaches beyond its frame. */
import { ServiceError } from '../../../errors/errors.ts';
import { type AttributeValue, valueOf } from '../../../text/value.ts';

export class BerCursor {
  readonly #bytes: Buffer;
  #end: number;
  #at: number;
  /** Where the contents of the element begin that was gone over last. */
  #start: number;

  constructor(bytes: Buffer, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    this.#start = start;
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

  /**
   * Goes into the next element, which has to have this tag: until {@link leave}, all that is read is inside of it.
   * @returns what {@link leave} is to be given
   */
  enter(tag: number): number {
    const around = this.#end;
    this.#end = this.#next(tag);
    this.#at = this.#start;
    return around;
  }

  /** Goes behind the element that was entered last, whether all of it was read or not. */
  leave(around: number): void {
    this.#at = this.#end;
    this.#end = around;
  }

  /** Goes over the next element, which has to have this tag; for who reads inside of it later. */
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

  /** Text if it is UTF-8, else bytes. What is not UTF-8 is read with a replacement character in it, which text seldom has. */
  value(tag: number): AttributeValue {
    const end = this.#next(tag);
    const text = this.#bytes.toString('utf8', this.#start, end);
    return text.includes('\ufffd') ? valueOf(this.#bytes.subarray(this.#start, end)) : text;
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
