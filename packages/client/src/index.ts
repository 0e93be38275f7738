/** The typed client of the Watchword Manager, for Node and browsers. */
export type { Reason, Success } from '@watchword/core';
export type {
  Batch,
  Manager,
  Plan,
  PlannedCall,
  Planning,
  Results,
  Sending,
  Settled,
  SettledResults,
} from './calls.ts';
export { type FailureFacts, type FailureReason, ManagerError } from './errors.ts';
export type { Fetch, FetchAnswer, FetchBody, FetchRequest } from './fetch.ts';
export { createManager } from './manager.ts';
export type { CallOptions, ManagerOptions } from './options.ts';
