/** `/healthz` (this process answers) and `/readyz` (so do the servers that it needs), for both servers. */
import type { Handler } from './http.ts';
import type { Service } from './service.ts';

/** Answers the two paths itself and leaves all others to `next`. */
export function withHealth(service: Pick<Service, 'ready'>, next: Handler): Handler {
  return async (request, peer) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/healthz') return Response.json({ status: 'ok' });
    if (pathname !== '/readyz') return next(request, peer);
    const servers = await service.ready();
    const ready = [...servers.values()].every(Boolean);
    return Response.json(
      { status: ready ? 'ok' : 'not ready', servers: Object.fromEntries(servers) },
      { status: ready ? 200 : 503 },
    );
  };
}
