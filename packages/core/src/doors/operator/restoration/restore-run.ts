/** The context of the steps of a restore. */

import { claimSeconds } from '../../../authenticators/claim-keys.ts';
import type { Domains } from '../../../directory/domain.ts';
import type { StoreBindings } from '../../../directory/store-binding/store-bindings.ts';
import type { ProfileContext } from '../../../directory/view.ts';
import type { DirectoryServer } from '../../../ports/directory/directory.ts';
import type { KeyRing } from '../../../ports/keys.ts';
import type { EntryRecords } from '../../../ports/store/entry-records.ts';
import type { Store } from '../../../ports/store/store.ts';
import type { Closed } from './used-since.ts';

/** Entries and records of all directories, and what is kept of codes. */
export interface RestoreView extends ProfileContext {
  readonly store: Store;
  readonly keys: KeyRing;
  readonly entryRecords: EntryRecords;
  readonly server: Pick<DirectoryServer, 'capabilities' | 'service' | 'pages'>;
  readonly storeBindings: StoreBindings;
  readonly domains: Pick<Domains, 'bases'>;
}

export interface RestoreRun {
  readonly view: RestoreView;
  /** False: nothing is written, and it is said what would be. */
  readonly writes: boolean;
  /** The moment that the folder is of: what a token is raised to is noted for this restore. */
  readonly taken: number;
  /** The most codes of one token that may have been used since. */
  readonly uses: number;
  /** The directories in front of which we stand were put back as well. */
  readonly withDirectories: boolean;
  /** Keeps who was concerned, and how, in the event log. */
  readonly tell: (dn: string, closed: Closed) => Promise<void>;
  /** Reports the number of entries looked at, after each hundred. */
  readonly progress: (entries: number) => void;
}

/** The family of counters to which tokens are raised, kept until the end of the restore. */
export const raisedFamily = 'restore-raised';

/** @returns what is kept of an entry's tokens, see `Closing` */
export function noteIn({
  view,
  writes,
  taken,
}: RestoreRun): (token: string, target: number) => Promise<number> {
  const { store } = view;
  return async (token, target) => {
    const key = `${raisedFamily}:${taken}:${token}`;
    const noted = await store.claimed(key);
    if (noted !== undefined || !writes) return noted ?? target;
    await store.claim(key, target, claimSeconds);
    return target;
  };
}

/** Removes all of a family, or only counts it. */
export async function dropFamily(
  family: string,
  { store }: { readonly store: Store },
  { writes }: Pick<RestoreRun, 'writes'>,
): Promise<number> {
  let count = 0;
  for await (const page of store.family(family)) {
    count += page.length;
    if (writes) await Promise.all(page.map(({ key }) => store.remove(key)));
  }
  return count;
}
