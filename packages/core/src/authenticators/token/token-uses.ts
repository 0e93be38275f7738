/** Uses of the codes of a token: what its entry keeps of them. */
import type { DataChanges, StoredData } from '../../directory/data/data.ts';
import { isSameSecret } from '../../foundation/text/secret/same-secret.ts';
import type { AnyState, Judgement, Token } from './token.ts';
import { readTokens, tokenChanges } from './token-data.ts';
import { reach } from './token-state.ts';

/**
 * What `swapData` is to write when a code is used; nothing where the token is as far already, or another one stands there
 * now: a state never goes back.
 */
export function tokenUse(stored: Pick<StoredData, 'get'>, token: Token, judgement: AnyState): DataChanges {
  const now = readTokens(stored).find(({ slot }) => slot === token.slot);
  return now && isBehind(now, token, judgement)
    ? tokenChanges(token.slot, { state: judgement.state })
    : new Map();
}

/** The same token still, and nobody has taken it further meanwhile. */
function isBehind(now: Token, token: Token, { type, state }: AnyState): boolean {
  const isSame = now.type === type && isSameSecret(now.secret, token.secret);
  return isSame && reach(now.state) < reach(state);
}

/** The claim is the state of a TOTP token; the entry remembers the drift. */
export const isDriftKept = (token: Token, { state }: Judgement): boolean =>
  token.type === 'TOTP' && 'drift' in state && state.drift === token.state.drift;
