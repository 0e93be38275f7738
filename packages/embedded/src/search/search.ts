/** Searches, RFC 4511 §4.5: plan, test, select; with a pause now and then, so that logins do not wait. */

import { type Filter, ServiceError } from '@watchword/core/foundation';
import type { Entry, Scope, SearchRequest } from '@watchword/core/ports';
import { EntryView, type MayRead, selection } from '../entries/entry-view.ts';
import { type IdList, idsIn } from '../indexes/id-list.ts';
import type { ReadTransaction } from '../storage/read-transaction.ts';
import { baseId, type Snapshot, type StoredEntry } from '../storage/snapshot.ts';
import { compileFilter } from './filter-evaluation.ts';
import { candidates } from './filter-plan.ts';

export interface SearchContext {
  readonly mayRead: MayRead;
  /** What the snapshot is of. */
  readonly reading: ReadTransaction;
}

/** @throws ServiceError `not_found` (the base), `too_large` (more than the limit), `unavailable` (closed meanwhile) */
export async function searchEntries(
  snapshot: Snapshot,
  { base, scope, filter, attributes, limit = Number.POSITIVE_INFINITY, partial }: SearchRequest,
  { mayRead, reading }: SearchContext,
): Promise<Entry[]> {
  const top = snapshot.find(base);
  if (top === undefined) throw new ServiceError('not_found');
  const test = compileFilter(filter, mayRead);
  const select = selection(attributes, mayRead);
  const found: Entry[] = [];
  for (const id of idsToLookAt(snapshot, top, { scope, filter })) {
    if (reading.isPauseDue) await reading.pause();
    const stored = snapshot.entry(id);
    if (!stored || !isInScope(snapshot, { id, stored }, { top, scope })) continue;
    const view = new EntryView(snapshot, id, stored);
    if (test(view) !== true) continue;
    if (found.length >= limit && partial) return found;
    if (found.length >= limit) throw new ServiceError('too_large', { detail: `more than ${limit} entries` });
    found.push(select(view));
  }
  return found;
}

/** The base first, the others in order of creation. */
function* idsToLookAt(
  snapshot: Snapshot,
  top: number,
  { scope, filter }: { scope: Scope; filter: Filter },
): Generator<number> {
  if (scope === 'base') return yield top;
  const list = candidates(snapshot, filter);
  const below = () => (scope === 'one' ? snapshot.children(top) : snapshot.subtree(top));
  // An entry that was moved may be older than the one it stands below.
  if (scope === 'sub' && (!list || list.seek(top) === top)) yield top;
  const isWhole = scope === 'sub' && top === baseId;
  const listed = list && (isWhole ? idsIn(list) : shorter(list, below));
  for (const id of listed ?? (isWhole ? snapshot.all() : ascending(below()))) if (id !== top) yield id;
}

/** After so many candidates the tree is first asked whether it has fewer, and then again after times as many. */
const firstLook = 64;
const times = 4;

/** What is listed, or what stands below, whichever ends first: a small unit has few of a large directory's. */
function* shorter(list: IdList, below: () => Iterable<number>): Generator<number> {
  let passed = 0;
  let nextLook = firstLook;
  for (const id of idsIn(list)) {
    yield id;
    passed += 1;
    if (passed < nextLook) continue;
    const all = atMost(below(), Math.min(nextLook, list.size - passed));
    if (all) return yield* ascending(all).filter((other) => other > id);
    nextLook *= times;
  }
}

/** All there are; undefined if they are more than `most`. */
function atMost(ids: Iterable<number>, most: number): number[] | undefined {
  const found: number[] = [];
  for (const id of ids) {
    if (found.length >= most) return undefined;
    found.push(id);
  }
  return found;
}

const ascending = (ids: Iterable<number>): number[] => [...ids].sort((a, b) => a - b);

function isInScope(
  snapshot: Snapshot,
  { id, stored }: { id: number; stored: StoredEntry },
  { top, scope }: { top: number; scope: Scope },
): boolean {
  if (scope === 'one') return stored.parent === top;
  return id === top || (scope === 'sub' && snapshot.isWithin(stored.parent, top));
}
