/** Answers as the platform's Response, and handlers that leave what is not theirs to the next one. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DirectHandler, Handler, HttpAnswer, Peer, WebAnswer, WebHead } from './http.ts';

/** @param method of the request: HEAD is answered without a body, and so is what has none (204) */
export function toResponse({ status, headers, cookies, body }: HttpAnswer, method: string): Response {
  const response = new Response(isBare(status, method) ? null : bodyOf(body), { status, headers });
  for (const cookie of cookies ?? []) response.headers.append('set-cookie', cookie);
  return response;
}

export const isBare = (status: number, method: string): boolean => method === 'HEAD' || status === 204;

/** A copy where it is bytes: the platform takes none that another thread could change (SharedArrayBuffer). */
function bodyOf(body: HttpAnswer['body']) {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? Uint8Array.from(body) : streamOf(body);
}

const utf8 = new TextEncoder();

/** A piece is written when the one before it is on its way. */
function streamOf(pieces: Iterator<string, void>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: async (controller) => {
      await nextTurn();
      const { done, value } = pieces.next();
      if (done) controller.close();
      else controller.enqueue(utf8.encode(value));
    },
  });
}

/** @returns the answer to what is its own; undefined: the next one is asked */
export type Answering = (head: WebHead) => Promise<WebAnswer | undefined> | undefined;

/** A handler whose requests another one looks at first. */
export function answeringFirst(first: Answering, next: Handler): Handler {
  const handler = async (request: Request, peer: Peer) => {
    const { method, headers } = request;
    const answer = await first({ ...peer, method, url: new URL(request.url), headers });
    return answer ? toResponse(answer, method) : next(request, peer);
  };
  const direct: DirectHandler = (request) => {
    const answering = first(request);
    return answering ? answering.then((answer) => answer ?? next.direct(request)) : next.direct(request);
  };
  return Object.assign(handler, { direct });
}

/** A short answer for people. */
export const plainText = (status: number, body: string, headers: WebAnswer['headers'] = {}): WebAnswer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
  body,
});
