/**
 * The event log on LMDB: events numbered in the order in which they came, and for each application, and each entry
 * that it did something with, the numbers of its events.
 */
import { entryOf, indexKey } from '../../../events/event-keys.ts';
import {
  addUp,
  equalKey,
  isAgain,
  isCrowded,
  lookedAt,
  refusalsKey,
  restOf,
} from '../../../events/refusals.ts';
import { type AuditEvent, type EventLog, type EventQuery, mostRefusals } from '../../../ports/records.ts';
import type { Database, Environment } from '../storage/environment.ts';

/** One that can be added to within a transaction of its environment. */
export interface EmbeddedEventLog extends EventLog {
  /** As {@link EventLog.append} does. */
  add(event: AuditEvent): void;
}

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
  /** The time of the oldest event, as it was when too old ones were looked for last. */
  oldest: number;
}

/** Opens the event log, indexing one of an earlier version. Closing it leaves the environment open. */
export async function openEventLog(
  environment: Environment,
  { days }: EventLogOptions = { days: 0 },
): Promise<EmbeddedEventLog> {
  const tables: Tables = {
    events: environment.table('events', { keyEncoding: 'ordered-binary' }),
    index: environment.table('events-index', { keyEncoding: 'ordered-binary' }),
    oldest: Number.NEGATIVE_INFINITY,
  };
  await ensureIndex(environment, tables);
  const enter = (event: AuditEvent): void => {
    append(tables, event);
    if (days > 0) removeOld(tables, event.time - days * 86_400_000);
  };
  return {
    add: enter,
    append: (event) =>
      environment.writeTogether(
        () => enter(event),
        (made) => made,
      ),
    list: async (query) => {
      environment.assertOpen();
      return list(tables, query);
    },
    probe: async () => {
      await environment.probe();
    },
    close: async () => {},
  };
}

function append(tables: Tables, event: AuditEvent): void {
  if (event.count === undefined) add(tables, event);
  else if (!countUp(tables, event)) addRefusal(tables, event);
}

function addRefusal(tables: Tables, event: AuditEvent): void {
  const [nth] = latest(tables, refusalsKey(event), { offset: mostRefusals - 1 });
  const rest = restOf(event);
  if (!isCrowded(nth?.event, event)) add(tables, event);
  else if (!countUp(tables, rest)) add(tables, rest);
}

/** Adds a refusal to the one that it equals, which becomes the last event. @returns false if it equals none */
function countUp(tables: Tables, event: AuditEvent): boolean {
  const [equal] = latest(tables, equalKey(event, entryOf(event)));
  if (!equal || !isAgain({ equal: equal.event, since: since(tables, equal) }, event)) return false;
  remove(tables, equal);
  add(tables, addUp(equal.event, event));
  return true;
}

/** The last events of its entry that came after it. */
function since(tables: Tables, { number, event: { application, dn } }: Numbered): readonly AuditEvent[] {
  if (dn === undefined) return [];
  const last = latest(tables, indexKey(application, dn), { limit: lookedAt });
  return last.filter((other) => other.number > number).map(({ event }) => event);
}

interface Numbered {
  readonly number: number;
  readonly event: AuditEvent;
}

/** By {@link indexed}, the newest first. */
function latest(
  { events, index }: Tables,
  whose: string,
  { limit = 1, offset = 0 }: { readonly limit?: number; readonly offset?: number } = {},
): readonly Numbered[] {
  const range = { start: [whose, Number.MAX_SAFE_INTEGER], end: [whose, 0] };
  const keys = index.getKeys({ ...range, reverse: true, limit, offset });
  return [...keys].flatMap(([, number]) => {
    const event = events.get(number);
    return event ? [{ number, event }] : [];
  });
}

function add({ events, index }: Tables, event: AuditEvent): void {
  const [last = 0] = events.getKeys({ reverse: true, limit: 1 });
  const number = last + 1;
  events.put(number, event);
  for (const whose of indexed(event)) index.put([whose, number], true);
}

function remove({ events, index }: Tables, { number, event }: Numbered): void {
  events.remove(number);
  for (const whose of indexed(event)) index.remove([whose, number]);
}

function removeOld(tables: Tables, before: number): void {
  if (before <= tables.oldest) return;
  for (const { key: number, value: event } of [...tables.events.getRange({ limit: removedAtOnce })]) {
    tables.oldest = event.time;
    if (event.time >= before) return;
    remove(tables, { number, event });
  }
}

const list = (tables: Tables, { application, dn, max }: EventQuery): readonly AuditEvent[] =>
  latest(tables, indexKey(application, dn), { limit: max }).map(({ event }) => event);

/** An event is found by its application, and by its application and entry; a refusal by what it equals, too. */
function indexed(event: AuditEvent): readonly string[] {
  const { application, dn, count } = event;
  return [
    indexKey(application),
    ...(dn === undefined ? [] : [indexKey(application, dn)]),
    ...(count === undefined ? [] : [refusalsKey(event), equalKey(event, entryOf(event))]),
  ];
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
