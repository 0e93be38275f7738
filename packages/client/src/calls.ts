/** The types of the client's calls, derived from the method and operation tables of the core. */
import type { DryRunResult, ManagerCalls, WebCalls } from '@watchword/core';
import type { DocumentedMethods } from './documented/methods.ts';
import type { DocumentedOperations } from './documented/operations.ts';
import type { CallError } from './errors.ts';
import type { CallOptions } from './options.ts';
import type { Outcome } from './outcome.ts';

/** A call that is not sent yet. `Result` is only a type: what the call will give. */
export interface PlannedCall<Result> {
  /** Wire name. */
  readonly method: string;
  readonly params: object | undefined;
  readonly result?: Result;
}

/** The functions of a table, each with the options of a call after its parameters. */
export type MethodFunctions<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends (...params: infer P) => Promise<infer Result>
    ? (...args: [...params: P, options?: CallOptions]) => Promise<Result>
    : MethodFunctions<Table[Name]>;
};

/** The functions of a table, each giving a {@link PlannedCall}. */
export type PlannedFunctions<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends (...params: infer P) => Promise<infer Result>
    ? (...params: P) => PlannedCall<Result>
    : PlannedFunctions<Table[Name]>;
};

/** The methods as planned calls, for {@link Batch}. */
export type BatchPlan<Table = ManagerCalls> = PlannedFunctions<Table & DocumentedMethods>;

/** The results of planned calls, in their order; a tuple stays a tuple. */
export type Results<Calls extends readonly PlannedCall<unknown>[]> = {
  -readonly [Index in keyof Calls]: Calls[Index] extends PlannedCall<infer Result> ? Result : never;
};

/** The end of a call: of one in a batch, or of one that is `safe`. */
export type Settled<Result> =
  | { readonly ok: true; readonly value: Result }
  | { readonly ok: false; readonly error: CallError };

/** The end of each call, in order. */
export type SettledResults<Calls extends readonly PlannedCall<unknown>[]> = {
  -readonly [Index in keyof Calls]: Calls[Index] extends PlannedCall<infer Result> ? Settled<Result> : never;
};

/**
 * Several calls in one HTTP request. The server runs them one after another, so that a call may build on
 * the one before it, and goes on after one that fails.
 *
 * ```ts
 * const [dn, users] = await manager.batch((m) => [
 *   m.Get_User_DN({ username: 'alice', domain: 'Default' }),
 *   m.Count_Activated_Users(),
 * ]);
 * ```
 */
export interface Batch<Table = ManagerCalls> {
  /** Returns all results, or throws the first error: the other calls took effect all the same. @throws CallError */
  batch<const Calls extends readonly PlannedCall<unknown>[]>(
    plan: (manager: BatchPlan<Table>) => Calls,
    options?: CallOptions,
  ): Promise<Results<Calls>>;
  /** Returns the end of each call. @throws CallError only if the request as a whole failed */
  batchSettled<const Calls extends readonly PlannedCall<unknown>[]>(
    plan: (manager: BatchPlan<Table>) => Calls,
    options?: CallOptions,
  ): Promise<SettledResults<Calls>>;
}

/**
 * Every Manager method as a function (`Get_User_DN(…)`, `Otp.HOTP_Register(…)`), and batches of them. Each
 * throws {@link CallError}.
 *
 * A list comes as an array, also where the server keys it by index. Servers of the deployed dialect write an
 * empty map as `[]`, some an empty list as `{}`: there, `Object.entries` reads a map and `Object.values` a list
 * in either spelling.
 *
 * `Table` is `ManagerCalls<typeof applications>` of `@watchword/core` where a server has applications of its own.
 */
export type Manager<Table = ManagerCalls> = MethodFunctions<Table & DocumentedMethods> & Batch<Table>;

/** The functions of a table, each as a dry run: those of the core's `DryRunCalls`, which has parameters of its own and cannot be written out. */
type DryRunFunctions<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends (...params: infer P) => Promise<unknown>
    ? (...params: P) => Promise<DryRunResult>
    : DryRunFunctions<Table[Name]>;
};

/** The same where each call is a dry run, which tells what it would do: see `createDryRunManager`. */
export type DryRunManager<Table = ManagerCalls> = MethodFunctions<
  DryRunFunctions<Table> & DocumentedMethods
> &
  Batch<DryRunFunctions<Table>>;

/** The functions of a table of web services, each with the options of a call after its fields. */
export type OperationFunctions<Table> = {
  readonly [Service in keyof Table]: {
    readonly [Name in keyof Table[Service]]: Table[Service][Name] extends (
      ...request: infer Request
    ) => Promise<infer Answer>
      ? (...args: [...request: Request, options?: CallOptions]) => Promise<WithOutcome<Answer>>
      : never;
  };
};

/** A login says in a word what its `code` says. */
type WithOutcome<Answer> = Answer extends { readonly code: infer Code extends 0 | 1 | 2 }
  ? Answered<Answer> & { readonly outcome: Outcome<Code> }
  : Answered<Answer>;

/** Bytes stay the base64 that they come as: nothing in JSON tells them from text. */
type Answered<T> = T extends Uint8Array
  ? string
  : T extends object
    ? { readonly [Field in keyof T]: Answered<T[Field]> }
    : T;

/**
 * Every operation of the web services as a function: `otp.normalLogin(…)` is `otpNormalLogin`. A login that is
 * refused is an answer, which `outcome` tells from the others; each throws {@link CallError} where no operation has
 * answered: `credentials_refused` for a system that has to show a key or a certificate, `method_not_found`.
 *
 * `Table` is `WebCalls<typeof applications>` of `@watchword/core` where a server has applications of its own.
 */
export type WebServices<Table = WebCalls> = OperationFunctions<Table & DocumentedOperations>;

/** The answer to a login, by `outcome`: `granted`, a `challenge` to be answered, or `refused`. On the wire these are `code` 1, 2, 0. */
export type LoginResponse = Awaited<ReturnType<WebServices['otp']['normalLogin']>>;
