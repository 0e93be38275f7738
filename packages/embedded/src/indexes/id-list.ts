/**
 * Lists of entry numbers, in ascending order, that are read only as far as somebody asks: a search that ends
 * early leaves the rest unread, and a long list that is met with a short one is read where the short one is.
 */
export interface IdList {
  /** How many there are; may be too many, never too few. */
  readonly size: number;
  /** The least number that is not less than `from`; undefined if there is none. */
  seek(from: number): number | undefined;
}

export const none: IdList = { size: 0, seek: () => undefined };

/** @param ids in ascending order */
export function listOf(ids: ArrayLike<number>): IdList {
  return { size: ids.length, seek: (from) => ids[placeOf(ids, from)] };
}

/** All numbers of a list that are not less than `from`; it may be left in the middle. */
export function* idsIn(list: IdList, from = 0): Generator<number> {
  for (let id = list.seek(from); id !== undefined; id = list.seek(id + 1)) yield id;
}

/** Where the first number stands that is not less than `from`; behind the last if all are less. */
export function placeOf(ids: ArrayLike<number>, from: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? from) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * What all lists have in common, and a few others: one `seek` asks the lists `mostLeaps` times at most and then
 * gives the least number that it could not rule out. So no `seek` takes long, whatever is in the lists.
 */
export function intersection(lists: readonly IdList[], mostLeaps: number): IdList {
  const [first, ...others] = [...lists].sort((a, b) => a.size - b.size);
  if (!first) return none;
  if (others.length === 0) return first;
  return { size: first.size, seek: (from) => leap([first, ...others], { from, mostLeaps }) };
}

/**
 * A list that has not got the number raises it to its own next one, and the shortest is asked again. So a long
 * list is asked only for what all shorter ones have.
 */
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

/** What is in any of the lists. */
export function union(lists: readonly IdList[]): IdList {
  const filled = lists.filter(({ size }) => size > 0);
  const [first, ...others] = filled.map(remembered);
  if (!first || others.length === 0) return filled[0] ?? none;
  return {
    size: filled.reduce((sum, { size }) => sum + size, 0),
    seek: (from) => others.reduce((least, list) => lesser(least, list.seek(from)), first.seek(from)),
  };
}

/** The same list, which keeps its last answer as long as it holds: in a union only one of many moves on. */
function remembered({ size, seek }: IdList): IdList {
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

function lesser(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined) return b;
  return b === undefined ? a : Math.min(a, b);
}
