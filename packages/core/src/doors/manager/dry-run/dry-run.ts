/**
 * A dry run: parameters, rights and entries are judged as always, and nothing is changed. The method itself runs, on engines that record
 * changes instead of making them. Its answer is not shown: it may be a secret, and is not true.
 */
import type { Call } from '../../../applications/context/call.ts';
import type { AnyMethod } from '../../../table/method.ts';
import type { DryRunStep, Recorder } from './recorder.ts';
import { redactSteps } from './redacted-steps.ts';

export type {
  DryRunChange,
  DryRunEntryStep,
  DryRunOtherStep,
  DryRunStep,
} from './recorder.ts';

export interface DryRunResult {
  readonly dryRun: true;
  /** Steps in their order. Null: the effect is unknown without running the call. */
  readonly would: readonly DryRunStep[] | null;
}

/** A call that has been read. */
export interface DryRunCall {
  /** The name in our words. */
  readonly ours: string;
  readonly method: AnyMethod<Call>;
  readonly values: Readonly<Record<string, unknown>>;
  /** The method works on nothing but its context. */
  readonly mayRun: boolean;
}

/**
 * @param call of a service for dry runs
 * @param enter brings a call within the rights of its administrator
 * @throws ServiceError as the call would, as far as it is judged without a change
 */
export async function dryRun(
  asked: DryRunCall,
  { call, recorder }: { readonly call: Call; readonly recorder: Recorder },
  enter: (asked: DryRunCall, call: Call) => Promise<Call>,
): Promise<DryRunResult> {
  const { method, values, mayRun } = asked;
  const within = await enter(asked, call);
  if (method.isShortRead) return { dryRun: true, would: [] };
  if (!mayRun) return { dryRun: true, would: null };
  recorder.take(); // what a call began that failed is not the next one's
  let failure: { readonly error: unknown } | undefined;
  try {
    await method.run(values, within);
  } catch (error) {
    failure = { error };
  }
  const steps = recorder.take();
  if (!steps) return { dryRun: true, would: null };
  if (failure) throw failure.error;
  return { dryRun: true, would: await redactSteps(steps, within) };
}
