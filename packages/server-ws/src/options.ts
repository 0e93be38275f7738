/** The web-services server. */
import { type Doors, type Handler, withDescriptions, withHealth } from '@watchword/core';
import type { ServerCommand } from '@watchword/core/start';
import { createWebServiceHandler } from './handler.ts';

export const webServiceCommand: ServerCommand = {
  name: 'watchword-ws',
  server: 'ws',
  handler: webServiceServer,
};

/** Everything is the web services', but `/healthz` and `/readyz`, which are for whoever watches, and `/openapi.json`. */
export function webServiceServer(service: Doors): Handler {
  return withHealth(service, withDescriptions(service, createWebServiceHandler(service)));
}
