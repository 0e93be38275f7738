/** Tokens that too many wrong codes were tried with. */
import type { CodeHolder } from '../code/authenticator.ts';
import { tokenKey } from '../code/claim-keys.ts';
import { noteState } from '../code/kept-state.ts';
import type { CodeView } from '../view.ts';
import { tokenChanges } from './token-data.ts';

/** On the entry, for people to see; where it cannot be written, the count alone keeps it from being tried. */
export async function disableToken(holder: CodeHolder, key: string, view: CodeView): Promise<void> {
  const token = holder.tokens.find((one) => tokenKey(one, view.keys) === key);
  if (token) await noteState(holder, () => tokenChanges(token.slot, { enabled: false }), view);
}
