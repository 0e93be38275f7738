/**
 * The event log on LMDB: events numbered in the order in which they came, and for each application, and each entry
 * that it did something with, the numbers of its events.
 */
import { hash } from 'node:crypto';
import { Dn } from '../../directory/dn.ts';
import type { AuditEvent, EventLog, EventQuery } from '../../ports/records.ts';
import type { Database, Environment } from './environment.ts';

export interface EventLogOptions {
  /** Events older than this many days are removed; 0: none. */
  readonly days: number;
}

/** Whatever adds an event removes at most this many that are too old, so that no timer is needed. */
const removedAtOnce = 4;

interface Tables {
  readonly events: Database<AuditEvent, number>;
  /** [whose, number] → nothing, see {@link indexed} */
  readonly index: Database<true, [string, number]>;
}

/** Opens the event log, indexing one of an earlier version. Closing it leaves the environment open. */
export async function openEventLog(
  environment: Environment,
  { days }: EventLogOptions = { days: 0 },
): Promise<EventLog> {
  const tables: Tables = {
    events: environment.table('events', { keyEncoding: 'ordered-binary' }),
    index: environment.table('events-index', { keyEncoding: 'ordered-binary' }),
  };
  await ensureIndex(environment, tables);
  return {
    append: (event) =>
      environment.writeTogether(() => {
        append(tables, event);
        if (days > 0) removeOld(tables, event.time - days * 86_400_000);
      }),
    list: async (query) => {
      environment.assertOpen();
      return list(tables, query);
    },
    probe: async () => environment.assertOpen(),
    close: async () => {},
  };
}

function append({ events, index }: Tables, event: AuditEvent): void {
  const [last = 0] = events.getKeys({ reverse: true, limit: 1 });
  const number = last + 1;
  events.put(number, event);
  for (const whose of indexed(event)) index.put([whose, number], true);
}

function removeOld({ events, index }: Tables, before: number): void {
  for (const { key: number, value: event } of [...events.getRange({ limit: removedAtOnce })]) {
    if (event.time >= before) return;
    events.remove(number);
    for (const whose of indexed(event)) index.remove([whose, number]);
  }
}

function list({ events, index }: Tables, { application, dn, max }: EventQuery): readonly AuditEvent[] {
  const whose = indexKey(application, dn);
  const keys = index.getKeys({
    start: [whose, Number.MAX_SAFE_INTEGER],
    end: [whose, 0],
    reverse: true,
    limit: max,
  });
  return Array.from(keys, ([, number]) => events.get(number)).filter((event) => event !== undefined);
}

/** An event is found by its application, and by its application and entry. */
function indexed({ application, dn }: AuditEvent): readonly string[] {
  return [indexKey(application), ...(dn === undefined ? [] : [indexKey(application, dn)])];
}

/** Hashed, because a DN may be longer than LMDB takes keys. */
function indexKey(application: string, dn?: string): string {
  const entry = dn === undefined ? '' : (Dn.tryParse(dn)?.key ?? dn);
  return hash('sha256', `${application.toLowerCase()}\n${entry}`, 'base64').slice(0, 24);
}

async function ensureIndex(environment: Environment, { events, index }: Tables): Promise<void> {
  const isEmpty = (table: Tables['events'] | Tables['index']) =>
    [...table.getKeys({ limit: 1 })].length === 0;
  if (!isEmpty(index) || isEmpty(events)) return;
  await environment.write(() => {
    for (const { key: number, value: event } of events.getRange())
      for (const whose of indexed(event)) index.put([whose, number], true);
  });
}
