/** The web-services server. */

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
  handler: (service, config, log) =>
    webServiceServer(service, hasSelfService(config) ? findPortalFiles('self', log) : undefined),
};

/**
 * Everything is the web services', but `/healthz` and `/readyz`, which are for whoever watches, `/openapi.json`, and the files of
 * the page of their own for users at `/self/`.
 */
export function webServiceServer(
  service: Pick<Doors, 'web' | 'ready' | 'metrics' | 'descriptions'>,
  page?: SiteFiles,
): Handler {
  const answer = webHandler(withSelfService(page, (request) => service.web.answer(request)));
  return withHealth(service, withDescriptions(service, answer));
}

/** By our word, or the installation's. */
const hasSelfService = ({ webapps, names }: Pick<ServerConfig, 'webapps' | 'names'>): boolean =>
  ['selfdesk', names.selfdesk].every((word) => word === undefined || webapps[word]?.enabled !== false);
