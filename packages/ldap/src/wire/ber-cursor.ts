/** Reads BER (X.690 §8.1, as RFC 4511 §5.1 limits it) element by element; no length reaches beyond its frame. */
import { type AttributeValue, ServiceError, valueOf } from '@watchword/core/foundation';

/**
 * Text of a message up to so many bytes is taken out of it at once: for each of its elements it would cost as much again. A longer
 * one would be kept by the least of its values.
 */
const short = 2_048;

export class BerCursor {
  readonly #bytes: Buffer;
  readonly #isShort: boolean;
  /** Of a short message, one for each byte. */
  #characters: string | undefined;
  #end: number;
  #at: number;
  /** Where the contents of the element begin that was gone over last. */
  #start: number;

  constructor(bytes: Buffer, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    this.#start = start;
    this.#isShort = start === 0 && end === bytes.length && end <= short;
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

  /** Goes over the next element, which has to have this tag; for who reads inside of it later, while the bytes are what they are. */
  open(tag: number): BerCursor {
    const end = this.#next(tag);
    return new BerCursor(this.#bytes, this.#start, end);
  }

  /** Goes over the next element, which has to have this tag. */
  skip(tag: number): void {
    this.#next(tag);
  }

  /** Its own, to keep. */
  bytes(tag: number): Buffer {
    return this.#copy(this.#next(tag));
  }

  text(tag: number): string {
    const end = this.#next(tag);
    return this.#ascii(end) ?? this.#bytes.toString('utf8', this.#start, end);
  }

  /** Text if it is UTF-8, else bytes. What is not UTF-8 is read with a replacement character in it, which text seldom has. */
  value(tag: number): AttributeValue {
    const end = this.#next(tag);
    const ascii = this.#ascii(end);
    if (ascii !== undefined) return ascii;
    const text = this.#bytes.toString('utf8', this.#start, end);
    return text.includes('\ufffd') ? valueOf(this.#copy(end)) : text;
  }

  /** Of the element that was gone over last. */
  #copy(end: number): Buffer {
    const own = Buffer.allocUnsafe(end - this.#start);
    this.#bytes.copy(own, 0, this.#start, end);
    return own;
  }

  /** Of the element that was gone over last, in a short message; undefined: there is more in it than ASCII. */
  #ascii(end: number): string | undefined {
    if (!this.#isShort) return undefined;
    const bytes = this.#bytes;
    const start = this.#start;
    for (let at = start; at < end; at += 1) if ((bytes[at] as number) > 0x7f) return undefined;
    this.#characters ??= bytes.toString('latin1');
    return this.#characters.slice(start, end);
  }

  /** At most 4 bytes, as everything that is a number in LDAP. */
  integer(tag = 0x02): number {
    const end = this.#next(tag);
    const start = this.#start;
    if (end === start || end - start > 4) throw notLdap();
    const bytes = this.#bytes;
    const first = bytes[start] as number;
    let value = first < 0x80 ? first : first - 0x100;
    for (let at = start + 1; at < end; at += 1) value = value * 0x100 + (bytes[at] as number);
    return value;
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
    const end = start + (size === 0 ? first : lengthIn(bytes, at + 2, size));
    if (end > this.#end) throw notLdap();
    this.#start = start;
    this.#at = end;
    return end;
  }
}

/** A length of more than 127, X.690 §8.1.3.5: so many bytes from there, which are here. */
export function lengthIn(bytes: Uint8Array, from: number, size: number): number {
  let length = 0;
  for (let at = from; at < from + size; at += 1) length = length * 0x100 + (bytes[at] as number);
  return length;
}

export function notLdap(): ServiceError {
  return new ServiceError('unavailable', { detail: 'the server does not speak LDAP' });
}
