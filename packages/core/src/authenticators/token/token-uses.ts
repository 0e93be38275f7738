/** Uses of the codes of a token: what is kept of them on the entry, and what is left to be claimed. */
import type { DataChanges, StoredData } from '../../directory/data/data.ts';
import type { NumberClaim } from '../../ports/ledger.ts';
import { isSameSecret } from '../../text/same-secret.ts';
import type { CodeHolder } from '../code/authenticator.ts';
import { claimKey, claimSeconds, tokenKey } from '../code/claim-keys.ts';
import { keepState, noteState } from '../code/kept-state.ts';
import type { CodeView } from '../view.ts';
import { type Judgement, type Token, tokenRules } from './token.ts';
import { readTokens, tokenChanges } from './token-data.ts';
import { reach } from './token-state.ts';

/** A code of a token that was found right. */
interface FoundCode {
  readonly token: Token;
  readonly judgement: Judgement;
}

/** The entry goes first, where it keeps the state. */
export async function useOfToken(
  found: FoundCode,
  holder: CodeHolder,
  view: CodeView,
): Promise<{ readonly claim: NumberClaim } | 'taken' | 'unkept'> {
  const { token, judgement } = found;
  if (isOnEntry(token, view)) {
    const kept = await keepState(holder, forward(found), view);
    if (kept !== 'ours') return kept;
  }
  const key = claimKey(token, tokenRules(holder.settings), view.keys);
  return { claim: { key, value: judgement.claim, seconds: claimSeconds } };
}

/** Two stores know nothing of each other: what both can see is the entry. */
const isOnEntry = ({ type }: Token, { config }: Pick<CodeView, 'config'>): boolean =>
  type === 'HOTP' || config.stores === 'separate';

/** Only the claim guards a TOTP token of one store: a drift that is not remembered is found again the next time. */
export async function noteDrift(found: FoundCode, holder: CodeHolder, view: CodeView): Promise<void> {
  const { token, judgement } = found;
  if (!isOnEntry(token, view) && !isKept(token, judgement)) await noteState(holder, forward(found), view);
}

/** What takes the entry as far as a code. */
const forward =
  ({ token, judgement }: FoundCode) =>
  (stored: StoredData): DataChanges => {
    const now = readTokens(stored).find(({ slot }) => slot === token.slot);
    return now && isBehind(now, token, judgement) ? tokenChanges(token.slot, judgement) : new Map();
  };

/** The claim is the state of a TOTP token; the entry remembers the drift. */
function isKept(token: Token, { state }: Judgement): boolean {
  return token.type === 'TOTP' && 'drift' in state && state.drift === token.state.drift;
}

/** The same token still, and nobody has taken it further meanwhile: a state never goes back. */
function isBehind(now: Token, token: Token, { type, state }: Judgement): boolean {
  const isSame = now.type === type && isSameSecret(now.secret, token.secret);
  return isSame && reach(now.state) < reach(state);
}

/** On the entry, for people to see; where it cannot be written, the count alone keeps it from being tried. */
export async function disableToken(holder: CodeHolder, key: string, view: CodeView): Promise<void> {
  const token = holder.tokens.find((one) => tokenKey(one, view.keys) === key);
  if (token) await noteState(holder, () => tokenChanges(token.slot, { enabled: false }), view);
}
