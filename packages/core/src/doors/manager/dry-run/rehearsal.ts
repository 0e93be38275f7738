/**
 * A dry run: parameters, rights and entries are judged as always, and nothing is changed. The method itself runs, on engines that record
 * changes instead of making them. Its answer is not shown: it may be a secret, and is not true.
 */
import type { Call } from '../../../applications/context/call.ts';
import type { AnyMethod } from '../../../table/method.ts';
import type { Recorder, RehearsedStep } from './recorder.ts';
import { tellable } from './tellable-steps.ts';

export type { RehearsedChange, RehearsedElsewhere, RehearsedEntry, RehearsedStep } from './recorder.ts';

export interface Rehearsal {
  readonly dryRun: true;
  /** Steps in their order. Null: the effect is unknown without running the call. */
  readonly would: readonly RehearsedStep[] | null;
}

/** A call that has been read. */
export interface RehearsedCall {
  /** The name in our words. */
  readonly ours: string;
  readonly method: AnyMethod<Call>;
  readonly values: Readonly<Record<string, unknown>>;
  /** The method works on nothing but its context. */
  readonly mayRun: boolean;
}

/**
 * @param call on a stage
 * @param enter brings a call within the reach of its administrator
 * @throws ServiceError as the call would, as far as it is judged without a change
 */
export async function rehearse(
  asked: RehearsedCall,
  { call, recorder }: { readonly call: Call; readonly recorder: Recorder },
  enter: (asked: RehearsedCall, call: Call) => Promise<Call>,
): Promise<Rehearsal> {
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
  return { dryRun: true, would: await tellable(steps, within) };
}
