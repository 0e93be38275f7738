/** The typed client of the Watchword Manager and web services, for Node and browsers. */
export type { Reason, Rehearsal, RehearsedStep, Success } from '@watchword/core';
export type {
  Asking,
  Batch,
  LoginAnswer,
  Manager,
  Plan,
  PlannedCall,
  Planning,
  Rehearsing,
  Results,
  Sending,
  Settled,
  SettledResults,
  WebServices,
} from './calls.ts';
export { CallError, type FailureFacts, type FailureReason } from './errors.ts';
export { createManager, createRehearsal } from './manager.ts';
export type { CallOptions, ClientOptions, ManagerOptions, WebServicesOptions } from './options.ts';
export type { Outcome } from './outcome.ts';
export { safe } from './safe.ts';
export { createWebServices } from './web-services.ts';
export type { Fetch, FetchAnswer, FetchBody, FetchRequest } from './wire/fetch.ts';
