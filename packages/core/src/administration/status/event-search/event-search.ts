/** Search_Event_Logs: events by what is known of them, the newest first and page by page. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Words } from '../../../directory/view.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import type { EventLog, PositionedEvent } from '../../../ports/event-log/event-log.ts';
import { assertReadable, type EventView, logOf } from '../event-logs.ts';

export interface EventSearch {
  /** Undefined: all of them. */
  readonly application: string | undefined;
  readonly dn: Dn | undefined;
  /** A part of the address of the caller, or of the end user. */
  readonly client: string | undefined;
  /** A part of the text, whatever the case. */
  readonly text: string | undefined;
  /** Milliseconds since 1970, both included. */
  readonly start: number | undefined;
  readonly stop: number | undefined;
  /** The `next` of the page before. */
  readonly before: number | undefined;
  readonly max: number;
}

export interface EventPage {
  readonly events: readonly PositionedEvent[];
  /** Undefined: there are no more. */
  readonly next: number | undefined;
}

export interface EventSearchView extends Omit<EventView, 'events' | 'dialect'> {
  readonly events: Pick<EventLog, 'placed'>;
}

/** Most events looked at for one page, some tenths of a second. Where few match, a page is shorter. */
const mostLookedAt = 20_000;
/** A few milliseconds. */
const atOnce = 250;

/** @throws ServiceError `permission_denied`; `not_found`; `invalid_params` if there is no such application */
export async function searchEvents(search: EventSearch, call: EventSearchView): Promise<EventPage> {
  const { dn, max, start = Number.NEGATIVE_INFINITY } = search;
  const logs = search.application === undefined ? allLogs(call) : [logOf(search.application, call)];
  const fault = await assertReadable(dn, call);
  if (fault) throw fault;
  const isWanted = matcher(search);
  const found: PositionedEvent[] = [];
  let before = search.before;
  for (let looked = 0; looked < mostLookedAt; await nextTurn()) {
    const { events, isLast } = await latest(logs, { dn: dn?.format(), before }, call.events);
    for (const placed of events) {
      if (lastOf(placed) < start) return { events: found, next: undefined };
      before = placed.position;
      if (isWanted(placed)) found.push(placed);
      if (found.length >= max) return { events: found, next: before };
    }
    looked += events.length;
    if (isLast) return { events: found, next: undefined };
  }
  return { events: found, next: before };
}

const allLogs = ({ applications, names }: Words): readonly string[] => [
  'Manager',
  ...Object.values(applications).map(({ name }) => names.theirs(name)),
];

/** When it happened, the last time. */
const lastOf = ({ event: { time, last = time } }: PositionedEvent): number => last;

function matcher({ client, text, start, stop }: EventSearch): (placed: PositionedEvent) => boolean {
  const wanted = text?.toLowerCase();
  return (placed) => {
    const { event } = placed;
    return (
      (wanted === undefined || event.text.toLowerCase().includes(wanted)) &&
      (client === undefined || [event.client, event.source].some((one) => one?.includes(client))) &&
      (start === undefined || lastOf(placed) >= start) &&
      (stop === undefined || event.time <= stop)
    );
  };
}

interface Latest {
  readonly events: readonly PositionedEvent[];
  /** There are no more. */
  readonly isLast: boolean;
}

/** Merges several logs, down to the event to which each was read. */
async function latest(
  logs: readonly string[],
  { dn, before }: { readonly dn: string | undefined; readonly before: number | undefined },
  events: EventSearchView['events'],
): Promise<Latest> {
  const max = Math.ceil(atOnce / logs.length);
  const pages = await Promise.all(logs.map((application) => events.placed({ application, max, before, dn })));
  const ends = pages.filter((page) => page.length >= max).map((page) => page.at(-1)?.position ?? 0);
  const end = Math.max(0, ...ends);
  const all = pages.flat().filter(({ position }) => position >= end);
  return { events: all.sort((a, b) => b.position - a.position), isLast: ends.length === 0 };
}
