/**
 * A request of a server of our own. Nearly all bodies come in one piece, with the headers; such a piece is kept as it came: to
 * pass it through the stream that a request is costs as much as all else that is done to read it. Whatever comes otherwise does.
 */
import { IncomingMessage } from 'node:http';

export class DirectMessage extends IncomingMessage {
  /** Whether its body came in one piece, and is no stream. */
  #isWhole = false;
  #whole: Uint8Array | undefined;

  /** The body, once. Undefined: it is to be read as a stream. */
  takeWhole(): Uint8Array | undefined {
    const whole = this.#whole;
    this.#whole = undefined;
    return whole;
  }

  /** Called by node:http, with what has come and with `null` at the end. */
  override push(piece: Uint8Array | null, encoding?: BufferEncoding): boolean {
    if (this.#isWhole) return true;
    if (piece === null || !this.#isAll(piece)) return super.push(piece, encoding);
    this.#isWhole = true;
    this.#whole = piece;
    return true;
  }

  /** Nobody has begun to read, and no more will come than was announced. */
  #isAll({ length }: Uint8Array): boolean {
    return this.readableFlowing === null && this.headers['content-length'] === String(length);
  }

  /** A stream without data has nothing to run dry. */
  override resume(): this {
    return this.#isWhole ? this : super.resume();
  }

  static {
    // So node:http lets go of it when it is answered. The types of Node have it as a field, which no accessor may stand for.
    Object.defineProperty(DirectMessage.prototype, 'readableEnded', {
      get(this: DirectMessage): boolean {
        return this.#isWhole || Reflect.get(IncomingMessage.prototype, 'readableEnded', this);
      },
    });
  }
}
