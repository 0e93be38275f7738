/** A lazy list of entry numbers in ascending order: it is read only where a search seeks. */
export interface IdList {
  /** An upper bound of the number of ids. */
  readonly size: number;
  /** Returns the least id that is at least `from`; undefined if there is none. */
  seek(from: number): number | undefined;
}

export const none: IdList = { size: 0, seek: () => undefined };

/** @param ids in ascending order */
export function listOf(ids: ArrayLike<number>): IdList {
  return { size: ids.length, seek: (from) => ids[lowerBound(ids, from)] };
}

/** Iterates over the ids that are at least `from`. */
export function* idsIn(list: IdList, from = 0): Generator<number> {
  for (let id = list.seek(from); id !== undefined; id = list.seek(id + 1)) yield id;
}

/** Returns the index of the first id that is at least `from`, or the length if there is none. */
export function lowerBound(ids: ArrayLike<number>, from: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? from) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Intersects lists, with a few ids too many. After `mostLeaps` look-ups a `seek` returns the least id that it could not rule out, and so ends
 * soon.
 */
export function intersection(lists: readonly IdList[], mostLeaps: number): IdList {
  const [first, ...others] = [...lists].sort((a, b) => a.size - b.size);
  if (!first) return none;
  if (others.length === 0) return first;
  return { size: first.size, seek: (from) => leap([first, ...others], { from, mostLeaps }) };
}

/** A leapfrog join: a list without the id raises it to its own next one, and the shortest list is asked again. */
function leap(
  lists: readonly IdList[],
  { from, mostLeaps }: { from: number; mostLeaps: number },
): number | undefined {
  let reached = from;
  let agreeing = 0;
  for (let leaps = 0; agreeing < lists.length; leaps += 1) {
    if (leaps > 0 && leaps >= mostLeaps) return reached;
    const next = lists[agreeing]?.seek(reached);
    if (next === undefined) return undefined;
    agreeing = next === reached || agreeing === 0 ? agreeing + 1 : 0;
    reached = next;
  }
  return reached;
}

/** Unites lists. */
export function union(lists: readonly IdList[]): IdList {
  const filled = lists.filter(({ size }) => size > 0);
  const [first, ...others] = filled.map(cached);
  if (!first || others.length === 0) return filled[0] ?? none;
  return {
    size: filled.reduce((sum, { size }) => sum + size, 0),
    seek: (from) => others.reduce((least, list) => minimum(least, list.seek(from)), first.seek(from)),
  };
}

/** Caches the last answer of a list while it is valid: each step of a union advances few lists. */
function cached({ size, seek }: IdList): IdList {
  let asked = 0;
  let answer: number | undefined = -1;
  return {
    size,
    seek: (from) => {
      const holds = asked <= from && (answer === undefined || from <= answer);
      if (!holds) [asked, answer] = [from, seek(from)];
      return answer;
    },
  };
}

function minimum(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined) return b;
  return b === undefined ? a : Math.min(a, b);
}
