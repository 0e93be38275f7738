/** Conversion between the core's web requests and the Request and Response of the platform. */
import {
  type DirectHandler,
  type Handler,
  type Peer,
  plainText,
  toResponse,
  type WebRequest,
} from '@watchword/core/http';
import { readBody } from './body.ts';

/**
 * Adds the interface of the platform, `Request` and `Response`, to a direct handler. Compressed bodies are refused.
 * @param handler answers a request of the core
 * @returns the handler, for `listener`, `serve` and `behindProxies`
 * @see docs/guide/embedding.md#serve-it-from-nodehttp
 * @example
 * ```ts
 * import { plainText } from '@watchword/core';
 * import { webHandler } from '@watchword/node/http';
 *
 * const handler = webHandler(async ({ url }) => plainText(200, url.pathname));
 * const peer = { address: '192.0.2.7', port: 51824, signal: new AbortController().signal };
 * console.log(await (await handler(new Request('https://example.org/hello'), peer)).text()); // /hello
 * ```
 */
export function webHandler(handler: DirectHandler): Handler {
  const direct: DirectHandler = (request) =>
    isCompressed(request) ? Promise.resolve(unsupported) : handler(request);
  return Object.assign(
    async (request: Request, peer: Peer) =>
      toResponse(await direct(toWebRequest(request, peer)), request.method),
    { direct },
  );
}

/** Returns whether a body is compressed, which could expand to any size. */
function isCompressed({ headers }: WebRequest): boolean {
  const encoding = headers.get('content-encoding');
  return encoding !== null && !/^\s*(?:identity)?\s*$/i.test(encoding);
}

/** The answer with the accepted encoding, RFC 9110 §12.5.3. */
const unsupported = plainText(
  415,
  'Unsupported Media Type: send the body as it is, without a Content-Encoding such as gzip.',
  { 'accept-encoding': 'identity' },
);

export function toWebRequest(request: Request, peer: Peer): WebRequest {
  const { method, headers } = request;
  return { ...peer, method, url: new URL(request.url), headers, body: (most) => readBody(request, most) };
}
