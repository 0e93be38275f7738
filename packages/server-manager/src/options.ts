/** The options of the Manager server, and its routes by path. */

import {
  type DirectHandler,
  type Doors,
  type Handler,
  plainText,
  type ServerConfig,
  type ServerProgram,
  withHealth,
  withManagerDescriptions,
} from '@watchword/core';
import { type SiteFiles, webHandler } from '@watchword/node/http';
import { findPortalFiles } from '@watchword/portal';
import { answeringCalls } from './handler.ts';
import { withPortal } from './portal.ts';

export const managerCommand: ServerProgram = {
  name: 'watchword-manager',
  server: 'manager',
  prepare: (log) => {
    const files = findPortalFiles('admin', log);
    return (service, config) => managerServer(service, config, files);
  },
};

/**
 * Makes the server: `/manag/` is the Manager with its descriptions below, `/admin/` the Admin Portal, `/healthz` and `/readyz` are for
 * monitoring, and descriptions of the web services are served too. There is nothing else, and no SOAP.
 */
export function managerServer(
  service: Doors,
  config: Pick<ServerConfig, 'limits'>,
  portal?: SiteFiles,
): Handler {
  const bodyBytes = config.limits.body_bytes;
  const manager = answeringCalls(service, { bodyBytes });
  const answer: DirectHandler = async (request) => {
    const { pathname } = request.url;
    if (pathname === '/manag/' || pathname === '/manag') return manager(request);
    return (await service.web.answerShared(request)) ?? notFound;
  };
  return withHealth(
    service,
    withManagerDescriptions(service, webHandler(withPortal(service, portal, answer))),
  );
}

const notFound = plainText(404, 'Not Found');
