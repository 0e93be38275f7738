/** Events as `watchword.add_events` takes them, and as they come back. */

import {
  type AuditEvent,
  entryOf,
  equalKey,
  indexKey,
  restOf,
  type Said,
  textOf,
} from '@watchword/core/ports';

export interface FoundEvent {
  readonly record: string;
  readonly count: number | null;
  readonly last: number | null;
}

/** An event as it is by now. */
export function eventOf({ record, count, last }: FoundEvent): readonly AuditEvent[] {
  const said: Said = JSON.parse(record);
  if (!('event' in said)) return [];
  return [{ ...said.event, ...(count !== null && { count }), ...(last !== null && { last }) }];
}

export interface EventRow {
  readonly time: number;
  readonly application: string;
  readonly entry: string | undefined;
  /** Of a refusal, and so are those that follow but for the body. */
  readonly count: number | undefined;
  readonly equal: string | undefined;
  readonly body: string;
  /** Of the rest that it is one of where it has no room of its own. */
  readonly rest_equal: string | undefined;
  readonly rest_body: string | undefined;
}

export function rowOf(event: AuditEvent): EventRow {
  const { time, application, dn, count } = event;
  const rest = count === undefined ? undefined : restOf(event);
  return {
    ...{ time, application: indexKey(application), count, body: bodyOf(event) },
    entry: dn === undefined ? undefined : indexKey(application, dn),
    equal: count === undefined ? undefined : equalKey(event, entryOf(event)),
    rest_equal: rest && equalKey(rest, ''),
    rest_body: rest && bodyOf(rest),
  };
}

/** The age at which events are removed. The clock of this node only says when the database looks for them. */
export class EventAge {
  readonly #days: number;
  /** The time of the oldest event, as it was when too old ones were looked for last. */
  #oldest = Number.NEGATIVE_INFINITY;
  #looked = Number.NEGATIVE_INFINITY;

  /** @param days older events are removed; 0: none */
  constructor(days: number) {
    this.#days = days;
  }

  /** @param now the time of the last event, which is added @returns events of more days go; null: the database need not look */
  tooOld(now: number): number | null {
    if (this.#days === 0) return null;
    const isDue = now - this.#days * 86_400_000 > this.#oldest || Math.abs(now - this.#looked) >= lookEvery;
    if (!isDue) return null;
    this.#looked = now;
    return this.#days;
  }

  /** @param oldest as a batch has found it; null: it did not look */
  note(oldest: number | null): void {
    if (oldest !== null) this.#oldest = oldest;
  }
}

/** Milliseconds after which the database looks whatever was found: the clock of this node may be behind. */
const lookEvery = 3_600_000;

const bodyOf = ({ last: _, ...event }: AuditEvent): string => textOf(event);
