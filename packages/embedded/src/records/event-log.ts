/** The event log on LMDB: a chain of records, and an index of their positions by application and entry. */

import { notConfigured, ServiceError } from '@watchword/core/foundation';
import {
  type AuditEvent,
  applicationRefusalsKey,
  type EventLog,
  type EventQuery,
  type ExportRange,
  eventEntryKey,
  eventIndexKey,
  isOverRefusalLimit,
  isRepeatedRefusal,
  type LinkedRecord,
  maxRefusals,
  mergeRefusal,
  overflowEvent,
  refusalLookback,
  sameRefusalKey,
} from '@watchword/core/ports';
import type { Database, Environment } from '../storage/environment.ts';
import { EventChain, type Placed, type Signer } from './event-chain.ts';

/** An event log that can be written within a transaction of its environment. */
export interface EmbeddedEventLog extends EventLog {
  /** {@link EventLog.append} within the current transaction. */
  add(event: AuditEvent): void;
}

export interface EventLogOptions {
  /** The age in days at which events are removed; 0 or left out: none are. */
  readonly days?: number;
  /** The signer of checkpoints. Optional; default: there are none, and no export. */
  readonly signer?: Signer;
}

/** Most old records that are removed when an event is added (docs/decisions/0026-writers-sweep-what-has-ended.md). */
const removedAtOnce = 4;

interface Tables {
  readonly chain: EventChain;
  /** [index key, position] → number, see {@link indexKeysOf} */
  readonly index: Database<number, [string, number]>;
  /** The time of the oldest event when old ones were last removed. */
  oldest: number;
}

/**
 * Opens the event log, and converts one of an earlier version to a chain. Closing it leaves the environment open.
 * @param environment the environment, of `openEnvironment`
 * @param options the days after which events are removed, 0 for never, and the signer of checkpoints
 * @returns the event log
 * @see docs/concepts/stores-and-nodes.md#event-log
 * @example
 * ```ts
 * import { openEnvironment, openEventLog } from '@watchword/embedded';
 *
 * const environment = await openEnvironment('./data');
 * const events = await openEventLog(environment, { days: 365 });
 * console.log(await events.list({ application: 'Otp', max: 10 })); // []
 * await environment.close();
 * ```
 */
export async function openEventLog(
  environment: Environment,
  { days = 0, signer }: EventLogOptions = {},
): Promise<EmbeddedEventLog> {
  const tables: Tables = {
    chain: new EventChain(environment, signer),
    index: environment.table('event-positions', { keyEncoding: 'ordered-binary' }),
    oldest: Number.NEGATIVE_INFINITY,
  };
  const append = (event: AuditEvent): void => {
    // The clock begins at the last checkpoint, and the event may bring a new one.
    if (days > 0) tables.chain.ageClock(event.time);
    appendTo(tables, event);
    if (days > 0) removeOld(tables, event.time, days);
  };
  await convertOlder(environment, tables);
  return {
    add: append,
    append: (event) =>
      new Promise((committed, failed) => {
        environment.writeGrouped({ apply: () => append(event), committed, failed });
      }),
    list: async (query) => {
      environment.assertOpen();
      return list(tables, query).map(({ event }) => event);
    },
    placed: async (query) => {
      environment.assertOpen();
      return list(tables, query).map(({ event, position }) => ({ event, position }));
    },
    exported: (span) => {
      if (!signer) throw notConfigured('there is no key ring to sign an export with');
      return exported(tables, environment, span);
    },
    probe: async () => {
      await environment.probe();
    },
    close: async () => {},
  };
}

function appendTo(tables: Tables, event: AuditEvent): void {
  if (event.count === undefined) add(tables, event);
  else if (!countUp(tables, event)) addRefusal(tables, event);
}

function addRefusal(tables: Tables, event: AuditEvent): void {
  const [nth] = latest(tables, applicationRefusalsKey(event), { offset: maxRefusals - 1 });
  const rest = overflowEvent(event);
  if (!isOverRefusalLimit(nth?.event, event)) add(tables, event);
  else if (!countUp(tables, rest)) add(tables, rest);
}

/** Counts a refusal up with the event that equals it, which becomes the last event. @returns false if there is none */
function countUp(tables: Tables, event: AuditEvent): boolean {
  const [equal] = latest(tables, sameRefusalKey(event, eventEntryKey(event)));
  if (!equal || !isRepeatedRefusal({ equal: equal.event, since: since(tables, equal) }, event)) return false;
  removeFromIndex(tables, equal);
  addToIndex(tables, {
    ...equal,
    position: tables.chain.count(equal.number, mergeRefusal(equal.event, event)),
  });
  return true;
}

/** Returns the last events of the same entry after this one. */
function since(tables: Tables, { position, event: { application, dn } }: Placed): readonly AuditEvent[] {
  if (dn === undefined) return [];
  const last = latest(tables, eventIndexKey(application, dn), { limit: refusalLookback });
  return last.filter((other) => other.position > position).map(({ event }) => event);
}

interface Cut {
  readonly limit?: number;
  readonly offset?: number;
  readonly before?: number | undefined;
}

/** Reads events by an index key, the newest first. */
function latest(
  { chain, index }: Tables,
  key: string,
  { limit = 1, offset = 0, before = Number.MAX_SAFE_INTEGER }: Cut = {},
): readonly Placed[] {
  const range = { start: [key, before - 1], end: [key, 0] };
  const found = index.getRange({ ...range, reverse: true, limit, offset });
  return [...found].flatMap(({ value: number }) => chain.at(number) ?? []);
}

const add = (tables: Tables, event: AuditEvent): void => addToIndex(tables, tables.chain.add(event));

function addToIndex({ index }: Tables, { event, position, number }: Placed): void {
  for (const key of indexKeysOf(event)) index.put([key, position], number);
}

function removeFromIndex({ index }: Tables, { event, position }: Placed): void {
  for (const key of indexKeysOf(event)) index.remove([key, position]);
}

function removeOld(tables: Tables, time: number, days: number): void {
  const now = tables.chain.ageClock(time);
  if (now === undefined) return;
  const before = now - days * 86_400_000;
  if (before <= tables.oldest) return;
  const { events, oldest } = tables.chain.removeOld(before, removedAtOnce);
  for (const event of events) removeFromIndex(tables, event);
  if (oldest !== undefined) tables.oldest = oldest;
}

const list = (tables: Tables, { application, dn, max, before }: EventQuery): readonly Placed[] =>
  latest(tables, eventIndexKey(application, dn), { limit: max, before });

/** Records of a page of an export. */
const page = 500;

/** Exports the records up to a checkpoint that is written when the export begins; later events are in the next export. */
async function* exported(
  { chain }: Tables,
  environment: Environment,
  { now, since }: ExportRange,
): AsyncGenerator<readonly LinkedRecord[]> {
  const { from, to } = await environment.write(() => {
    const from = chain.beginning(since);
    return { from, to: chain.isEmpty ? 0 : chain.checkpoint(now, { exportedFrom: from }) };
  });
  for (let next = from; next <= to; ) {
    environment.assertOpen();
    const records = chain.from(next, Math.min(page, to - next + 1));
    if (records[0]?.number !== next)
      throw new ServiceError('unavailable', {
        detail: 'events were removed for their age meanwhile; export again',
      });
    yield records;
    next += records.length;
  }
}

/** Returns the index keys of an event: its application, application and entry; those of equal refusals, too. */
function indexKeysOf(event: AuditEvent): readonly string[] {
  const { application, dn, count } = event;
  return [
    eventIndexKey(application),
    ...(dn === undefined ? [] : [eventIndexKey(application, dn)]),
    ...(count === undefined
      ? []
      : [applicationRefusalsKey(event), sameRefusalKey(event, eventEntryKey(event))]),
  ];
}

/** Moves events of an earlier version, which were not linked, to the chain. */
async function convertOlder(environment: Environment, tables: Tables): Promise<void> {
  const older = environment.table<AuditEvent, number>('events', { keyEncoding: 'ordered-binary' });
  const hasSome = () => [...older.getKeys({ limit: 1 })].length > 0;
  if (!hasSome()) return;
  await environment.write(() => {
    for (const { key, value } of [...older.getRange()]) {
      add(tables, value);
      older.remove(key);
    }
  });
}
