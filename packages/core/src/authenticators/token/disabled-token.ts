/** Tokens that too many wrong codes were tried with. */
import type { DataChanges, StoredData } from '../../directory/data/data.ts';
import type { CodeContext, CodeHolder } from '../authenticator.ts';
import { tokenKey } from '../claim-keys.ts';
import { noteState } from '../entry-state.ts';
import { readTokens, tokenChanges } from '../token-data.ts';

/**
 * On the entry, for people to see; where it cannot be written, the count alone keeps it from being tried. One that was
 * registered in its place meanwhile stays as it is.
 */
export async function disableToken(holder: CodeHolder, key: string, view: CodeContext): Promise<void> {
  const disable = (stored: StoredData): DataChanges => {
    const token = readTokens(stored).find((one) => tokenKey(one, view.keys) === key);
    return token ? tokenChanges(token.slot, { enabled: false }) : new Map();
  };
  await noteState(holder, disable, view);
}
