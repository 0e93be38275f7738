/** The web services as a handler: HTTP in, `service.web` in the middle, HTTP out. */
import type { Doors, Handler } from '@watchword/core';
import { webHandler } from '@watchword/node/http';

/** Paths are those of the interface, from the root: mount it at the root of a host or port. */
export const createWebServiceHandler = (service: Pick<Doors, 'web'>): Handler =>
  webHandler((request) => service.web.answer(request));
