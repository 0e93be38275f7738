/** What a phone says beside yes: where its user is, or the key of what it opens. It is part of the proof. */
import type { Settings } from '../../directory/data/layers.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { TimedValue } from '../../ports/store/ledger.ts';
import { badgedBy } from './badged.ts';
import { openEnvelope } from './envelope.ts';
import type { TransactionState } from './transaction.ts';

/** What is kept because of it. */
export interface Besides {
  readonly state: Pick<TransactionState, 'badging' | 'opened'>;
  /** Beside the transaction; null: not any more. */
  readonly values: ReadonlyMap<string, TimedValue | null>;
}

export interface PhoneSaying {
  /** `<latitude>,<longitude>`; empty: it does not say. */
  readonly location: string;
  /** What opens the envelope for it, 64 hexadecimal digits; empty: nothing does. */
  readonly key: string;
  /** What it calls its token by. */
  readonly token: string;
  /** Its IP address. */
  readonly address: string;
  /** In force for the user. */
  readonly settings: Settings;
  /** The identifier of the user's entry. */
  readonly id: string;
}

/** What stands behind the word in the question; empty: nothing does. */
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
