/** Ports of the outbox and its delivery worker. */
import type { RecordingPorts } from '../events/recorded.ts';
import type { KeyRing } from '../ports/keys.ts';
import type { Log } from '../ports/log/log.ts';
import type { Meter } from '../ports/meter.ts';
import type { Random } from '../ports/random.ts';
import type { Senders } from '../ports/sending/sender.ts';
import type { Ledger } from '../ports/store/ledger.ts';
import type { Budgets } from './budget.ts';

export interface OutboxPorts extends Omit<RecordingPorts, 'events'> {
  readonly store: Ledger;
  readonly senders?: Senders | undefined;
  readonly keys: KeyRing;
  readonly clock: RecordingPorts['clock'] & { every(milliseconds: number, task: () => void): () => void };
  readonly random: Random;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly config: { readonly messages: Budgets };
  readonly meter: Pick<Meter, 'count'>;
}
