/** Disables a token after too many wrong codes. */
import type { DataChanges, StoredData } from '../directory/data/data.ts';
import type { AuthenticatorOwner, CodeContext } from './authenticator.ts';
import { tokenKey } from './claim-keys.ts';
import { noteState } from './entry-state.ts';
import { readTokens, tokenChanges } from './token-data.ts';

/**
 * Disables the token on its entry, where administrators see it. Where the entry cannot be written, the count alone keeps the token from being
 * tried. A token that was registered in its place meanwhile stays as it is.
 */
export async function disableToken(owner: AuthenticatorOwner, key: string, view: CodeContext): Promise<void> {
  const disable = (stored: StoredData): DataChanges => {
    const token = readTokens(stored).find((one) => tokenKey(one, view.keys) === key);
    return token ? tokenChanges(token.slot, { enabled: false }) : new Map();
  };
  await noteState(owner, disable, view);
}
