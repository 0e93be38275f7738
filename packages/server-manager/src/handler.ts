/** The Manager as a handler: HTTP in, `service.manager` in the middle, HTTP out. Mount it where you like. */
import {
  type Handler,
  isForged,
  type ManagerAnswer,
  type Peer,
  type Service,
  sessionCookie,
} from '@watchword/core';
import { readBody } from '@watchword/core/adapters/http';

export interface ManagerHandlerOptions {
  /** Longest request body, in bytes; default 1 MiB. */
  readonly bodyBytes?: number;
}

/** Answers every path that it is mounted at: `POST` is JSON-RPC, anything else is refused. */
export function createManagerHandler(
  service: Pick<Service, 'manager'>,
  { bodyBytes = 1 << 20 }: ManagerHandlerOptions = {},
): Handler {
  return async (request, peer) => {
    const { method } = request;
    if (method !== 'POST') {
      await service.manager.recordRefused({ ...peer, method, why: 'method' });
      return new Response('Method Not Allowed', { status: 405, headers: { allow: 'POST' } });
    }
    if (isForged(request.headers)) {
      await service.manager.recordRefused({ ...peer, method, why: 'cross-site' });
      return new Response('Forbidden', { status: 403 });
    }
    return toResponse(await service.manager.answer(toRequest(request, peer, bodyBytes)));
  };
}

function toRequest(request: Request, peer: Peer, bodyBytes: number) {
  return {
    ...peer,
    body: () => readBody(request, bodyBytes),
    authorization: request.headers.get('authorization') ?? undefined,
    cookie: cookieOf(request.headers.get('cookie') ?? ''),
    closing: /(?:^|,)\s*close\s*(?:,|$)/i.test(request.headers.get('connection') ?? ''),
  };
}

function cookieOf(header: string): string | undefined {
  for (const pair of header.split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === sessionCookie) return value;
  }
  return undefined;
}

function toResponse({ status, headers, body }: ManagerAnswer): Response {
  if (body === undefined) return new Response(null, { status, headers });
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...headers, 'content-type': 'application/json', 'cache-control': 'no-store' },
  });
}
