/** Cuts the bytes of a connection into LDAP messages: each is one BER SEQUENCE, RFC 4511 §4.1.1. */
import { lengthIn, notLdap } from './ber-cursor.ts';

const sequence = 0x30;
/** A server that announces more than this is broken or hostile. */
const maxLength = 64 * 1024 * 1024;

export class Frames {
  /** Of a message that is not whole yet. */
  #chunks: Buffer[] = [];
  #size = 0;
  /** Its length, once its header is here. */
  #wanted: number | undefined;
  readonly #most: number;

  /** @param most length of a message, in bytes, from whoever is at the other end */
  constructor(most = maxLength) {
    this.#most = most;
  }

  /** True between two messages: nothing has arrived that belongs to the next one. */
  get empty(): boolean {
    return this.#size === 0;
  }

  /**
   * Takes what arrived and gives the messages that are complete now. They are to be read at once: the next bytes may arrive in the
   * place of these.
   * @throws ServiceError `unavailable`
   */
  push(chunk: Buffer): Buffer[] {
    if (this.#size === 0) return this.#cut(chunk);
    this.#chunks.push(Buffer.from(chunk));
    this.#size += chunk.length;
    if (this.#wanted !== undefined && this.#size < this.#wanted) return [];
    return this.#cut(Buffer.concat(this.#chunks, this.#size));
  }

  /** Nearly always it is one message, and whole. */
  #cut(bytes: Buffer): Buffer[] {
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

/** Length of the frame that begins there with its header, X.690 §8.1.3; undefined if too little is here to tell. */
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
