/** Events as `watchword.add_events` takes them, and as they come back. */

import { type Said, textOf } from '../../../events/chain.ts';
import { entryOf, indexKey } from '../../../events/event-keys.ts';
import { equalKey, restOf } from '../../../events/refusals.ts';
import type { AuditEvent } from '../../../ports/records.ts';

export interface EventRow {
  readonly record: string;
  readonly count: number | null;
  readonly last: number | null;
}

/** An event as it is by now. */
export function eventOf({ record, count, last }: EventRow): readonly AuditEvent[] {
  const said: Said = JSON.parse(record);
  if (!('event' in said)) return [];
  return [{ ...said.event, ...(count !== null && { count }), ...(last !== null && { last }) }];
}

export class EventRows {
  readonly #days: number;
  /** The time of the oldest event, as it was when too old ones were looked for last. */
  #oldest = Number.NEGATIVE_INFINITY;

  /** @param days older events are removed; 0: none */
  constructor(days: number) {
    this.#days = days;
  }

  columnsOf(events: readonly AuditEvent[]): readonly unknown[] {
    const rests = events.map((event) => (event.count === undefined ? undefined : restOf(event)));
    return [
      events.map(({ time }) => time),
      events.map(({ application }) => indexKey(application)),
      events.map(({ application, dn }) => (dn === undefined ? null : indexKey(application, dn))),
      events.map(({ count }) => count ?? null),
      events.map((event) => (event.count === undefined ? null : equalKey(event, entryOf(event)))),
      events.map(bodyOf),
      rests.map((rest) => (rest ? equalKey(rest, '') : null)),
      rests.map((rest) => (rest ? bodyOf(rest) : null)),
      this.#tooOld(events),
    ];
  }

  /** @param oldest as the step has found it; null: it did not look */
  note(oldest: number | null): void {
    if (oldest !== null) this.#oldest = oldest;
  }

  /** Null: there is nothing to remove. */
  #tooOld(events: readonly AuditEvent[]): number | null {
    if (this.#days === 0 || events.length === 0) return null;
    const before = Math.max(...events.map(({ time }) => time)) - this.#days * 86_400_000;
    return before > this.#oldest ? before : null;
  }
}

const bodyOf = ({ last: _, ...event }: AuditEvent): string => textOf(event);
