/** Uses of an emergency password. */
import type { DataChanges, StoredData } from '../../directory/data/data.ts';
import type { NumberClaim } from '../../ports/ledger.ts';
import type { CodeHolder } from '../code/authenticator.ts';
import { claimSeconds, emergencyKey } from '../code/claim-keys.ts';
import { keepState } from '../code/kept-state.ts';
import type { CodeView } from '../view.ts';
import { type Emergency, emergencyUse } from './emergency.ts';

/**
 * Counts one use on the entry, where uses are counted. Each has a number of its own; one that the store knows already, of an
 * entry that was set back, is passed over. What is left is the claim of the number.
 */
export async function useOfEmergency(
  emergency: Emergency,
  holder: CodeHolder,
  view: CodeView,
): Promise<{ readonly claim?: NumberClaim; readonly isOneOfMany?: boolean } | 'taken' | 'unkept'> {
  if (emergency.uses === 0) return {};
  const { store, keys } = view;
  const key = emergencyKey(holder.dn, emergency, keys);
  const claimed = await store.claimed(key);
  let number = 0;
  const count = (stored: StoredData): DataChanges => {
    const use = emergencyUse(stored, emergency, claimed);
    number = use?.number ?? 0;
    return use?.changes ?? new Map();
  };
  const kept = await keepState(holder, count, view);
  if (kept !== 'ours') return kept;
  return { claim: { key, value: number, seconds: claimSeconds }, isOneOfMany: true };
}
