/** The Manager as a handler: HTTP in, `service.manager` in the middle, HTTP out. Mount it where you like. */
import { type Doors, type Handler, type ManagerAnswer, type Peer, sessionCookie } from '@watchword/core';
import { jsonResponse, readBody } from '@watchword/core/adapters/http';

export interface ManagerHandlerOptions {
  /** Longest request body, in bytes; default 1 MiB. */
  readonly bodyBytes?: number;
}

/**
 * Answers every path that it is mounted at: `POST` is JSON-RPC, anything else is refused but what browsers ask first for pages
 * of the origins that are listed.
 */
export function createManagerHandler(
  service: Pick<Doors, 'manager'>,
  { bodyBytes = 1 << 20 }: ManagerHandlerOptions = {},
): Handler {
  const { origins } = service.manager;
  return async (request, peer) => {
    const said = origins.answering(request);
    if (origins.isPreflight(request)) {
      return new Response(null, { status: 204, headers: { ...said, ...origins.permitting(['POST']) } });
    }
    const noCall = await answerNoCall(service, request, peer);
    const response = noCall ?? toResponse(await service.manager.answer(toRequest(request, peer, bodyBytes)));
    for (const [name, value] of Object.entries(said)) response.headers.set(name, value);
    return response;
  };
}

/** Undefined for a call. */
async function answerNoCall(
  { manager }: Pick<Doors, 'manager'>,
  { method, headers }: Request,
  peer: Peer,
): Promise<Response | undefined> {
  if (method !== 'POST') {
    await manager.recordRefused({ ...peer, method, why: 'method' });
    return new Response('Method Not Allowed', { status: 405, headers: { allow: 'POST' } });
  }
  if (!manager.origins.isForged({ headers })) return undefined;
  await manager.recordRefused({ ...peer, method, why: 'cross-site' });
  return new Response('Forbidden', { status: 403 });
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
  return jsonResponse(body, { status, headers: { ...headers, 'cache-control': 'no-store' } });
}
