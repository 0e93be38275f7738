/** Reading of request bodies with a limit and a timeout. */
import { ServiceError, tooLarge } from '@watchword/core/foundation';

/** Long enough for a slow connection, short enough to limit pending requests. */
export const bodyTimeoutMs = 30_000;

/**
 * Reads the body of a request. The rest of a body that is too long is left to the listener, which discards it or closes the connection after
 * the answer.
 * @param limit in bytes
 * @param timeoutMs of the whole body, in milliseconds
 * @throws ServiceError `too_large`; `invalid_request` if the body ends early or does not arrive in time
 */
export async function readBody(
  request: Request,
  limit: number,
  timeoutMs = bodyTimeoutMs,
): Promise<Uint8Array<ArrayBuffer>> {
  const length = announcedLength(request.headers.get('content-length'));
  if (length !== undefined && length > limit) throw tooLarge(limit);
  const deadline = new BodyDeadline(timeoutMs);
  try {
    return await Promise.race([
      deadline.reached,
      length === undefined ? collect(request.body, limit) : readAtOnce(request, limit),
    ]);
  } catch (cause) {
    throw cause instanceof ServiceError ? cause : truncatedBody(cause);
  } finally {
    deadline.clear();
  }
}

/** Reads a body with a Content-Length, which the HTTP parser enforces (RFC 9112 §6.3). Does not use `body`, which would create a stream. */
async function readAtOnce(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const body = new Uint8Array(await request.arrayBuffer());
  if (body.length > limit) throw tooLarge(limit); // a constructed Request with a smaller header
  return body;
}

/** Parses a `Content-Length`. */
export const announcedLength = (header: string | null | undefined): number | undefined =>
  header && /^\d{1,15}$/.test(header) ? Number(header) : undefined;

export const truncatedBody = (cause: unknown): ServiceError =>
  new ServiceError('invalid_request', { detail: 'the body broke off', cause });

export const bodyTimeout = (): ServiceError =>
  new ServiceError('invalid_request', { detail: 'the body did not arrive in time' });

/** Collects a stream without cancelling it, which would close the connection before the answer. */
async function collect(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!body) return new Uint8Array();
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(Buffer.concat(chunks, size));
    size += value.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(value);
  }
}

class BodyDeadline {
  readonly reached: Promise<never>;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.reached = new Promise((_, reject) => {
      this.#timer = setTimeout(() => reject(bodyTimeout()), milliseconds);
    });
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
