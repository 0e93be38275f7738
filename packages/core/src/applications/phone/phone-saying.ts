/** Facts that a phone sends with its answer, such as its location, and what the server stores because of them. */
import type { Settings } from '../../directory/data/layers.ts';
import type { TimedValue } from '../../ports/store/ledger.ts';
import type { TransactionState } from './transaction.ts';

/** Facts that are kept because of it. */
export interface Besides {
  readonly state: Pick<TransactionState, 'badging' | 'opened'>;
  /** Beside the transaction; null: not any more. */
  readonly values: ReadonlyMap<string, TimedValue | null>;
}

export interface PhoneSaying {
  /** `<latitude>,<longitude>`; empty: it does not say. */
  readonly location: string;
  /** Key that opens the envelope for it, 64 hexadecimal digits; empty: nothing does. */
  readonly key: string;
  /** Name that it gives its token. */
  readonly token: string;
  /** Its IP address. */
  readonly address: string;
  /** The settings in force for the user. */
  readonly settings: Settings;
  /** The identifier of the user's entry. */
  readonly id: string;
}
