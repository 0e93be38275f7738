/** The event log on LMDB: events numbered in the order in which they came. */
import type { AuditEvent, EventLog } from '../../ports/records.ts';
import type { Environment } from './environment.ts';

/** Opens the event log. Closing it leaves the environment open. */
export function openEventLog(environment: Environment): EventLog {
  const events = environment.table<AuditEvent, number>('events', { keyEncoding: 'ordered-binary' });
  return {
    append: (event) =>
      environment.writeTogether(() => {
        const [last = 0] = events.getKeys({ reverse: true, limit: 1 });
        events.put(last + 1, event);
      }),
    probe: async () => environment.assertOpen(),
    close: async () => {},
  };
}
