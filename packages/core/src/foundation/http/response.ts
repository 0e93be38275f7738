/** Answers as `Response`, and composition of handlers. */
import { setImmediate as nextTick } from 'node:timers/promises';
import type { DirectHandler, Handler, HttpResponse, Peer, WebHead, WebResponse } from './http.ts';

/** Turns an answer into a `Response`. @param method of the request */
export function toResponse({ status, headers, cookies, body }: HttpResponse, method: string): Response {
  const response = new Response(isBare(status, method) ? null : bodyOf(body), { status, headers });
  for (const cookie of cookies ?? []) response.headers.append('set-cookie', cookie);
  return response;
}

/** Returns whether an answer has no body: to HEAD, and with status 204. */
export const isBare = (status: number, method: string): boolean => method === 'HEAD' || status === 204;

/** Copies bytes, because `Response` takes none that could be in a `SharedArrayBuffer`. */
function bodyOf(body: HttpResponse['body']) {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? Uint8Array.from(body) : streamOf(body);
}

const utf8 = new TextEncoder();

function streamOf(pieces: Iterator<string, void>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: async (controller) => {
      await nextTick();
      const { done, value } = pieces.next();
      if (done) controller.close();
      else controller.enqueue(utf8.encode(value));
    },
  });
}

/** A function that answers a request, or returns undefined for the next handler to answer. */
export type Answering = (head: WebHead) => Promise<WebResponse | undefined> | undefined;

/** Makes a handler that calls `first`, then `next` for requests that `first` leaves. */
export function answeringFirst(first: Answering, next: Handler): Handler {
  const handler = async (request: Request, peer: Peer) => {
    const { method, headers } = request;
    const response = await first({ ...peer, method, url: new URL(request.url), headers });
    return response ? toResponse(response, method) : next(request, peer);
  };
  const direct: DirectHandler = (request) => {
    const answering = first(request);
    return answering ? answering.then((response) => response ?? next.direct(request)) : next.direct(request);
  };
  return Object.assign(handler, { direct });
}

/**
 * Makes an answer of plain text.
 * @param status the HTTP status
 * @param body the text
 * @param headers further headers, in small letters
 * @returns the answer, for `webHandler`
 * @example
 * ```ts
 * import { plainText } from '@watchword/core';
 *
 * console.log(plainText(404, 'Not Found').status); // 404
 * ```
 */
export const plainText = (
  status: number,
  body: string,
  headers: WebResponse['headers'] = {},
): WebResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
  body,
});
