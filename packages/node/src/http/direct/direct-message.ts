/**
 * A request of our own server. A body that arrives in one piece with the headers is kept outside the stream, which costs as much as all other
 * reading.
 */
import { IncomingMessage } from 'node:http';

export class DirectMessage extends IncomingMessage {
  /** The body arrived in one piece, and is not in the stream. */
  #isWhole = false;
  #whole: Uint8Array | undefined;

  /** Takes the body, once; undefined: read the stream. */
  takeBody(): Uint8Array | undefined {
    const whole = this.#whole;
    this.#whole = undefined;
    return whole;
  }

  /** Called by node:http for each piece, and with `null` at the end. */
  override push(piece: Uint8Array | null, encoding?: BufferEncoding): boolean {
    if (this.#isWhole) return true;
    if (piece === null || !this.#isAll(piece)) return super.push(piece, encoding);
    this.#isWhole = true;
    this.#whole = piece;
    return true;
  }

  /** Returns whether a piece is the whole body, before any read. */
  #isAll({ length }: Uint8Array): boolean {
    return this.readableFlowing === null && this.headers['content-length'] === String(length);
  }

  /** Does nothing for a body outside the stream. */
  override resume(): this {
    return this.#isWhole ? this : super.resume();
  }

  static {
    // Makes node:http release the request after the answer. Node's types have a field, which an accessor cannot override.
    Object.defineProperty(DirectMessage.prototype, 'readableEnded', {
      get(this: DirectMessage): boolean {
        return this.#isWhole || Reflect.get(IncomingMessage.prototype, 'readableEnded', this);
      },
    });
  }
}
