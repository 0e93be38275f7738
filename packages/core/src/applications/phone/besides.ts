/** Data that a phone adds to an approval, the location of its user or a decryption key. They are part of the proof. */
import type { KeyRing } from '../../ports/keys.ts';
import { badgedBy } from './badged.ts';
import { openEnvelope } from './envelope.ts';
import type { Besides, PhoneSaying } from './phone-saying.ts';
import type { TransactionState } from './transaction.ts';

/** Returns the text after the word in the question; empty: none. */
export function behindWord({ kind }: TransactionState, { location, key }: PhoneSaying): string {
  if (kind === 'badge') return location;
  return kind === 'decrypt' ? key : '';
}

/** A text: why it cannot be, for the phone. */
export function besidesOf(
  state: TransactionState,
  said: PhoneSaying,
  ground: { readonly keys: Pick<KeyRing, 'seal'>; readonly now: number },
): Besides | string {
  if (state.badging) return badgedBy(state.badging.way, said, ground) ?? 'You cannot badge where you are';
  if (state.kind !== 'decrypt') return { state: {}, values: new Map() };
  const envelope = Buffer.from(state.file ?? '', 'base64');
  const plain = openEnvelope(envelope, { token: said.token, response: said.key });
  if (!plain) return 'This is not for your phone';
  return { state: { opened: Buffer.from(plain).toString('base64') }, values: new Map() };
}
