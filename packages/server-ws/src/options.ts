/** The options of the web-services server. */

import {
  type Doors,
  type Handler,
  type ServerConfig,
  type ServerProgram,
  withDescriptions,
  withHealth,
} from '@watchword/core';
import { type SiteFiles, webHandler } from '@watchword/node/http';
import { findPortalFiles } from '@watchword/portal';
import { withSelfService } from './self.ts';

export const webServiceCommand: ServerProgram = {
  name: 'watchword-ws',
  server: 'ws',
  prepare: (log) => {
    const files = findPortalFiles('self', log);
    return (service, config) => webServiceServer(service, hasSelfService(config) ? files : undefined);
  },
};

/**
 * Makes the handler of the web services' whole port: their paths, `/healthz` and `/readyz` for monitoring,
 * `/openapi.json`, and the files of self-service at `/self/`.
 * @param service the service, of `createService`
 * @param page the files of self-service; left out: they are not served
 * @returns the handler, for `listener` and `serve`
 * @see docs/guide/embedding.md#serve-it-from-nodehttp
 * @example
 * ```ts
 * import { createService } from '@watchword/core';
 * import { openEmbedded } from '@watchword/engines';
 * import { serve } from '@watchword/node/http';
 * import { webServiceServer } from '@watchword/server-ws';
 *
 * const base = 'dc=example,dc=org';
 * const engines = await openEmbedded('./data', { base });
 * const service = createService({ domains: { Default: { base } } }, engines);
 * const { url, close } = await serve(webServiceServer(service), { host: '127.0.0.1', port: 0 });
 * console.log((await fetch(`${url}readyz`)).status); // 200
 * await close();
 * await service.close();
 * await engines.close();
 * ```
 */
export function webServiceServer(
  service: Pick<Doors, 'web' | 'ready' | 'metrics' | 'descriptions'>,
  page?: SiteFiles,
): Handler {
  const answer = webHandler(withSelfService(page, (request) => service.web.answer(request)));
  return withHealth(service, withDescriptions(service, answer));
}

/** Returns whether self-service is on, by our word or the installation's. */
const hasSelfService = ({ webapps, names }: Pick<ServerConfig, 'webapps' | 'names'>): boolean =>
  ['selfdesk', names.selfdesk].every((word) => word === undefined || webapps[word]?.enabled !== false);
