/**
 * The types that the client takes from the core, with nothing of the core left in them: the shapes of
 * parameters and results instead of the tables, ports and validators that they follow from.
 */
import type * as core from '@watchword/core';

type Plain<T> = T extends (...params: infer P) => Promise<infer Result>
  ? (...params: Plain<P>) => Promise<Plain<Result>>
  : T extends Uint8Array
    ? Uint8Array
    : T extends object
      ? { [Key in keyof T]: Plain<T[Key]> }
      : T;

export type ManagerCalls = Plain<core.ManagerCalls>;
export type Reason = core.Reason;
export type DryRunResult = Plain<core.DryRunResult>;
export type DryRunStep = Plain<core.DryRunStep>;
export type Success = core.Success;
export type WebCalls = Plain<core.WebCalls>;
