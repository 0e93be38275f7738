/** The web services: their handler, to mount in a server of yours, and the whole server. */
export { createWebServiceHandler } from './handler.ts';
export { webServiceCommand, webServiceServer } from './options.ts';
