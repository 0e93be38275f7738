/** Cooperative tasks: long work that yields to the event loop (docs/decisions/0018-long-work-yields-and-uses-no-threads.md). */
import { setImmediate as nextTick } from 'node:timers/promises';

/** A generator that yields where other work may run, and returns its result. */
export type CooperativeTask<T> = Generator<unknown, T, undefined>;

/** Runs a task, and waits for the next tick of the event loop at each `yield`. @throws what the task throws */
export async function runCooperatively<T>(task: CooperativeTask<T>): Promise<T> {
  for (;;) {
    const { done, value } = task.next();
    if (done) return value;
    await nextTick();
  }
}

/** Runs a task without a pause. @throws what the task throws */
export function runAtOnce<T>(task: CooperativeTask<T>): T {
  for (;;) {
    const { done, value } = task.next();
    if (done) return value;
  }
}

/**
 * Returns `items.map(of)`, made cooperatively.
 * @param atOnce items between two yields: as many as take a millisecond or two
 * @throws what `of` throws
 */
export const mapCooperatively = <A, B>(
  items: readonly A[],
  atOnce: number,
  of: (item: A) => B,
): Promise<readonly B[]> => runCooperatively(mapSteps(items, atOnce, of));

/** Does what {@link mapCooperatively} does, as a part of another task. */
export function* mapSteps<A, B>(
  items: readonly A[],
  atOnce: number,
  of: (item: A) => B,
): CooperativeTask<readonly B[]> {
  const results: B[] = [];
  for (const item of items) {
    if (results.length > 0 && results.length % atOnce === 0) yield;
    results.push(of(item));
  }
  return results;
}
