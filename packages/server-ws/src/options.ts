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
 * Makes the server: all paths are the web services', but `/healthz` and `/readyz` for monitoring, `/openapi.json`, and the files of
 * self-service at `/self/`.
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
