/** Cuts the bytes of a connection into LDAP messages: each is one BER SEQUENCE, RFC 4511 §4.1.1. */
import { notLdap } from './ber-cursor.ts';

const sequence = 0x30;
/** A server that announces more than this is broken or hostile. */
const maxLength = 64 * 1024 * 1024;

export class Frames {
  #chunks: Buffer[] = [];
  #size = 0;
  /** Length of the frame that is coming, once its header is here. */
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

  /** Takes what arrived and gives the messages that are complete now. @throws ServiceError `unavailable` */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const complete: Buffer[] = [];
    for (let frame = this.#next(); frame; frame = this.#next()) complete.push(frame);
    return complete;
  }

  #next(): Buffer | undefined {
    this.#wanted ??= frameLength(this.#joined(), this.#most);
    if (this.#wanted === undefined || this.#size < this.#wanted) return undefined;
    const bytes = this.#joined();
    const frame = bytes.subarray(0, this.#wanted);
    const rest = bytes.subarray(this.#wanted);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#size = rest.length;
    this.#wanted = undefined;
    return frame;
  }

  #joined(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks, this.#size)];
    return this.#chunks[0] ?? Buffer.alloc(0);
  }
}

/** Length of the first frame with its header, X.690 §8.1.3; undefined if too little is here to tell. */
function frameLength(bytes: Buffer, most: number): number | undefined {
  const first = bytes[1];
  if (first === undefined) return undefined;
  const size = first < 0x80 ? 0 : first & 0x7f;
  if (bytes[0] !== sequence || first === 0x80 || size > 4) throw notLdap();
  if (bytes.length < 2 + size) return undefined;
  const length = 2 + size + (size === 0 ? first : bytes.readUIntBE(2, size));
  if (length > most) throw notLdap();
  return length;
}
