/** Bodies of requests, read from node:http: bounded while they arrive, and all of them watched by one timer. */
import type { IncomingMessage } from 'node:http';
import { elapsed, type ServiceError, type Soon, tooLarge } from '@watchword/core/foundation';
import { announcedLength, bodyTimeoutMs, brokeOff, late } from '../body.ts';
import { DirectMessage } from './direct-message.ts';

interface Waiting {
  /** Milliseconds of {@link elapsed}. */
  readonly deadline: number;
  fail(error: ServiceError): void;
}

const nothing = new Uint8Array();

function bounded(body: Uint8Array, limit: number): Uint8Array {
  if (body.length > limit) throw tooLarge(limit);
  return body;
}

export class Bodies {
  /** In the order of their deadlines: all have as long. */
  readonly #waiting = new Map<IncomingMessage, Waiting>();
  readonly #timeout: number;
  #watch: NodeJS.Timeout | undefined;

  /** @param timeout for a whole body, in milliseconds */
  constructor(timeout = bodyTimeoutMs) {
    this.#timeout = timeout;
  }

  /**
   * At once where it has come with the headers, as nearly all do. Of one that is too long, the rest is left unread.
   * @param limit in bytes
   * @throws ServiceError `too_large`; `invalid_request` if the body ends early or does not arrive in time
   */
  read(incoming: IncomingMessage, limit: number): Soon<Uint8Array> {
    const whole = incoming instanceof DirectMessage ? incoming.takeWhole() : undefined;
    if (whole) return bounded(whole, limit);
    const length = announcedLength(incoming.headers['content-length']);
    if (length !== undefined && length > limit) throw tooLarge(limit);
    const isHere = length === undefined ? incoming.complete : incoming.readableLength >= length;
    if (!isHere) return this.#collect(incoming, limit);
    // Without a length, Node 26 reads the first piece only.
    return bounded(incoming.read(incoming.readableLength) ?? nothing, limit);
  }

  #collect(incoming: IncomingMessage, limit: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    return new Promise<Uint8Array>((resolve, reject) => {
      const end = () => leave(() => resolve(Buffer.concat(chunks, size)));
      const gone = (cause?: unknown) => leave(() => reject(brokeOff(cause)));
      const fail = (error: ServiceError) => leave(() => reject(error));
      const take = (chunk: Uint8Array) => {
        size += chunk.length;
        if (size > limit) fail(tooLarge(limit));
        else chunks.push(chunk);
      };
      const leave = (settle: () => void) => {
        this.#waiting.delete(incoming);
        incoming.off('data', take).off('end', end).off('error', gone).off('close', gone).pause();
        settle();
      };
      this.#waiting.set(incoming, { deadline: elapsed() + this.#timeout, fail });
      this.#watch ??= this.#watchFor(this.#timeout);
      incoming.on('data', take).on('end', end).on('error', gone).on('close', gone);
      if (incoming.destroyed) gone();
    });
  }

  #watchFor(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#giveUpLate(), milliseconds).unref();
  }

  #giveUpLate(): void {
    this.#watch = undefined;
    for (const { deadline, fail } of this.#waiting.values()) {
      const left = deadline - elapsed();
      if (left > 0) {
        this.#watch = this.#watchFor(left);
        return;
      }
      fail(late());
    }
  }
}
