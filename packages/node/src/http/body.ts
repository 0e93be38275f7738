/** Request bodies with a limit: counted while they arrive, so that nobody fills the memory. */
import { ServiceError, tooLarge } from '@watchword/core/foundation';

/** Long enough for a slow line, short enough that held requests do not pile up. */
export const bodyTimeoutMs = 30_000;

/**
 * The body of a request. Of one that is too long, the rest is left unread; the listener lets it run dry or
 * cuts the connection after it has answered.
 * @param limit in bytes
 * @param timeoutMs for the whole body, in milliseconds
 * @throws ServiceError `too_large`; `invalid_request` if the body ends early or does not arrive in time
 */
export async function readBody(
  request: Request,
  limit: number,
  timeoutMs = bodyTimeoutMs,
): Promise<Uint8Array<ArrayBuffer>> {
  const length = announcedLength(request.headers.get('content-length'));
  if (length !== undefined && length > limit) throw tooLarge(limit);
  const deadline = new Deadline(timeoutMs);
  try {
    return await Promise.race([
      deadline.passed,
      length === undefined ? collect(request.body, limit) : whole(request, limit),
    ]);
  } catch (cause) {
    throw cause instanceof ServiceError ? cause : brokeOff(cause);
  } finally {
    deadline.clear();
  }
}

/**
 * With a Content-Length the HTTP parser keeps the body to it (RFC 9112 §6.3), and it is read in one go. The
 * property `body` is not looked at: for that, the server would have to make a stream of it.
 */
async function whole(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const body = new Uint8Array(await request.arrayBuffer());
  if (body.length > limit) throw tooLarge(limit); // a Request made by hand, whose header says less
  return body;
}

/** @param header `Content-Length` */
export const announcedLength = (header: string | null | undefined): number | undefined =>
  header && /^\d{1,15}$/.test(header) ? Number(header) : undefined;

export const brokeOff = (cause: unknown): ServiceError =>
  new ServiceError('invalid_request', { detail: 'the body broke off', cause });

export const late = (): ServiceError =>
  new ServiceError('invalid_request', { detail: 'the body did not arrive in time' });

/** The stream is not cancelled: that would cut the connection before the answer. */
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

class Deadline {
  readonly passed: Promise<never>;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.passed = new Promise((_, reject) => {
      this.#timer = setTimeout(() => reject(late()), milliseconds);
    });
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
