/** The typed client of the Watchword Manager and web services, for Node and browsers. */
export type { DryRunResult, DryRunStep, Reason, Success } from '@watchword/core';
export type {
  Batch,
  BatchPlan,
  DryRunManager,
  LoginResponse,
  Manager,
  MethodFunctions,
  OperationFunctions,
  PlannedCall,
  PlannedFunctions,
  Results,
  Settled,
  SettledResults,
  WebServices,
} from './calls.ts';
export { CallError, type FailureFacts, type FailureReason } from './errors.ts';
export { createDryRunManager, createManager } from './manager.ts';
export type { CallOptions, ClientOptions, ManagerOptions, WebServicesOptions } from './options.ts';
export type { Outcome } from './outcome.ts';
export { safe } from './safe.ts';
export { createWebServices } from './web-services.ts';
export type { Fetch, FetchBody, FetchRequest, FetchResponse } from './wire/fetch.ts';
