/** The web-services server. */
import type { ServerCommand } from '@watchword/core/start';
import { createWebServiceHandler } from './handler.ts';

export const webServiceCommand: ServerCommand = {
  name: 'watchword-ws',
  server: 'ws',
  handler: createWebServiceHandler,
};
