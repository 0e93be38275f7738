/** Children in pages, in the order of the table of names, which can continue after any of them. */

import { ServiceError } from '@watchword/core/foundation';
import type { ChildrenPage, ChildrenRequest, Entry } from '@watchword/core/ports';
import { EntryView, selection } from '../entries/entry-view.ts';
import type { Snapshot } from '../storage/snapshot.ts';
import { compileFilter } from './filter-evaluation.ts';
import type { SearchContext } from './search.ts';

/** Most entries tested for a page: a filter that matches few gets a short page after some tenths of a second. */
const mostTested = 20_000;

/** @throws ServiceError `not_found` (the base), `invalid_params`, `unavailable` (closed meanwhile) */
export async function readChildren(
  snapshot: Snapshot,
  { base, filter, attributes, limit, after }: ChildrenRequest,
  { mayRead, read }: SearchContext,
): Promise<ChildrenPage> {
  const top = snapshot.find(base);
  if (top === undefined) throw new ServiceError('not_found');
  const test = compileFilter(filter, mayRead);
  const select = selection(attributes, mayRead);
  const entries: Entry[] = [];
  let tested = 0;
  let last = after === undefined ? '' : readKey(after);
  for (const { id, key } of snapshot.childrenAfter(top, last)) {
    if (entries.length >= limit || tested >= mostTested) return { entries, next: writeKey(last) };
    if (read.isPauseDue) await read.pause();
    tested += 1;
    last = key;
    const stored = snapshot.entry(id);
    const view = stored && new EntryView(snapshot, id, stored);
    if (view && test(view) === true) entries.push(select(view));
  }
  return { entries, next: undefined };
}

const writeKey = (key: string): string => Buffer.from(key, 'utf8').toString('base64url');

/** The limit in characters beyond which RDNs are hashed in the table. */
const longestKey = 200;

function readKey(text: string): string {
  const key = Buffer.from(text, 'base64url').toString('utf8');
  if (key !== '' && key.length <= longestKey && writeKey(key) === text) return key;
  throw new ServiceError('invalid_params', { detail: 'unknown or malformed page token' });
}
