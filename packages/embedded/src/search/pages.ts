/** A search in pages, each of its own snapshot, so that no transaction is open between two. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ServiceError } from '@watchword/core/foundation';
import type { Entry, PagesRequest } from '@watchword/core/ports';
import { type Access, readableBy } from '../entries/access.ts';
import { EntryView, selection } from '../entries/entry-view.ts';
import type { DirectoryContext } from '../entries/view.ts';
import { idsIn } from '../indexes/id-list.ts';
import { Snapshot } from '../storage/snapshot.ts';
import { compileFilter } from './filter-evaluation.ts';
import { candidates } from './filter-plan.ts';

const atOnce = 200;

interface Page {
  readonly entries: readonly Entry[];
  /** The entry after which the next page begins; undefined: this is the last page. */
  readonly last: number | undefined;
}

/** @throws ServiceError `not_found` (the base), `unavailable` (closed meanwhile) */
export async function* searchPages(
  context: DirectoryContext,
  request: PagesRequest,
  access: Access,
): AsyncGenerator<readonly Entry[]> {
  for (let last: number | undefined = 0; last !== undefined; await nextTurn()) {
    const page: Page = readPage(context, request, { access, after: last });
    last = page.last;
    if (page.entries.length > 0) yield page.entries;
  }
}

/** Reads a page, which ends when a pause is due. */
function readPage(
  { environment, tables, base: top }: DirectoryContext,
  { base, filter, attributes }: PagesRequest,
  { access, after }: { readonly access: Access; readonly after: number },
): Page {
  using read = environment.read();
  const snapshot = new Snapshot(tables, top, read.transaction);
  const root = snapshot.find(base);
  if (root === undefined) throw new ServiceError('not_found');
  const mayRead = readableBy(snapshot, access);
  const test = compileFilter(filter, mayRead);
  const select = selection(attributes, mayRead);
  const list = candidates(snapshot, filter);
  const entries: Entry[] = [];
  for (const id of list ? idsIn(list, after + 1) : snapshot.all(after)) {
    const stored = snapshot.entry(id);
    const view = stored && snapshot.isWithin(id, root) ? new EntryView(snapshot, id, stored) : undefined;
    if (view && test(view) === true) entries.push(select(view));
    if (entries.length >= atOnce || read.isPauseDue) return { entries, last: id };
  }
  return { entries, last: undefined };
}
