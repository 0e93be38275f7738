/** Which format the indexes of a data folder have, and the way from an earlier one: they are made anew. */
import { StartError } from '@watchword/core/foundation';
import type { Environment } from '../storage/environment.ts';
import type { Tables } from '../storage/snapshot.ts';
import { indexKeys } from './index-keys.ts';
import { PostingsChange } from './postings-change.ts';

/** To be raised when postings are kept, or index keys made, in another way. Folders without one are older. */
const format = 2;

/** Entries whose postings are collected before they are written. */
const entriesAtOnce = 1000;

/**
 * Makes all indexes from the entries if they have an earlier format: all in one transaction, so that a crash
 * leaves the earlier ones. It takes about as long as to load the entries.
 * @throws StartError if a later version has made them
 */
export async function ensureIndex(environment: Environment, tables: Tables): Promise<void> {
  const known = () => Number(tables.settings.get('index') ?? 0);
  if (known() > format)
    throw new StartError('The directory in the data folder was written by a later version of Watchword.');
  if (known() === format) return;
  await environment.write(() => {
    // Another process may have been faster.
    if (known() < format) rebuild(tables);
  });
}

function rebuild({ entries, postings, settings }: Tables): void {
  postings.clearSync();
  const change = new PostingsChange();
  let collected = 0;
  for (const { key: id, value } of entries.getRange()) {
    for (const key of indexKeys(new Map(value[2]))) change.add(key, id);
    collected += 1;
    if (collected % entriesAtOnce === 0) change.apply(postings);
  }
  change.apply(postings);
  settings.put('index', String(format));
}
