/**
 * The Manager method Search_Event_Logs, for administrators: searches the logs of one application or of all, the newest events first and page by
 * page.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Words } from '../../../directory/view.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import type { EventLog, PositionedEvent } from '../../../ports/event-log/event-log.ts';
import { checkReadable, type EventView, logOf } from '../event-logs.ts';

export interface EventSearch {
  /** Undefined: all applications. */
  readonly application: string | undefined;
  readonly dn: Dn | undefined;
  /** A part of the address of the caller, or of the end user. */
  readonly client: string | undefined;
  /** A part of the text, case-insensitive. */
  readonly text: string | undefined;
  /** Milliseconds since 1970, both included. */
  readonly start: number | undefined;
  readonly stop: number | undefined;
  /** The `next` of the previous page: a position in the log, no time. */
  readonly before: number | undefined;
  readonly max: number;
}

export interface EventPage {
  readonly events: readonly PositionedEvent[];
  /** Undefined on the last page. */
  readonly next: number | undefined;
}

export interface EventSearchView extends Omit<EventView, 'events' | 'dialect'> {
  readonly events: Pick<EventLog, 'placed'>;
}

/** The maximum of events read for one page, which takes some tenths of a second. If few match, the page is shorter than `max`. */
const scanLimit = 20_000;
/** The events read between two turns of the event loop, which takes a few milliseconds. */
const eventsPerTurn = 250;

/** Searches a page. @throws ServiceError `permission_denied`; `not_found`; `invalid_params` if there is no such application */
export async function searchEvents(search: EventSearch, call: EventSearchView): Promise<EventPage> {
  const { dn, max, start = Number.NEGATIVE_INFINITY } = search;
  const logs = search.application === undefined ? allLogs(call) : [logOf(search.application, call)];
  const fault = await checkReadable(dn, call);
  if (fault) throw fault;
  const matches = matcher(search);
  const found: PositionedEvent[] = [];
  let position = search.before;
  for (let scanned = 0; scanned < scanLimit; await yieldToEventLoop()) {
    const { events, isLast } = await latest(logs, { dn: dn?.format(), before: position }, call.events);
    for (const placed of events) {
      if (lastTimeOf(placed) < start) return { events: found, next: undefined };
      position = placed.position;
      if (matches(placed)) found.push(placed);
      if (found.length >= max) return { events: found, next: position };
    }
    scanned += events.length;
    if (isLast) return { events: found, next: undefined };
  }
  return { events: found, next: position };
}

const allLogs = ({ applications, names }: Words): readonly string[] => [
  'Manager',
  ...Object.values(applications).map(({ name }) => names.theirs(name)),
];

/** Returns the time of an event; of a counted refusal, its last occurrence. */
const lastTimeOf = ({ event: { time, last = time } }: PositionedEvent): number => last;

function matcher({ client, text, start, stop }: EventSearch): (placed: PositionedEvent) => boolean {
  const wanted = text?.toLowerCase();
  return (placed) => {
    const { event } = placed;
    return (
      (wanted === undefined || event.text.toLowerCase().includes(wanted)) &&
      (client === undefined || [event.client, event.source].some((one) => one?.includes(client))) &&
      (start === undefined || lastTimeOf(placed) >= start) &&
      (stop === undefined || event.time <= stop)
    );
  };
}

interface Latest {
  readonly events: readonly PositionedEvent[];
  /** Whether all logs were read to their end. */
  readonly isLast: boolean;
}

/** Reads the newest events of several logs, merged down to the position to which every log was read. */
async function latest(
  logs: readonly string[],
  { dn, before }: { readonly dn: string | undefined; readonly before: number | undefined },
  events: EventSearchView['events'],
): Promise<Latest> {
  const max = Math.ceil(eventsPerTurn / logs.length);
  const pages = await Promise.all(logs.map((application) => events.placed({ application, max, before, dn })));
  const ends = pages.filter((page) => page.length >= max).map((page) => page.at(-1)?.position ?? 0);
  const end = Math.max(0, ...ends);
  const all = pages.flat().filter(({ position }) => position >= end);
  return { events: all.sort((a, b) => b.position - a.position), isLast: ends.length === 0 };
}
