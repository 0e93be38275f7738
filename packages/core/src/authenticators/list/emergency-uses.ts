/** Uses of an emergency password. */
import type { DataChanges, StoredData } from '../../directory/data/data.ts';
import type { CodeHolder } from '../code/authenticator.ts';
import { claimSeconds, emergencyKey } from '../code/claim-keys.ts';
import { keepState, type Use } from '../code/kept-state.ts';

import type { CodeView } from '../view.ts';
import { type Emergency, emergencyUse } from './emergency.ts';

/**
 * Counts one use, where uses are counted. Each has a number of its own; one that the store knows already, of an entry
 * that was set back, is passed over.
 */
export async function useEmergency(emergency: Emergency, holder: CodeHolder, view: CodeView): Promise<Use> {
  if (emergency.uses === 0) return 'ours';
  const { store, keys } = view;
  const key = emergencyKey(holder.dn, emergency, keys);
  for (;;) {
    const claimed = await store.claimed(key);
    let number = 0;
    const count = (stored: StoredData): DataChanges => {
      const use = emergencyUse(stored, emergency, claimed);
      number = use?.number ?? 0;
      return use?.changes ?? new Map();
    };
    const kept = await keepState(holder, count, view);
    if (kept !== 'ours') return kept;
    if (await store.claim(key, number, claimSeconds)) return 'ours';
  }
}
