/** Long work in stints: between two of them all others have their turn of the event loop. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work that can be left where it yields, and be taken up again. */
export type Work<T> = Generator<unknown, T, undefined>;

/** Does the work, with a turn for others wherever it yields. @throws what the work throws */
export async function inStints<T>(work: Work<T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await nextTurn();
  }
}

/** Does the work in one go, for those who keep nobody waiting. @throws what the work throws */
export function inOneGo<T>(work: Work<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/**
 * `items.map(of)`, with a turn for others after every `atOnce` of them: so many that they take a millisecond or two.
 * @throws what `of` throws
 */
export const mapInStints = <A, B>(
  items: readonly A[],
  atOnce: number,
  of: (item: A) => B,
): Promise<readonly B[]> => inStints(mapping(items, atOnce, of));

/** The same as a part of other work. */
export function* mapping<A, B>(items: readonly A[], atOnce: number, of: (item: A) => B): Work<readonly B[]> {
  const results: B[] = [];
  for (const item of items) {
    if (results.length > 0 && results.length % atOnce === 0) yield;
    results.push(of(item));
  }
  return results;
}
