/** One HTTP exchange: a body posted, a JSON value back, everything else an error with its reason. */

import { CallError, type FailureReason, protocolError } from '../errors.ts';
import type { CallOptions, Settings } from '../options.ts';
import { SessionCookie } from './cookie.ts';
import { withDeadline } from './deadline.ts';
import type { FetchBody, FetchResponse } from './fetch.ts';
import { withArrays } from './lists.ts';

/** A JSON value, and what the HTTP around it said. */
export interface Answer {
  readonly value: unknown;
  readonly httpStatus: number;
  /** Seconds. */
  readonly retryAfter: number | undefined;
}

/** The server, and the session with it. */
export class Exchange {
  readonly #settings: Settings;
  readonly #session = new SessionCookie();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** @param path below the address; optional, default: the address itself  @throws CallError */
  async post(body: unknown, options: CallOptions = {}, path = ''): Promise<Answer> {
    const { timeout, signal } = this.#settings;
    const limits = { timeout: options.timeout ?? timeout, signals: [signal, options.signal] };
    const text = JSON.stringify(body);
    return withDeadline(limits, async (until) => this.#read(await this.#send(path, text, until)));
  }

  async #send(path: string, body: string, signal: AbortSignal): Promise<FetchResponse> {
    // Taken out first: a browser's fetch refuses to be called as a method of something else.
    const { fetch, url, headers } = this.#settings;
    try {
      return await fetch(url + path, {
        method: 'POST',
        headers: { ...headers, ...this.#session.header() },
        body,
        redirect: 'manual',
        credentials: 'include',
        signal,
      });
    } catch (cause) {
      throw new CallError('network', { message: `The server cannot be reached${because(cause)}`, cause });
    }
  }

  async #read({ status, headers, body }: FetchResponse): Promise<Answer> {
    if (status === 0 || (status >= 300 && status < 400)) {
      if (body) discard(body.getReader());
      throw protocolError('The server redirects; credentials are not sent on', { httpStatus: status });
    }
    this.#session.keep(headers.getSetCookie?.() ?? []);
    const facts = { httpStatus: status, retryAfter: seconds(headers.get('retry-after')) };
    const text = body === null ? '' : await readText(body, this.#settings.maxAnswer);
    return { ...facts, value: withArrays(parse(text, facts)) };
  }
}

/** @throws CallError `network` if it is cut off, `protocol` if it is too large or no UTF-8 */
async function readText(body: FetchBody, limit: number): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(cutOff);
    if (done || value === undefined) return text + decode(decoder);
    length += value.byteLength;
    if (length > limit) {
      discard(reader);
      throw protocolError(`The answer is larger than ${limit} bytes`);
    }
    text += decode(decoder, value);
  }
}

/** Ends an answer that is of no more use, however that goes. */
function discard(reader: { cancel(): Promise<void> }): void {
  reader.cancel().catch(() => undefined);
}

/** A piece of a text, or without one the end of it. */
function decode(decoder: TextDecoder, piece?: Uint8Array): string {
  try {
    return decoder.decode(piece, { stream: piece !== undefined });
  } catch (cause) {
    throw protocolError('The answer is not in UTF-8', { cause });
  }
}

function cutOff(cause: unknown): never {
  throw new CallError('network', { message: `The answer was cut off${because(cause)}`, cause });
}

function parse(text: string, facts: Omit<Answer, 'value'>): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What the text says is left out: it is a proxy's page, or half of an answer with other people's data.
    throw new CallError(reasonOf(facts.httpStatus), {
      ...facts,
      message: `HTTP ${facts.httpStatus} and no JSON; is the address the right one?`,
    });
  }
}

/** Returns the reason of an HTTP status that a proxy answered. */
export const reasonOf = (httpStatus: number): FailureReason => statusReasons[httpStatus] ?? 'protocol';

const statusReasons: Readonly<Record<number, FailureReason>> = {
  401: 'credentials_refused',
  413: 'too_large',
  429: 'too_many_attempts',
  500: 'internal',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

/** RFC 9110 §10.2.3; the other form, a date, is of no use to a client without a clock. */
function seconds(retryAfter: string | null): number | undefined {
  return retryAfter !== null && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : undefined;
}

/** `fetch` says "fetch failed" and keeps to itself why; the first cause says what happened. */
function because(error: unknown): string {
  const origin = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return origin instanceof Error && origin.message !== '' ? `: ${origin.message}` : '';
}
