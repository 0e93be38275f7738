/**
 * A dry run: parameters, rights and entries are judged as ever, and nothing is changed. A method that changes entries, and
 * nothing else, is run on a directory that writes down what it would do; others are not run at all.
 */
import type { Call } from '../../calls/call.ts';
import type { Soon } from '../../concurrency/soon.ts';
import type { AnyMethod } from '../../table/method.ts';
import { RecordingDirectory, type Rehearsed } from './recording-directory.ts';
import { stillLedger, Unrehearsed } from './still-ledger.ts';

export interface Rehearsal {
  readonly dryRun: true;
  /** Null: what it would do is not known without doing it. */
  readonly would: readonly Rehearsed[] | null;
}

/** A call that has been read. */
export interface RehearsedCall {
  /** In our words. */
  readonly ours: string;
  readonly method: AnyMethod<Call>;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * @param enter brings a call within the reach of its administrator
 * @throws ServiceError as the call would, as far as it is judged without a change
 */
export async function rehearse(
  asked: RehearsedCall,
  call: Call,
  enter: (asked: RehearsedCall, call: Call) => Soon<Call>,
): Promise<Rehearsal> {
  const { method, values } = asked;
  const directory = new RecordingDirectory(call.directory);
  const within = await enter(asked, { ...call, directory, store: stillLedger(call.store) });
  if (!method.changesEntries) return { dryRun: true, would: method.isShortRead ? [] : null };
  try {
    await method.run(values, within);
    return { dryRun: true, would: directory.would };
  } catch (error) {
    if (error instanceof Unrehearsed) return { dryRun: true, would: null };
    throw error;
  }
}
