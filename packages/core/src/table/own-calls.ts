/** Calls of methods by users on their own entries, as pages of self-service make them. */
import type { Dn } from '../foundation/text/dn.ts';
import type { OwnFactor, OwnUse, Transaction } from './method.ts';

/** A user, and the rights to methods with `own` in their rows. */
export interface OwnCaller {
  readonly dn: Dn;
  /** The id of the session; left out without a session. */
  readonly session?: string;
  readonly transaction: Transaction;
  /**
   * Returns whether the user may call methods of this use.
   * @param application of the method, in our words; undefined for the core
   * @throws ServiceError where the refusal has a reason to show
   */
  may(use: OwnUse, application: string | undefined): boolean;
  /** Returns the types of a factor that the user may register, as settings name types; undefined for all. */
  typesOf(of: OwnFactor): readonly string[] | undefined;
}

export interface OwnCalls {
  /**
   * Runs the method with this use in its row. The audit entry names the user.
   * @returns the result as JSON-RPC would answer it @throws ServiceError
   */
  run(use: OwnUse, params: Readonly<Record<string, unknown>>): Promise<unknown>;

  /** Answers a JSON-RPC body; never throws. */
  answer(request: OwnRequest): Promise<OwnAnswer>;
}

export interface OwnRequest {
  /** @throws ServiceError `too_large` */
  readonly body: () => Uint8Array | Promise<Uint8Array>;
  /** Aborted when the client has disconnected. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the calls are a dry run. */
  readonly isDryRun?: boolean | undefined;
}

export interface OwnAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, to be written as JSON; undefined for none. */
  readonly body: unknown;
}

export type OwnCallsOf = (caller: OwnCaller) => OwnCalls;
