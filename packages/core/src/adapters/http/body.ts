/** Request bodies with a limit: counted while they arrive, so that nobody fills the memory. */
import { ServiceError, tooLarge } from '../../errors/errors.ts';

/** Long enough for a slow line, short enough that held requests do not pile up. */
const bodyTimeoutMs = 30_000;

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
  const length = announcedLength(request);
  if (length !== undefined && length > limit) throw tooLarge(limit);
  const late = new Deadline(timeoutMs);
  try {
    return await Promise.race([
      late.passed,
      length === undefined ? collect(request.body, limit) : whole(request, limit),
    ]);
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError('invalid_request', { detail: 'the body broke off', cause });
  } finally {
    late.clear();
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

function announcedLength(request: Request): number | undefined {
  const header = request.headers.get('content-length');
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

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
      const late = () =>
        reject(new ServiceError('invalid_request', { detail: 'the body did not arrive in time' }));
      this.#timer = setTimeout(late, milliseconds);
    });
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
