/** Codes, whatever they are of, found right: nothing of them is used up yet. */
import { isEmergency } from '../list/emergency.ts';
import { judgeListCode } from '../list/list.ts';
import { judgeOcra, type OcraJudging, type OcraToken } from '../token/ocra-token.ts';
import { acceptedOf } from '../token/time-floor.ts';
import { clockOff, isPassed, judgeCode } from '../token/token.ts';
import { yubicoOf } from '../token/yubico.ts';
import type { JudgingView } from '../view.ts';
import type {
  Authenticator,
  CodeHolder,
  ListAuthenticator,
  RightCode,
  TokenAuthenticator,
} from './authenticator.ts';
import { isAgain } from './last-code.ts';
import { behindPrefix } from './prefix.ts';
import { isSentCode } from './sent-code.ts';

/** The code is one of its own that nobody has used, as far as is known here. The time tells nothing of a wrong PIN before it. */
export function findCode(
  text: string,
  of: Authenticator,
  holder: CodeHolder,
  view: JudgingView,
): RightCode | undefined {
  if (of.kind === 'EMERGENCY') return isEmergency(of.emergency, text) ? { kind: 'emergency', of } : undefined;
  if (of.kind === 'SMS' || of.kind === 'MAIL')
    return isSentCode(text, of, view) ? { kind: 'sent', of } : undefined;
  const { isRight, code } = behindPrefix(of.prefix, text);
  const found = of.kind === 'TOKEN' ? findOfToken(code, of, holder, view) : findOfList(code, of);
  return isRight ? found : undefined;
}

function findOfToken(
  code: string,
  of: TokenAuthenticator,
  holder: CodeHolder,
  view: JudgingView,
): RightCode | undefined {
  const { token } = of;
  if (token.type === 'YUBICLOUD') {
    const otp = yubicoOf(code, token.id ?? '');
    return otp === undefined ? undefined : { kind: 'cloud', of, otp };
  }
  const { rules } = of;
  const accepted = acceptedOf(token, rules, { known: view.known, claims: of.claims });
  if (token.type === 'OCRA')
    return findOfOcra(code, { ...of, token }, { rules, now: view.clock.now(), accepted });
  const judgement = judgeCode(token, code, { rules, now: view.clock.now(), accepted });
  if (judgement) return { kind: 'token', of, code, judgement };
  return isAgain({ code, of, accepted }, holder, view) ? { kind: 'again', of } : undefined;
}

function findOfOcra(
  code: string,
  { question, ...of }: TokenAuthenticator & { readonly token: OcraToken },
  judging: Omit<OcraJudging, 'question'>,
): RightCode | undefined {
  const judgement = question === undefined ? undefined : judgeOcra(of.token, code, { ...judging, question });
  return judgement && { kind: 'ocra', of, judgement };
}

function findOfList(code: string, of: ListAuthenticator): RightCode | undefined {
  const position = judgeListCode(of.list, code);
  return position === undefined ? undefined : { kind: 'list', of, position };
}

/** Seconds that the clock of a token is off whose code is right for another moment; undefined: it is right for none nearby. */
export function otherMoment(
  text: string,
  of: Authenticator,
  view: Pick<JudgingView, 'clock'>,
): number | undefined {
  if (of.kind !== 'TOKEN' || of.token.type !== 'TOTP') return undefined;
  const { isRight, code } = behindPrefix(of.prefix, text);
  const off = clockOff(of.token, code, { rules: of.rules, now: view.clock.now() });
  return isRight ? off : undefined;
}

/** The code was one of its own. */
export function wasUsed(text: string, of: Authenticator, view: Pick<JudgingView, 'clock'>): boolean {
  if (of.kind !== 'TOKEN' && of.kind !== 'LIST') return false;
  const { isRight, code } = behindPrefix(of.prefix, text);
  const was =
    of.kind === 'TOKEN'
      ? of.token.type !== 'OCRA' &&
        of.token.type !== 'YUBICLOUD' &&
        isPassed(of.token, code, { rules: of.rules, now: view.clock.now() })
      : judgeListCode({ ...of.list, used: new Set() }, code) !== undefined;
  return was && isRight;
}
