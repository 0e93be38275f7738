/** Reads the events of an environment in order, those of all its event logs. */
import type { AuditEvent } from '../../../core/src/ports/event-log/event-log.ts';
import { EventChain } from '../records/event-chain.ts';
import type { Environment } from '../storage/environment.ts';

export function keptEvents(environment: Environment): readonly AuditEvent[] {
  const chain = new EventChain(environment, undefined);
  return chain.inOrder().flatMap((number) => chain.at(number)?.event ?? []);
}
