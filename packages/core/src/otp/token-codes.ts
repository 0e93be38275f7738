/** Codes of tokens: found, claimed, and what is kept of them on the entry. */
import type { Core } from '../core.ts';
import type { DataChanges, StoredData } from '../directory/data.ts';
import type { View } from '../method.ts';
import type { Account } from './account.ts';
import type { RightCode } from './codes.ts';
import { keepState, noteState, type Use } from './kept-state.ts';
import {
  claimKey,
  claimSeconds,
  isUsable,
  type Judgement,
  judgeCode,
  reach,
  type Token,
  type TokenRules,
  tokenKey,
  tokenRules,
} from './token.ts';
import { readTokens, tokenChanges } from './token-data.ts';

/** So many wrong codes between two right ones disable a token (concepts.md §7). */
export const mostWrongCodes = 100;

/** Tokens whose codes may log in, as far as the entry says. */
export function usableTokens({ tokens }: Pick<Account, 'tokens'>, { clock }: Core): readonly Token[] {
  const now = clock.now();
  return tokens.filter((token) => isUsable(token, now));
}

/** The token that has this code at a number that nobody has claimed. */
export async function findTokenCode(
  code: string,
  account: Account,
  view: View,
): Promise<RightCode | undefined> {
  const rules = tokenRules(account.settings);
  for (const token of usableTokens(account, view.core)) {
    const judgement = await judgeToken(token, code, { account, rules, core: view.core });
    if (judgement) return rightCode({ token, judgement }, account, view);
  }
  return undefined;
}

async function judgeToken(
  token: Token,
  code: string,
  { account, rules, core: { store, clock } }: { account: Account; rules: TokenRules; core: Core },
): Promise<Judgement | undefined> {
  if ((await wrongCodes(token, account, store)) >= mostWrongCodes) return undefined;
  const accepted = await store.claimed(claimKey(account.id, token, rules));
  return judgeCode(token, code, { rules, now: clock.now(), accepted });
}

function rightCode(found: FoundCode, account: Account, view: View): RightCode {
  const { token, judgement } = found;
  const claim = async (): Promise<Use> => {
    const { store } = view.core;
    const key = claimKey(account.id, token, tokenRules(account.settings));
    if (!(await store.claim(key, judgement.claim, claimSeconds))) return 'taken';
    if ((await wrongCodes(token, account, store)) > 0) await store.remove(wrongKey(account.id, token));
    return 'ours';
  };
  return {
    factor: 'TOKEN',
    use: async () => {
      if (token.type === 'HOTP') {
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
  const isSame = now.type === type && Buffer.from(now.secret).equals(token.secret);
  return isSame && reach(now.state) < reach(state);
}

/**
 * Counts a code that came behind a right password and was nobody's: against each token that it could have been
 * of. One that has had too many is disabled until an administrator enables it.
 * @returns the slots that were disabled now
 */
export async function countWrongCode(account: Account, view: View): Promise<readonly number[]> {
  const { store } = view.core;
  const tokens = usableTokens(account, view.core);
  const step = { by: 1, seconds: claimSeconds };
  const counts = await Promise.all(tokens.map((token) => store.count(wrongKey(account.id, token), step)));
  const spent = tokens.filter((_, index) => (counts[index] ?? 0) >= mostWrongCodes);
  // Where the entry cannot be written, the count alone keeps it from being judged.
  for (const token of spent)
    await noteState(account, () => tokenChanges(token.slot, { enabled: false }), view);
  return spent.map(({ slot }) => slot);
}

const wrongCodes = async (token: Token, { id }: Account, store: Core['store']): Promise<number> =>
  (await store.count(wrongKey(id, token), { by: 0, seconds: claimSeconds })) ?? 0;

/** Where the wrong codes of a token are counted; removed when one is right, and when it is enabled again. */
export const wrongKey = (entry: string, token: Pick<Token, 'slot' | 'type' | 'secret'>): string =>
  `wrong:${token.slot}:${tokenKey(entry, token)}`;
