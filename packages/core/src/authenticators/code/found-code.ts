/** Codes, whatever they are of, found right: nothing of them is used up yet. */
import { isEmergency } from '../list/emergency.ts';
import { judgeListCode } from '../list/list.ts';
import { acceptedOf } from '../token/time-floor.ts';
import { isPassed, judgeCode, tokenRules } from '../token/token.ts';
import type { CodeView } from '../view.ts';
import type {
  Authenticator,
  CodeHolder,
  ListAuthenticator,
  RightCode,
  TokenAuthenticator,
} from './authenticator.ts';
import { claimKey } from './claim-keys.ts';
import { isAgain } from './last-code.ts';
import { behindPrefix } from './prefix.ts';

/** The code is one of its own that nobody has used. The time tells nothing of a wrong PIN before it. */
export async function findCode(
  text: string,
  of: Authenticator,
  holder: CodeHolder,
  view: CodeView,
): Promise<RightCode | undefined> {
  if (of.kind === 'EMERGENCY') return isEmergency(of.emergency, text) ? { kind: 'emergency', of } : undefined;
  const { isRight, code } = behindPrefix(of.prefix, text);
  const found = of.kind === 'TOKEN' ? await findOfToken(code, of, holder, view) : findOfList(code, of);
  return isRight ? found : undefined;
}

async function findOfToken(
  code: string,
  of: TokenAuthenticator,
  holder: CodeHolder,
  view: CodeView,
): Promise<RightCode | undefined> {
  const { token } = of;
  const rules = tokenRules(holder.settings);
  const claims = claimKey(token, rules, view.keys);
  const accepted = await acceptedOf(token, rules, { store: view.store, claims });
  const judgement = judgeCode(token, code, { rules, now: view.clock.now(), accepted });
  if (judgement) return { kind: 'token', of, code, judgement };
  return (await isAgain({ code, of, accepted }, holder, view)) ? { kind: 'again', of } : undefined;
}

function findOfList(code: string, of: ListAuthenticator): RightCode | undefined {
  const position = judgeListCode(of.list, code);
  return position === undefined ? undefined : { kind: 'list', of, position };
}

/** The code was one of its own. */
export function wasUsed(
  text: string,
  of: Authenticator,
  holder: CodeHolder,
  view: Pick<CodeView, 'clock'>,
): boolean {
  if (of.kind === 'EMERGENCY') return false;
  const { isRight, code } = behindPrefix(of.prefix, text);
  const was =
    of.kind === 'TOKEN'
      ? isPassed(of.token, code, { rules: tokenRules(holder.settings), now: view.clock.now() })
      : judgeListCode({ ...of.list, used: new Set() }, code) !== undefined;
  return was && isRight;
}
