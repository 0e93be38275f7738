/** The data types of the SSH protocol (RFC 4251 §5): what public keys are written in. */

/** A `string`: its length in four octets, and its octets. */
export function wireString(value: string | Uint8Array): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'latin1') : Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** An `mpint`: no zeros in front, but one where it would look negative. @param magnitude the number, big-endian */
export function wireNumber(magnitude: Uint8Array): Buffer {
  let from = 0;
  while (from < magnitude.length && magnitude[from] === 0) from += 1;
  const bytes = Buffer.from(magnitude.subarray(from));
  const isHigh = ((bytes[0] ?? 0) & 0x80) !== 0;
  return wireString(isHigh ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes);
}

/** Reads one after the other. */
export class WireReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes);
  }

  /** The next `string`; undefined: there is none, or it is cut off. */
  string(): Buffer | undefined {
    const { length } = this.#bytes;
    if (this.#at + 4 > length) return undefined;
    const begin = this.#at + 4;
    const end = begin + this.#bytes.readUInt32BE(this.#at);
    if (end > length) return undefined;
    this.#at = end;
    return this.#bytes.subarray(begin, end);
  }

  /** The next `mpint`, big-endian; undefined: there is none, it is negative, or not written as short as it is. */
  number(): Buffer | undefined {
    const bytes = this.string();
    if (!bytes || bytes.length === 0) return undefined;
    const [first = 0, second = 0] = bytes;
    if (first >= 0x80 || (first === 0 && second < 0x80)) return undefined;
    return first === 0 ? bytes.subarray(1) : bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }
}
