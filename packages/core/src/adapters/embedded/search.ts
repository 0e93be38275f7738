/** Searches, RFC 4511 §4.5: plan, test, select; with a pause now and then, so that logins do not wait. */
import type { Entry, Scope, SearchRequest } from '../../directory/directory.ts';
import type { Filter } from '../../directory/filter.ts';
import { ServiceError } from '../../errors.ts';
import { EntryView, type MayRead, selection } from './entry-view.ts';
import { compileFilter } from './filter-evaluation.ts';
import { candidates } from './filter-plan.ts';
import type { Reading } from './reading.ts';
import { baseId, type Snapshot, type StoredEntry } from './snapshot.ts';

export interface SearchContext {
  readonly mayRead: MayRead;
  /** What the snapshot is of. */
  readonly reading: Reading;
}

/** @throws ServiceError `not_found` (the base), `too_large` (more than the limit), `unavailable` (closed meanwhile) */
export async function searchEntries(
  snapshot: Snapshot,
  { base, scope, filter, attributes, limit = Number.POSITIVE_INFINITY }: SearchRequest,
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
    if (found.length >= limit) throw new ServiceError('too_large', { detail: `more than ${limit} entries` });
    found.push(select(view));
  }
  return found;
}

/** So few candidates are looked at faster than the tree is asked for fewer. */
const fewCandidates = 64;

/** The base first, the others in order of creation. */
function idsToLookAt(
  snapshot: Snapshot,
  top: number,
  { scope, filter }: { scope: Scope; filter: Filter },
): readonly number[] {
  if (scope === 'base') return [top];
  const byFilter = candidates(snapshot, filter);
  if (byFilter && byFilter.length <= fewCandidates) return baseFirst(byFilter, top);
  const byTree =
    scope === 'one' ? snapshot.children(top) : top === baseId ? snapshot.all() : snapshot.subtree(top);
  const inScope = atMost(byTree, byFilter?.length ?? Number.POSITIVE_INFINITY);
  return baseFirst(inScope?.sort((a, b) => a - b) ?? byFilter ?? [], top);
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

/** An entry that was moved may be older than the one it stands below. */
function baseFirst(ids: readonly number[], top: number): readonly number[] {
  if (ids[0] === top || !ids.includes(top)) return ids;
  return [top, ...ids.filter((id) => id !== top)];
}

function isInScope(
  snapshot: Snapshot,
  { id, stored }: { id: number; stored: StoredEntry },
  { top, scope }: { top: number; scope: Scope },
): boolean {
  if (scope === 'one') return stored.parent === top;
  return id === top || (scope === 'sub' && snapshot.isWithin(stored.parent, top));
}
