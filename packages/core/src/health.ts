/** `/healthz` (this process answers) and `/readyz` (so do the servers that it needs, and what it keeps can be written), for both servers. */
import type { Handler } from './http/http.ts';
import type { Doors } from './service.ts';

/** Answers the two paths itself and leaves all others to `next`. */
export function withHealth(service: Pick<Doors, 'ready'>, next: Handler): Handler {
  return async (request, peer) => {
    const { pathname } = new URL(request.url);
    if (pathname !== '/healthz' && pathname !== '/readyz') return next(request, peer);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return new Response('Method Not Allowed', { status: 405, headers: { allow: 'GET, HEAD' } });
    return pathname === '/healthz' ? answer({ status: 'ok' }, 200) : readiness(service);
  };
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
