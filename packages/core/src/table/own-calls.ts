/** Methods as users call them, about nothing but their own entries: what pages of self-service do, they do by these. */
import type { Dn } from '../foundation/text/dn.ts';
import type { OwnFactor, OwnUse, Transaction } from './method.ts';

/** A user, and which of the methods with `own` in their rows it may call. */
export interface OwnCaller {
  readonly dn: Dn;
  /** What the session is known by that it calls in; left out: it has none. */
  readonly session?: string;
  readonly transaction: Transaction;
  /**
   * @param application whose method it is, in our words; undefined: it is of the core
   * @throws ServiceError where it is worth saying why not
   */
  may(use: OwnUse, application: string | undefined): boolean;
  /** The types that the user may register of a factor, as settings name types; undefined: all. */
  typesOf(of: OwnFactor): readonly string[] | undefined;
}

export interface OwnCalls {
  /**
   * Runs the method that has this use in its row, as its user, who stands in the audit. What it is about is told by the
   * parameters as ever.
   * @returns what JSON-RPC would answer @throws ServiceError
   */
  run(use: OwnUse, params: Readonly<Record<string, unknown>>): Promise<unknown>;

  /** Runs what a body of JSON-RPC says; throws nothing. @param request whose body is read */
  answer(request: OwnRequest): Promise<OwnAnswer>;
}

export interface OwnRequest {
  /** @throws ServiceError `too_large` */
  readonly body: () => Uint8Array | Promise<Uint8Array>;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
  /** Its calls are judged, and change nothing. */
  readonly isDryRun?: boolean | undefined;
}

export interface OwnAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** As JSON; undefined: there is none. */
  readonly body: unknown;
}

export type OwnCallsOf = (caller: OwnCaller) => OwnCalls;
