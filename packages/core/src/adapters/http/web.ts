/** Requests and answers of the web services, between the core and the Request and Response of the platform. */
import type { Peer, WebAnswer, WebRequest } from '../../http.ts';
import { readBody } from './body.ts';

/** @param bodyBytes longest request body, in bytes */
export function toWebRequest(request: Request, peer: Peer, bodyBytes: number): WebRequest {
  const { method, headers } = request;
  return { ...peer, method, url: new URL(request.url), headers, body: () => readBody(request, bodyBytes) };
}

/** @param method of the request: HEAD is answered without a body */
export function toResponse({ status, headers, body }: WebAnswer, method: string): Response {
  return new Response(method === 'HEAD' ? null : bytesOf(body), { status, headers });
}

/** A copy where it is bytes: the platform takes none that another thread could change (SharedArrayBuffer). */
const bytesOf = (body: WebAnswer['body']) => (typeof body === 'string' ? body : Uint8Array.from(body));
