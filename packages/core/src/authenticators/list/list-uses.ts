/** Uses of the codes of a printed list. */
import type { DataChanges, StoredData } from '../../directory/data/data.ts';
import { isSameSecret } from '../../text/same-secret.ts';
import type { CodeHolder } from '../code/authenticator.ts';
import { claimSeconds, listClaimKey } from '../code/claim-keys.ts';
import { keepState, type Use } from '../code/kept-state.ts';

import type { CodeView } from '../view.ts';
import { type CodeList, listUse, readList } from './list.ts';

/** Makes the code of a position one login's alone: on the entry, and then in the store, durably. */
export async function useListCode(
  { list, position }: { readonly list: CodeList; readonly position: number },
  holder: CodeHolder,
  view: CodeView,
): Promise<Use> {
  const cross = (stored: StoredData): DataChanges => {
    const now = readList(stored);
    const isSame = now !== undefined && isSameSecret(now.secret, list.secret);
    return isSame && !now.used.has(position) ? listUse(now, position) : new Map();
  };
  const kept = await keepState(holder, cross, view);
  if (kept !== 'ours') return kept;
  return (await view.store.claim(listClaimKey(list, position, view.keys), 0, claimSeconds))
    ? 'ours'
    : 'taken';
}
