/** The Manager server: which path is whose. */
import { type Handler, type ServerConfig, type Service, withHealth } from '@watchword/core';
import type { ServerCommand } from '@watchword/core/start';
import { createManagerHandler } from './handler.ts';

export const managerCommand: ServerCommand = {
  name: 'watchword-manager',
  server: 'manager',
  handler: managerServer,
};

/** `/manag/` is the Manager; `/healthz` and `/readyz` are for whoever watches; there is nothing else. */
export function managerServer(service: Service, config: Pick<ServerConfig, 'limits'>): Handler {
  const manager = createManagerHandler(service, { bodyBytes: config.limits.body_bytes });
  return withHealth(service, async (request, peer) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/manag/' || pathname === '/manag') return manager(request, peer);
    return new Response('Not Found', { status: 404 });
  });
}
