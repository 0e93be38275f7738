/**
 * The event log on LMDB: a chain of records, and for each application, and each entry that it did something with, where its
 * events stand.
 */

import { notConfigured, ServiceError } from '@watchword/core/foundation';
import {
  type AuditEvent,
  addUp,
  type EventLog,
  type EventQuery,
  type ExportSpan,
  entryOf,
  equalKey,
  indexKey,
  isAgain,
  isCrowded,
  type LinkedRecord,
  lookedAt,
  mostRefusals,
  refusalsKey,
  restOf,
} from '@watchword/core/ports';
import type { Database, Environment } from '../storage/environment.ts';
import { EventChain, type Placed, type Signer } from './event-chain.ts';

/** One that can be added to within a transaction of its environment. */
export interface EmbeddedEventLog extends EventLog {
  /** As {@link EventLog.append} does. */
  add(event: AuditEvent): void;
}

export interface EventLogOptions {
  /** Events older than this many days are removed; 0 or left out: none. */
  readonly days?: number;
  /** What checkpoints are signed with; left out: there are none, and nothing can be exported. */
  readonly signer?: Signer;
}

/** Whatever adds an event removes at most this many records that are too old, so that no timer is needed. */
const removedAtOnce = 4;

interface Tables {
  readonly chain: EventChain;
  /** [whose, position] → number, see {@link indexed} */
  readonly index: Database<number, [string, number]>;
  /** The time of the oldest event, as it was when too old ones were looked for last. */
  oldest: number;
}

/** Opens the event log; one of an earlier version becomes a chain. Closing it leaves the environment open. */
export async function openEventLog(
  environment: Environment,
  { days = 0, signer }: EventLogOptions = {},
): Promise<EmbeddedEventLog> {
  const tables: Tables = {
    chain: new EventChain(environment, signer),
    index: environment.table('event-positions', { keyEncoding: 'ordered-binary' }),
    oldest: Number.NEGATIVE_INFINITY,
  };
  const enter = (event: AuditEvent): void => {
    // The clock begins at the last checkpoint, and the event may bring a new one.
    if (days > 0) tables.chain.ageClock(event.time);
    append(tables, event);
    if (days > 0) removeOld(tables, event.time, days);
  };
  await chainOlder(environment, tables);
  return {
    add: enter,
    append: (event) =>
      new Promise((written, refused) => {
        environment.writeTogether({ make: () => enter(event), written, refused });
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
  leave(tables, equal);
  enterIndex(tables, { ...equal, position: tables.chain.count(equal.number, addUp(equal.event, event)) });
  return true;
}

/** The last events of its entry that came after it. */
function since(tables: Tables, { position, event: { application, dn } }: Placed): readonly AuditEvent[] {
  if (dn === undefined) return [];
  const last = latest(tables, indexKey(application, dn), { limit: lookedAt });
  return last.filter((other) => other.position > position).map(({ event }) => event);
}

interface Cut {
  readonly limit?: number;
  readonly offset?: number;
  readonly before?: number | undefined;
}

/** By {@link indexed}, the newest first. */
function latest(
  { chain, index }: Tables,
  whose: string,
  { limit = 1, offset = 0, before = Number.MAX_SAFE_INTEGER }: Cut = {},
): readonly Placed[] {
  const range = { start: [whose, before - 1], end: [whose, 0] };
  const found = index.getRange({ ...range, reverse: true, limit, offset });
  return [...found].flatMap(({ value: number }) => chain.at(number) ?? []);
}

const add = (tables: Tables, event: AuditEvent): void => enterIndex(tables, tables.chain.add(event));

function enterIndex({ index }: Tables, { event, position, number }: Placed): void {
  for (const whose of indexed(event)) index.put([whose, position], number);
}

function leave({ index }: Tables, { event, position }: Placed): void {
  for (const whose of indexed(event)) index.remove([whose, position]);
}

function removeOld(tables: Tables, time: number, days: number): void {
  const now = tables.chain.ageClock(time);
  if (now === undefined) return;
  const before = now - days * 86_400_000;
  if (before <= tables.oldest) return;
  const { events, oldest } = tables.chain.removeOld(before, removedAtOnce);
  for (const event of events) leave(tables, event);
  if (oldest !== undefined) tables.oldest = oldest;
}

const list = (tables: Tables, { application, dn, max, before }: EventQuery): readonly Placed[] =>
  latest(tables, indexKey(application, dn), { limit: max, before });

/** Records of a page of an export. */
const page = 500;

/** It closes with what was there when it began; what comes meanwhile is in the next one. */
async function* exported(
  { chain }: Tables,
  environment: Environment,
  { now, since }: ExportSpan,
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

/** An event is found by its application, and by its application and entry; a refusal by what it equals, too. */
function indexed(event: AuditEvent): readonly string[] {
  const { application, dn, count } = event;
  return [
    indexKey(application),
    ...(dn === undefined ? [] : [indexKey(application, dn)]),
    ...(count === undefined ? [] : [refusalsKey(event), equalKey(event, entryOf(event))]),
  ];
}

/** Events of an earlier version, which were not linked, in their order. */
async function chainOlder(environment: Environment, tables: Tables): Promise<void> {
  const older = environment.table<AuditEvent, number>('events', { keyEncoding: 'ordered-binary' });
  const isThere = () => [...older.getKeys({ limit: 1 })].length > 0;
  if (!isThere()) return;
  await environment.write(() => {
    for (const { key, value } of [...older.getRange()]) {
      add(tables, value);
      older.remove(key);
    }
  });
}
