/** Codes of tokens, found: nothing is used up by it. */
import type { CodeHolder } from '../code/authenticator.ts';
import { claimKey } from '../code/claim-keys.ts';
import type { CodeView } from '../view.ts';
import { acceptedOf } from './time-floor.ts';
import { isPassed, type Judgement, judgeCode, type Token, tokenRules } from './token.ts';

/** Whether a code is a token's at a number that nobody has claimed; undefined: it is not. */
export async function findTokenCode(
  token: Token,
  code: string,
  { settings }: Pick<CodeHolder, 'settings'>,
  { clock, keys, store }: Pick<CodeView, 'clock' | 'keys' | 'store'>,
): Promise<Judgement | undefined> {
  const rules = tokenRules(settings);
  const accepted = await acceptedOf(token, rules, { store, claims: claimKey(token, rules, keys) });
  return judgeCode(token, code, { rules, now: clock.now(), accepted });
}

/** Whether a code was a token's at a number that it has passed. */
export const wasTokenCode = (
  token: Token,
  code: string,
  { settings }: Pick<CodeHolder, 'settings'>,
  { clock }: Pick<CodeView, 'clock'>,
): boolean => isPassed(token, code, { rules: tokenRules(settings), now: clock.now() });
