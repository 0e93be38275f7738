/**
 * For whoever watches, on both servers: `/healthz` (this process answers), `/readyz` (so do the servers that it needs, and
 * what it keeps can be written) and `/metrics`.
 */
import type { Handler, Peer } from './http/http.ts';
import type { Doors } from './service.ts';

/** Answers these paths itself and leaves all others to `next`: to whom `/metrics` is not for, there is none. */
export function withHealth(service: Pick<Doors, 'ready' | 'metrics'>, next: Handler): Handler {
  return async (request, peer) => {
    const look = looks.get(new URL(request.url).pathname);
    if (!look) return next(request, peer);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const seen = isRead ? await look(service, peer) : notAllowed();
    return seen ?? next(request, peer);
  };
}

type Look = (service: Pick<Doors, 'ready' | 'metrics'>, peer: Peer) => Promise<Response | undefined>;

const looks: ReadonlyMap<string, Look> = new Map<string, Look>([
  ['/healthz', async () => answer({ status: 'ok' }, 200)],
  ['/readyz', readiness],
  ['/metrics', measured],
]);

const notAllowed = (): Response =>
  new Response('Method Not Allowed', { status: 405, headers: { allow: 'GET, HEAD' } });

async function measured(
  { metrics }: Pick<Doors, 'metrics'>,
  { address }: Peer,
): Promise<Response | undefined> {
  const page = await metrics(address);
  return (
    page && new Response(page.text, { headers: { 'content-type': page.type, 'cache-control': 'no-store' } })
  );
}

async function readiness(service: Pick<Doors, 'ready'>): Promise<Response> {
  const { servers, freeBytes } = await service.ready();
  const isReady = [...servers.values()].every(Boolean);
  const room = freeBytes !== undefined && { free_bytes: freeBytes };
  const body = { status: isReady ? 'ok' : 'not ready', servers: Object.fromEntries(servers), ...room };
  return answer(body, isReady ? 200 : 503);
}

/** Of this moment only. */
function answer(body: object, status: number): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store' } });
}
