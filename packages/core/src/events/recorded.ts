/** Deeds on record: the event log and the log are told of the same deed at the same time (docs/concepts/stores-and-nodes.md#event-log). */

import type { Dn } from '../foundation/text/dn.ts';
import { type LimitEvent, wordsOf } from '../limits/limit-events.ts';
import type { Source } from '../limits/source.ts';
import type { Clock } from '../ports/clock.ts';
import { type AuditEvent, type EventLog, formatAuditLine, printable } from '../ports/event-log/event-log.ts';
import type { Log, LogFields } from '../ports/log/log.ts';
import type { Transaction } from '../table/method.ts';

export interface Deed {
  /** `Manager`, or an application in the installation's words. */
  readonly application: string;
  /** The entry that it was about. */
  readonly dn?: Dn | undefined;
  /** IP address of the end user, where the caller has told it. */
  readonly source?: string | undefined;
  /** What happened, for people; no secret, and printable when it is kept. */
  readonly text: string;
  readonly facts: Facts;
  /** Of a refusal: how often, where several are told at once; left out: once. */
  readonly times?: number | undefined;
  /** Only a line in the log: anybody may do it as often as they like. */
  readonly isNoEvent?: boolean | undefined;
}

/** The same for programs: fields of the line in the log. */
export interface Facts {
  /** Who did it: an administrator's DN, or the login name that was tried. */
  readonly user: string;
  readonly method?: string;
  readonly operation?: string;
  /** `done`, `no change`, `granted`, `challenge`, `refused`, `failed`, `over`. */
  readonly outcome: string;
  /** Why it was refused or failed. */
  readonly reason?: string | undefined;
  readonly milliseconds?: number;
}

/** What did not happen, as anybody may try as often as they like: equal ones in a row are one event. */
const isRefusal = ({ outcome }: Facts): boolean =>
  outcome === 'refused' || outcome === 'failed' || outcome === 'over';

/** Where deeds are kept, and the name of this node there. */
export interface RecordingPorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'info'>;
  readonly events: Pick<EventLog, 'append'>;
  readonly host: string;
}

/** A deed in the words of both: what the event log keeps, and the line in the log. */
export interface Report {
  /** Undefined: it is only a line. */
  readonly event: AuditEvent | undefined;
  readonly line: string;
  readonly fields: LogFields;
}

export function reportOf(
  { application, dn, source, text, facts, times = 1, isNoEvent = false }: Deed,
  { id, client }: Transaction,
  { clock, host }: Pick<RecordingPorts, 'clock' | 'host'>,
): Report {
  const event: Writable<AuditEvent> = { time: clock.now(), client, host, application, session: id, text: '' };
  const fields: Writable<LogFields> = { transaction: id, audit: !isNoEvent, client };
  if (source !== undefined) event.source = fields.source = source;
  if (dn) event.dn = fields.dn = dn.format();
  event.text = printable(text);
  if (isRefusal(facts)) event.count = times;
  Object.assign(fields, facts);
  if (times > 1) fields.times = times;
  return { event: isNoEvent ? undefined : event, line: formatAuditLine(event), fields };
}

/** Put together field by field: V8 is slow with what is spread, and every login comes here. */
type Writable<T> = { -readonly [name in keyof T]: T[name] };

/** The log has it. */
export const tell = (reports: readonly Report[], log: Pick<Log, 'info'>): void => {
  for (const { line, fields } of reports) log.info(line, fields);
};

/** Durable when it resolves. If the event log fails, the log has it. @throws ServiceError `unavailable` */
export async function recordDeed(deed: Deed, transaction: Transaction, ports: RecordingPorts): Promise<void> {
  const report = reportOf(deed, transaction, ports);
  tell([report], ports.log);
  if (report.event) await ports.events.append(report.event);
}

/** Whom it happened to, and where. */
export interface Affected extends Pick<Deed, 'application' | 'source'> {
  /** Left out for a name that nobody has: strangers think of any number of those, so they are told as refusals are. */
  readonly dn?: Dn | undefined;
  /** As the log tells it. */
  readonly user: string;
  readonly place: Source;
  /** What people call the authenticator of a code: `token 1`. */
  readonly nameOf?: (key: string) => string | undefined;
}

/** Makes an audit entry of an event of the limits. Each is an entry of its own, so that none is lost among refusals. */
export const deedOfHappening = (
  happening: LimitEvent,
  { place, user, nameOf, ...about }: Affected,
): Deed => ({
  ...about,
  text: `${JSON.stringify(user)}: ${wordsOf(happening, place.words, nameOf)}`,
  facts: { user, outcome: about.dn ? happening.kind : 'refused', reason: happening.kind },
});
