/** The Manager server: which path is whose. */
import {
  type Doors,
  type Handler,
  type ServerConfig,
  withHealth,
  withManagerDescriptions,
} from '@watchword/core';
import { toResponse, toWebRequest } from '@watchword/core/adapters/http';
import { installationCommands, type ServerCommand } from '@watchword/core/start';
import { createManagerHandler } from './handler.ts';

export const managerCommand: ServerCommand = {
  name: 'watchword-manager',
  server: 'manager',
  handler: managerServer,
  commands: installationCommands,
};

/**
 * `/manag/` is the Manager, and what it says of itself stands below; `/healthz` and `/readyz` are for whoever watches; descriptions of the web services
 * stand here too (specification §4.3). There is nothing else, and no SOAP.
 */
export function managerServer(service: Doors, config: Pick<ServerConfig, 'limits'>): Handler {
  const bodyBytes = config.limits.body_bytes;
  const manager = createManagerHandler(service, { bodyBytes });
  const answer: Handler = async (request, peer) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/manag/' || pathname === '/manag') return manager(request, peer);
    const shared = await service.web.answerShared(toWebRequest(request, peer));
    return shared ? toResponse(shared, request.method) : new Response('Not Found', { status: 404 });
  };
  return withHealth(service, withManagerDescriptions(service, answer));
}
