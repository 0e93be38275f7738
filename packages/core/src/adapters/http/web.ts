/** Requests and answers of the web services, between the core and the Request and Response of the platform. */
import type { DirectHandler, Handler, Peer, WebRequest } from '../../http/http.ts';
import { toResponse } from '../../http/response.ts';
import { readBody } from './body.ts';

/** A handler for any server, of one that needs none of the platform's objects. */
export const webHandler = (direct: DirectHandler): Handler =>
  Object.assign(
    async (request: Request, peer: Peer) =>
      toResponse(await direct(toWebRequest(request, peer)), request.method),
    { direct },
  );

export function toWebRequest(request: Request, peer: Peer): WebRequest {
  const { method, headers } = request;
  return { ...peer, method, url: new URL(request.url), headers, body: (most) => readBody(request, most) };
}
