/** The method Export_Event_Logs: the events that a search finds, as text for another program. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { cefOf } from '../../../events/cef.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import type { PositionedEvent } from '../../../ports/event-log/event-log.ts';
import { eventFacts } from './event-facts.ts';
import { type EventSearch, type EventSearchView, searchEvents } from './event-search.ts';

export const exportFormats = ['JSON', 'CEF'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const lines: Readonly<Record<ExportFormat, (placed: PositionedEvent) => string>> = {
  JSON: ({ event }) => JSON.stringify(eventFacts(event)),
  CEF: ({ event, position }) => cefOf(event, String(position)),
};

/** Most pages looked at, some seconds. */
const mostPages = 50;

/** A line for each event, the newest first. @throws ServiceError as {@link searchEvents}; `too_large` */
export async function exportEvents(
  { max, ...search }: EventSearch,
  format: ExportFormat,
  call: EventSearchView,
): Promise<string> {
  const written: string[] = [];
  let before = search.before;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const left = Math.min(1000, max - written.length);
    const { events, next } = await searchEvents({ ...search, before, max: left }, call);
    written.push(...events.map(lines[format]));
    if (next === undefined || written.length >= max) return written.map((line) => `${line}\n`).join('');
    before = next;
    await nextTurn();
  }
  throw new ServiceError('too_large', { detail: 'narrow the search with start and stop' });
}
