/** Codes of tokens: found, claimed, and what is kept of them on the entry. */

import type { DataChanges, StoredData } from '../../directory/data/data.ts';
import { isSameSecret } from '../../text/same-secret.ts';
import type { Authenticator, CodeHolder, RightCode } from '../code/authenticator.ts';
import { claimKey, tokenKey } from '../code/claim-keys.ts';
import { keepState, noteState, type Use } from '../code/kept-state.ts';
import type { CodeView } from '../view.ts';
import { acceptedOf } from './time-floor.ts';
import {
  claimSeconds,
  isPassed,
  isUsable,
  type Judgement,
  judgeCode,
  reach,
  type Token,
  tokenRules,
} from './token.ts';
import { readTokens, tokenChanges } from './token-data.ts';

/** Tokens whose codes may log in, as far as the entry says. */
export function usableTokens(
  { tokens }: Pick<CodeHolder, 'tokens'>,
  { clock }: Pick<CodeView, 'clock'>,
): readonly Token[] {
  const now = clock.now();
  return tokens.filter((token) => isUsable(token, now));
}

/** A token as something whose codes log in, each at a number that nobody has claimed. */
export function tokenAuthenticator(token: Token, account: CodeHolder, view: CodeView): Authenticator {
  const { clock, keys, store } = view;
  const rules = tokenRules(account.settings);
  const claims = claimKey(token, rules, keys);
  return {
    key: tokenKey(token, keys),
    name: `token ${token.slot}`,
    slot: token.slot,
    reached: reach(token.state),
    find: async (code) => {
      const accepted = await acceptedOf(token, rules, { store, claims });
      const judgement = judgeCode(token, code, { rules, now: clock.now(), accepted });
      return judgement && rightCode({ token, judgement, claims }, account, view);
    },
    wasUsed: (code) => isPassed(token, code, { rules, now: clock.now() }),
  };
}

function rightCode(found: FoundCode, account: CodeHolder, view: CodeView): RightCode {
  const { token, judgement, claims } = found;
  const claim = async (): Promise<Use> =>
    (await view.store.claim(claims, judgement.claim, claimSeconds)) ? 'ours' : 'taken';
  return {
    factor: 'TOKEN',
    reached: reach(judgement.state),
    use: async () => {
      // Two stores know nothing of each other: what both can see is the entry.
      if (token.type === 'HOTP' || view.config.stores === 'separate') {
        const kept = await keepState(account, forward(found), view);
        return kept === 'ours' ? claim() : kept;
      }
      const use = await claim();
      // Only the claim guards a TOTP token: a drift that is not remembered is found again the next time.
      if (use === 'ours' && !isKept(token, judgement)) await noteState(account, forward(found), view);
      return use;
    },
  };
}

interface FoundCode {
  readonly token: Token;
  readonly judgement: Judgement;
  /** Where the numbers of the token are claimed. */
  readonly claims: string;
}

/** What takes the entry as far as a code. */
const forward =
  ({ token, judgement }: Pick<FoundCode, 'token' | 'judgement'>) =>
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
