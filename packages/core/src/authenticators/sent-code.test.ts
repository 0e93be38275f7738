import { expect, it } from 'vitest';
import { systemRandom } from '../../../node/src/machine/index.ts';
import type { Authenticator, SentKind } from './authenticator.ts';
import { findCode } from './code-verification.ts';
import { makeSentCode } from './sent-code.ts';
import { clock, keys, knownOf, userOf } from './testing/owner.ts';
import { withSentCode } from './user-authenticators.ts';

const [session, another] = ['A'.repeat(16), 'B'.repeat(16)];

/** A code for one session, its authenticator, and what the store knows then. */
function sentFor(kind: SentKind, session: string) {
  const user = userOf({ settings: { OTPType: kind } });
  const purpose = { kind, session, source: 'here', seconds: 60 };
  const { code, sent, values } = makeSentCode(user, purpose, { random: systemRandom, keys });
  const { authenticators } = withSentCode(user, sent, { session, keys });
  const known = new Map([...values].map(([key, { value }]) => [key, value]));
  return { user, code, of: authenticators.at(-1) as Authenticator, known };
}

it.each(['SMS', 'MAIL'] as const)('by %s is good for its session, until another is sent', (kind) => {
  const [first, second] = [sentFor(kind, session), sentFor(kind, another)];
  const kindOf = (text: string, known: ReadonlyMap<string, Uint8Array>) =>
    findCode(text, first.of, first.user, { known: knownOf(known), keys, clock })?.kind;
  const { code, known } = first;
  expect(kindOf(code, known)).toBe('sent');
  expect(kindOf(`${code.slice(0, 3)} ${code.slice(3)}`, known)).toBe('sent');
  expect(kindOf(`${code}0`, known)).toBeUndefined();
  expect(kindOf(second.code === code ? '' : second.code, known)).toBeUndefined();
  expect(kindOf(code, second.known)).toBeUndefined();
  expect(kindOf(code, new Map())).toBeUndefined();
});
