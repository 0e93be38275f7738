/** Reading of request bodies from node:http, with a limit, and a single timer for all. */
import type { IncomingMessage } from 'node:http';
import { elapsed, type MaybePromise, type ServiceError, tooLarge } from '@watchword/core/foundation';
import { announcedLength, bodyTimeout, bodyTimeoutMs, truncatedBody } from '../body.ts';
import { DirectMessage } from './direct-message.ts';

interface PendingBody {
  /** Milliseconds of {@link elapsed}. */
  readonly deadline: number;
  fail(error: ServiceError): void;
}

const noBytes = new Uint8Array();

function bounded(body: Uint8Array, limit: number): Uint8Array {
  if (body.length > limit) throw tooLarge(limit);
  return body;
}

export class BodyReader {
  /** Pending bodies, in the order of their deadlines. */
  readonly #pending = new Map<IncomingMessage, PendingBody>();
  readonly #timeout: number;
  #timer: NodeJS.Timeout | undefined;

  /** @param timeout milliseconds of a whole body */
  constructor(timeout = bodyTimeoutMs) {
    this.#timeout = timeout;
  }

  /**
   * Reads a body, synchronously if it has arrived with the headers, as is usual. The rest of one that is too long is left unread.
   * @param limit in bytes
   * @throws ServiceError `too_large`; `invalid_request` if the body ends early or does not arrive in time
   */
  read(incoming: IncomingMessage, limit: number): MaybePromise<Uint8Array> {
    const whole = incoming instanceof DirectMessage ? incoming.takeBody() : undefined;
    if (whole) return bounded(whole, limit);
    const length = announcedLength(incoming.headers['content-length']);
    if (length !== undefined && length > limit) throw tooLarge(limit);
    const hasArrived = length === undefined ? incoming.complete : incoming.readableLength >= length;
    if (!hasArrived) return this.#collect(incoming, limit);
    // Without a length, Node 26 reads the first piece only.
    return bounded(incoming.read(incoming.readableLength) ?? noBytes, limit);
  }

  #collect(incoming: IncomingMessage, limit: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    return new Promise<Uint8Array>((resolve, reject) => {
      const onEnd = () => leave(() => resolve(Buffer.concat(chunks, size)));
      const onLost = (cause?: unknown) => leave(() => reject(truncatedBody(cause)));
      const fail = (error: ServiceError) => leave(() => reject(error));
      const onData = (chunk: Uint8Array) => {
        size += chunk.length;
        if (size > limit) fail(tooLarge(limit));
        else chunks.push(chunk);
      };
      const leave = (settle: () => void) => {
        this.#pending.delete(incoming);
        incoming.off('data', onData).off('end', onEnd).off('error', onLost).off('close', onLost).pause();
        settle();
      };
      this.#pending.set(incoming, { deadline: elapsed() + this.#timeout, fail });
      this.#timer ??= this.#startTimer(this.#timeout);
      incoming.on('data', onData).on('end', onEnd).on('error', onLost).on('close', onLost);
      if (incoming.destroyed) onLost();
    });
  }

  #startTimer(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#failOverdue(), milliseconds).unref();
  }

  #failOverdue(): void {
    this.#timer = undefined;
    for (const { deadline, fail } of this.#pending.values()) {
      const left = deadline - elapsed();
      if (left > 0) {
        this.#timer = this.#startTimer(left);
        return;
      }
      fail(bodyTimeout());
    }
  }
}
