/** The web services: their handler, and the whole server. */
export { createWebServiceHandler } from './handler.ts';
export { webServiceCommand } from './options.ts';
