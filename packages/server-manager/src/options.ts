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
 * Makes the handler of the Manager's whole port. `/manag/` is the Manager with its descriptions below, `/admin/` the Admin
 * Portal; `/healthz` and `/readyz` are for monitoring.
 * @param service the service, of `createService`
 * @param config the limits, of `readConfig` or `readServiceConfig`; `body_bytes` is in bytes
 * @param portal the files of the Admin Portal; left out: it is not served
 * @returns the handler, for `listener` and `serve`
 * @see docs/guide/embedding.md#serve-it-from-nodehttp
 * @example
 * ```ts
 * import { createService, readServiceConfig } from '@watchword/core';
 * import { openEmbedded } from '@watchword/engines';
 * import { serve } from '@watchword/node/http';
 * import { managerServer } from '@watchword/server-manager';
 *
 * const settings = { domains: { Default: { base: 'dc=example,dc=org' } } };
 * const engines = await openEmbedded('./data', { base: 'dc=example,dc=org' });
 * const service = createService(settings, engines);
 * const handler = managerServer(service, readServiceConfig(settings));
 * const { url, close } = await serve(handler, { host: '127.0.0.1', port: 0 });
 * console.log((await fetch(`${url}healthz`)).status); // 200
 * await close();
 * await service.close();
 * await engines.close();
 * ```
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
