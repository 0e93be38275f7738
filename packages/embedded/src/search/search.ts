/** Searches, RFC 4511 §4.5: plan, test, select. They yield to the event loop, so that logins do not wait. */

import { type Filter, ServiceError } from '@watchword/core/foundation';
import type { Entry, SearchRequest, SearchScope } from '@watchword/core/ports';
import { EntryView, type MayRead, selection } from '../entries/entry-view.ts';
import { type IdList, idsIn } from '../indexes/id-list.ts';
import type { ReadTransaction } from '../storage/read-transaction.ts';
import { baseId, type Snapshot, type StoredEntry } from '../storage/snapshot.ts';
import { compileFilter } from './filter-evaluation.ts';
import { candidates } from './filter-plan.ts';

export interface SearchContext {
  readonly mayRead: MayRead;
  /** The transaction of the snapshot. */
  readonly read: ReadTransaction;
}

/** @throws ServiceError `not_found` (the base), `too_large` (more than the limit), `unavailable` (closed meanwhile) */
export async function searchEntries(
  snapshot: Snapshot,
  { base, scope, filter, attributes, limit = Number.POSITIVE_INFINITY, partial }: SearchRequest,
  { mayRead, read }: SearchContext,
): Promise<Entry[]> {
  const top = snapshot.find(base);
  if (top === undefined) throw new ServiceError('not_found');
  const test = compileFilter(filter, mayRead);
  const select = selection(attributes, mayRead);
  const found: Entry[] = [];
  for (const id of candidateIds(snapshot, top, { scope, filter })) {
    if (read.isPauseDue) await read.pause();
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

/** Returns the base, and then the others in order of creation. */
function* candidateIds(
  snapshot: Snapshot,
  top: number,
  { scope, filter }: { scope: SearchScope; filter: Filter },
): Generator<number> {
  if (scope === 'base') return yield top;
  const list = candidates(snapshot, filter);
  const below = () => (scope === 'one' ? snapshot.children(top) : snapshot.subtree(top));
  // A moved entry may be older than its parent.
  if (scope === 'sub' && (!list || list.seek(top) === top)) yield top;
  const isWhole = scope === 'sub' && top === baseId;
  const listed = list && (isWhole ? idsIn(list) : fewer(list, below));
  for (const id of listed ?? (isWhole ? snapshot.all() : ascending(below()))) if (id !== top) yield id;
}

/** After this many candidates the tree is checked for a smaller subtree, and again after `growth` times as many. */
const firstCheck = 64;
const growth = 4;

/** Returns the listed entries, or those of the subtree if they are fewer. */
function* fewer(list: IdList, below: () => Iterable<number>): Generator<number> {
  let passed = 0;
  let nextCheck = firstCheck;
  for (const id of idsIn(list)) {
    yield id;
    passed += 1;
    if (passed < nextCheck) continue;
    const all = atMost(below(), Math.min(nextCheck, list.size - passed));
    if (all) return yield* ascending(all).filter((other) => other > id);
    nextCheck *= growth;
  }
}

/** Collects ids; undefined if there are more than `most`. */
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
  { top, scope }: { top: number; scope: SearchScope },
): boolean {
  if (scope === 'one') return stored.parent === top;
  return id === top || (scope === 'sub' && snapshot.isWithin(stored.parent, top));
}
