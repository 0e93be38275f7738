/** The Manager: its handler, to mount in a server of yours, and the whole server. */
export { createManagerHandler, type ManagerHandlerOptions } from './handler.ts';
export { managerCommand, managerServer } from './options.ts';
