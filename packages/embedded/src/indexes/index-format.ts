/** The format of the indexes of a data folder. Indexes of an earlier format are rebuilt. */
import { StartError } from '@watchword/core/foundation';
import type { Environment } from '../storage/environment.ts';
import type { Tables } from '../storage/snapshot.ts';
import { indexKeys } from './index-keys.ts';
import { PostingsChange } from './postings-change.ts';

/** Raise it when the form of postings or index keys changes. Folders without one are older. */
const format = 2;

/** Entries whose postings are collected before they are written. */
const entriesAtOnce = 1000;

/**
 * Rebuilds indexes of an earlier format in one transaction, which takes about as long as an import of the entries.
 * @throws StartError if the format is of a later version
 */
export async function ensureIndex(environment: Environment, tables: Tables): Promise<void> {
  const known = () => Number(tables.settings.get('index') ?? 0);
  if (known() > format)
    throw new StartError('The directory in the data folder was written by a later version of Watchword.');
  if (known() === format) return;
  await environment.write(() => {
    // Another process may have rebuilt them.
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
