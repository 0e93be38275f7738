/** Methods as users call them, about nothing but their own entries: what pages of self-service do, they do by these. */
import type { Dn } from '../text/dn.ts';
import type { OwnUse, Transaction } from './method.ts';

/** A user, and which of the methods with `own` in their rows it may call. */
export interface OwnCaller {
  readonly dn: Dn;
  readonly transaction: Transaction;
  /** @param application whose method it is, in our words; undefined: it is of the core */
  may(use: OwnUse, application: string | undefined): boolean;
}

export interface OwnCalls {
  /**
   * Runs the method that has this use in its row, as its user, who stands in the audit. What it is about is told by the
   * parameters as ever.
   * @returns what JSON-RPC would answer @throws ServiceError
   */
  run(use: OwnUse, params: Readonly<Record<string, unknown>>): Promise<unknown>;
}

export type OwnCallsOf = (caller: OwnCaller) => OwnCalls;
