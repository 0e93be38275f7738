/** Uses of the codes of a printed list. */
import type { DataChanges, StoredData } from '../../directory/data/data.ts';
import type { NumberClaim } from '../../ports/ledger.ts';
import { isSameSecret } from '../../text/same-secret.ts';
import type { CodeHolder } from '../code/authenticator.ts';
import { claimSeconds, listClaimKey } from '../code/claim-keys.ts';
import { keepState } from '../code/kept-state.ts';
import type { CodeView } from '../view.ts';
import { type CodeList, listUse, readList } from './list.ts';

/** Crosses out a position on the entry. What is left is the claim. */
export async function useOfList(
  { list, position }: { readonly list: CodeList; readonly position: number },
  holder: CodeHolder,
  view: CodeView,
): Promise<{ readonly claim: NumberClaim } | 'taken' | 'unkept'> {
  const cross = (stored: StoredData): DataChanges => {
    const now = readList(stored);
    const isSame = now !== undefined && isSameSecret(now.secret, list.secret);
    return isSame && !now.used.has(position) ? listUse(now, position) : new Map();
  };
  const kept = await keepState(holder, cross, view);
  if (kept !== 'ours') return kept;
  return { claim: { key: listClaimKey(list, position, view.keys), value: 0, seconds: claimSeconds } };
}
