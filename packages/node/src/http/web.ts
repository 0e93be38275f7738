/** Requests and answers of the web services, between the core and the Request and Response of the platform. */
import {
  type DirectHandler,
  type Handler,
  type Peer,
  plainText,
  toResponse,
  type WebRequest,
} from '@watchword/core/http';
import { readBody } from './body.ts';

/** A handler for any server, of one that needs none of the platform's objects. Bodies that are packed are refused. */
export function webHandler(handler: DirectHandler): Handler {
  const direct: DirectHandler = (request) =>
    isPacked(request) ? Promise.resolve(unsupported) : handler(request);
  return Object.assign(
    async (request: Request, peer: Peer) =>
      toResponse(await direct(toWebRequest(request, peer)), request.method),
    { direct },
  );
}

/** Returns whether a body is compressed: a few bytes could become any number. */
function isPacked({ headers }: WebRequest): boolean {
  const encoding = headers.get('content-encoding');
  return encoding !== null && !/^\s*(?:identity)?\s*$/i.test(encoding);
}

/** RFC 9110 §12.5.3: what is taken instead. */
const unsupported = plainText(
  415,
  'Unsupported Media Type: send the body as it is, without a Content-Encoding such as gzip.',
  { 'accept-encoding': 'identity' },
);

export function toWebRequest(request: Request, peer: Peer): WebRequest {
  const { method, headers } = request;
  return { ...peer, method, url: new URL(request.url), headers, body: (most) => readBody(request, most) };
}
