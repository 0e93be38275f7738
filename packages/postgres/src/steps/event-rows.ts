/** Conversion of events to rows of `watchword.add_events`, and back. */

import {
  type AuditEvent,
  type ChainRecord,
  canonicalText,
  eventEntryKey,
  eventIndexKey,
  overflowEvent,
  sameRefusalKey,
} from '@watchword/core/ports';

export interface FoundEvent {
  readonly record: string;
  readonly count: number | null;
  readonly last: number | null;
}

/** Returns the event with its current count; empty for a checkpoint. */
export function eventOf({ record, count, last }: FoundEvent): readonly AuditEvent[] {
  const said: ChainRecord = JSON.parse(record);
  if (!('event' in said)) return [];
  return [{ ...said.event, ...(count !== null && { count }), ...(last !== null && { last }) }];
}

export interface EventRow {
  readonly time: number;
  readonly application: string;
  readonly entry: string | undefined;
  /** The count of a refusal, which also has `equal` and the fields of the rest. */
  readonly count: number | undefined;
  readonly equal: string | undefined;
  readonly body: string;
  /** The key and body of the collective refusal, for an hour that has too many different ones. */
  readonly rest_equal: string | undefined;
  readonly rest_body: string | undefined;
}

export function rowOf(event: AuditEvent): EventRow {
  const { time, application, dn, count } = event;
  const rest = count === undefined ? undefined : overflowEvent(event);
  return {
    ...{ time, application: eventIndexKey(application), count, body: bodyOf(event) },
    entry: dn === undefined ? undefined : eventIndexKey(application, dn),
    equal: count === undefined ? undefined : sameRefusalKey(event, eventEntryKey(event)),
    rest_equal: rest && sameRefusalKey(rest, ''),
    rest_body: rest && bodyOf(rest),
  };
}

/** The age at which events are removed. The clock of this node decides only when the database checks for old ones. */
export class EventAge {
  readonly #days: number;
  /** The time of the oldest event when old ones were last checked for. */
  #oldest = Number.NEGATIVE_INFINITY;
  #checked = Number.NEGATIVE_INFINITY;

  /** @param days the age at which events are removed; 0: none are */
  constructor(days: number) {
    this.#days = days;
  }

  /** @param now the time of the last event of the batch @returns the age in days; null: the database need not check */
  tooOld(now: number): number | null {
    if (this.#days === 0) return null;
    const isDue = now - this.#days * 86_400_000 > this.#oldest || Math.abs(now - this.#checked) >= checkEvery;
    if (!isDue) return null;
    this.#checked = now;
    return this.#days;
  }

  /** @param oldest the time that a batch has returned; null: it did not check */
  note(oldest: number | null): void {
    if (oldest !== null) this.#oldest = oldest;
  }
}

/** The longest interval of checks in milliseconds, as the clock of this node may be late. */
const checkEvery = 3_600_000;

const bodyOf = ({ last: _, ...event }: AuditEvent): string => canonicalText(event);
