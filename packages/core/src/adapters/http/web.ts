/** Requests and answers of the web services, between the core and the Request and Response of the platform. */
import type { Peer, WebAnswer, WebRequest } from '../../http/http.ts';
import { readBody } from './body.ts';

export function toWebRequest(request: Request, peer: Peer): WebRequest {
  const { method, headers } = request;
  return { ...peer, method, url: new URL(request.url), headers, body: (most) => readBody(request, most) };
}

/** @param method of the request: HEAD is answered without a body, and so is what has none (204) */
export function toResponse({ status, headers, cookies, body }: WebAnswer, method: string): Response {
  const isBare = method === 'HEAD' || status === 204;
  const response = new Response(isBare ? null : bytesOf(body), { status, headers });
  for (const cookie of cookies ?? []) response.headers.append('set-cookie', cookie);
  return response;
}

/** A copy where it is bytes: the platform takes none that another thread could change (SharedArrayBuffer). */
const bytesOf = (body: WebAnswer['body']) => (typeof body === 'string' ? body : Uint8Array.from(body));
