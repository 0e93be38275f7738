/** The time limit of an exchange, combined with the abort signals of the caller. */
import { CallError } from '../errors.ts';

/** Milliseconds, 24 days: a longer timer fires at once. */
const longest = 2 ** 31 - 1;

export interface Limits {
  /** Milliseconds; `Infinity` is as long as a timer runs. */
  readonly timeout: number;
  readonly signals: readonly (AbortSignal | undefined)[];
}

/**
 * Runs an exchange and settles by the deadline even if the exchange ignores its signal.
 * @throws CallError `timeout`, `aborted`; whatever `run` throws before that
 */
export async function withDeadline<T>(limits: Limits, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const release = arm(controller, limits);
  try {
    controller.signal.throwIfAborted();
    return await Promise.race([cancelled(controller.signal), run(controller.signal)]);
  } catch (error) {
    // What fails because of the cancelling tells of it in its own words; ours are the reason.
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    release();
  }
}

/** Arms a deadline by hand, not with `AbortSignal.any`, which leaves a trace in a signal that lives as long as the client. */
function arm(controller: AbortController, { timeout, signals }: Limits): () => void {
  const end = new AbortController();
  for (const signal of signals) {
    const abort = () => controller.abort(aborted(signal?.reason));
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true, signal: end.signal });
  }
  const timer = setTimeout(() => controller.abort(timedOut(timeout)), Math.min(timeout, longest));
  return () => {
    clearTimeout(timer);
    end.abort();
  };
}

function cancelled(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

const aborted = (cause: unknown) => new CallError('aborted', { message: 'The call was aborted', cause });

const timedOut = (timeout: number) => new CallError('timeout', { message: `No answer within ${timeout} ms` });
