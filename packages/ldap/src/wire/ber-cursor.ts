/** Decoding of BER (X.690 §8.1, with the limits of RFC 4511 §5.1), element by element. */
import { type AttributeValue, ServiceError, valueOf } from '@watchword/core/foundation';

/** The limit in bytes of a message that is decoded to text once. The text of a longer one would be held by each of its values. */
const short = 2_048;

export class BerCursor {
  readonly #bytes: Buffer;
  readonly #isShort: boolean;
  /** A short message, one character for each byte. */
  #characters: string | undefined;
  #end: number;
  #at: number;
  /** The beginning of the contents of the last element. */
  #start: number;

  constructor(bytes: Buffer, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    this.#start = start;
    this.#isShort = start === 0 && end === bytes.length && end <= short;
  }

  /** Elements are left. */
  get more(): boolean {
    return this.#at < this.#end;
  }

  /** The tag of the next element. @throws ServiceError `unavailable` at the end, as all methods do */
  get tag(): number {
    const tag = this.more ? this.#bytes[this.#at] : undefined;
    if (tag === undefined) throw notLdap();
    return tag;
  }

  /** Enters the next element, which must have this tag, until {@link leave}. @returns the argument for {@link leave} */
  enter(tag: number): number {
    const outerEnd = this.#end;
    this.#end = this.#next(tag);
    this.#at = this.#start;
    return outerEnd;
  }

  /** Leaves the element that was entered last, and skips the rest of it. */
  leave(outerEnd: number): void {
    this.#at = this.#end;
    this.#end = outerEnd;
  }

  /** Skips the next element, which must have this tag. @returns a cursor over its contents, valid as long as the buffer */
  open(tag: number): BerCursor {
    const end = this.#next(tag);
    return new BerCursor(this.#bytes, this.#start, end);
  }

  /** Skips the next element, which must have this tag. */
  skip(tag: number): void {
    this.#next(tag);
  }

  /** Reads bytes. @returns a copy */
  bytes(tag: number): Buffer {
    return this.#copy(this.#next(tag));
  }

  text(tag: number): string {
    const end = this.#next(tag);
    return this.#ascii(end) ?? this.#bytes.toString('utf8', this.#start, end);
  }

  /** Reads text if it is UTF-8, else bytes. */
  value(tag: number): AttributeValue {
    const end = this.#next(tag);
    const ascii = this.#ascii(end);
    if (ascii !== undefined) return ascii;
    const text = this.#bytes.toString('utf8', this.#start, end);
    return text.includes('\ufffd') ? valueOf(this.#copy(end)) : text;
  }

  /** Copies the contents of the last element. */
  #copy(end: number): Buffer {
    const own = Buffer.allocUnsafe(end - this.#start);
    this.#bytes.copy(own, 0, this.#start, end);
    return own;
  }

  /** Returns the last element of a short message as text; undefined if it is not ASCII. */
  #ascii(end: number): string | undefined {
    if (!this.#isShort) return undefined;
    const bytes = this.#bytes;
    const start = this.#start;
    for (let at = start; at < end; at += 1) if ((bytes[at] as number) > 0x7f) return undefined;
    this.#characters ??= bytes.toString('latin1');
    return this.#characters.slice(start, end);
  }

  /** Reads an integer of at most 4 bytes, as all of LDAP. */
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

  /** Skips the next element. @returns the end of its contents */
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

/** Decodes a length of more than 127, X.690 §8.1.3.5. @param size bytes of the length, which must exist */
export function lengthIn(bytes: Uint8Array, from: number, size: number): number {
  let length = 0;
  for (let at = from; at < from + size; at += 1) length = length * 0x100 + (bytes[at] as number);
  return length;
}

export function notLdap(): ServiceError {
  return new ServiceError('unavailable', { detail: 'the server does not speak LDAP' });
}
