/** The event log on PostgreSQL. */
import { nextTick } from 'node:process';
import { ServiceError } from '../../../errors/errors.ts';
import { indexKey } from '../../../events/event-keys.ts';
import type { AuditEvent, EventLog } from '../../../ports/records.ts';
import type { Statement } from '../connection/database.ts';
import { type EventRow, eventOf } from '../steps/event-rows.ts';
import type { Steps } from '../steps/steps.ts';
import { Probe } from './probe.ts';

const ofApplication: Statement<EventRow> = {
  name: 'events-of-application',
  text: 'SELECT body, count, last FROM watchword.events WHERE application = $1 ORDER BY id DESC LIMIT $2',
};
const ofEntry: Statement<EventRow> = {
  name: 'events-of-entry',
  text: 'SELECT body, count, last FROM watchword.events WHERE entry = $1 ORDER BY id DESC LIMIT $2',
};

export function openEventLog(steps: Steps): EventLog {
  const probe = new Probe(steps.database);
  let together: { readonly events: AuditEvent[]; readonly kept: Promise<void> } | undefined;
  /** Those that come in one turn of the event loop are one step, in their order. */
  const gather = () => {
    const events: AuditEvent[] = [];
    const kept = new Promise<void>((resolve) => nextTick(resolve)).then(() => {
      together = undefined;
      return steps.change([], () => ({ result: undefined, events }));
    });
    return { events, kept };
  };
  return {
    append: (event) => {
      together ??= gather();
      together.events.push(event);
      return together.kept;
    },
    list: async ({ application, dn, max }) => {
      const [statement, key] =
        dn === undefined ? [ofApplication, indexKey(application)] : [ofEntry, indexKey(application, dn)];
      return (await steps.database.read(statement, [key, max])).map(eventOf);
    },
    exported: () => {
      throw new ServiceError('unavailable', { detail: 'the event log in PostgreSQL is no chain yet' });
    },
    probe: () => probe.look(),
    close: async () => {},
  };
}
