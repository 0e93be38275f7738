/** Framing: splits the bytes of a connection into LDAP messages, each a BER SEQUENCE (RFC 4511 §4.1.1). */
import { lengthIn, notLdap } from './ber-cursor.ts';

const sequence = 0x30;
/** The limit of a message in bytes, beyond which a server is faulty or hostile. */
const maxLength = 64 * 1024 * 1024;

export class Frames {
  /** The beginning of an incomplete message. */
  #chunks: Buffer[] = [];
  #size = 0;
  /** The length of that message, after its header. */
  #wanted: number | undefined;
  readonly #most: number;

  /** @param most bytes of a message */
  constructor(most = maxLength) {
    this.#most = most;
  }

  /** No bytes of the next message have arrived. */
  get empty(): boolean {
    return this.#size === 0;
  }

  /**
   * Adds bytes. @returns the complete messages, to be read at once: the buffer may be reused for the next bytes
   * @throws ServiceError `unavailable`
   */
  push(chunk: Buffer): Buffer[] {
    if (this.#size === 0) return this.#split(chunk);
    this.#chunks.push(Buffer.from(chunk));
    this.#size += chunk.length;
    if (this.#wanted !== undefined && this.#size < this.#wanted) return [];
    return this.#split(Buffer.concat(this.#chunks, this.#size));
  }

  #split(bytes: Buffer): Buffer[] {
    const complete: Buffer[] = [];
    let at = 0;
    let wanted: number | undefined;
    while (at < bytes.length) {
      wanted = frameLength(bytes, at, this.#most);
      if (wanted === undefined || at + wanted > bytes.length) break;
      complete.push(wanted === bytes.length ? bytes : bytes.subarray(at, at + wanted));
      at += wanted;
    }
    this.#size = bytes.length - at;
    this.#chunks = this.#size === 0 ? [] : [Buffer.from(bytes.subarray(at))];
    this.#wanted = this.#size === 0 ? undefined : wanted;
    return complete;
  }
}

/** Returns the length of the frame at a position, header included (X.690 §8.1.3); undefined if its header is incomplete. */
function frameLength(bytes: Buffer, at: number, most: number): number | undefined {
  const first = bytes[at + 1];
  if (first === undefined) return undefined;
  const size = first < 0x80 ? 0 : first & 0x7f;
  if (bytes[at] !== sequence || first === 0x80 || size > 4) throw notLdap();
  if (bytes.length < at + 2 + size) return undefined;
  const length = 2 + size + (size === 0 ? first : lengthIn(bytes, at + 2, size));
  if (length > most) throw notLdap();
  return length;
}
