/** Audit entries: each goes to the event log and to the log at the same time (docs/concepts/stores-and-nodes.md#event-log). */

import type { Dn } from '../foundation/text/dn.ts';
import { type LimitEvent, wordsOf } from '../limits/limit-events.ts';
import type { Source } from '../limits/source.ts';
import type { Clock } from '../ports/clock.ts';
import { type AuditEvent, type EventLog, formatAuditLine, printable } from '../ports/event-log/event-log.ts';
import type { Log, LogFields } from '../ports/log/log.ts';
import type { Transaction } from '../table/method.ts';

export interface NewAuditEvent {
  /** `Manager`, or an application in the installation's words. */
  readonly application: string;
  /** The directory entry that it is about. */
  readonly dn?: Dn | undefined;
  /** The IP address of the end user, if the caller reported it. */
  readonly source?: string | undefined;
  /** A description for people, without secrets. Control characters are replaced before it is stored. */
  readonly text: string;
  readonly facts: Facts;
  /** The number of equal refusals in one entry; 1 if left out. */
  readonly times?: number | undefined;
  /** Whether it goes to the log only, because anyone can cause it without limit. */
  readonly isNoEvent?: boolean | undefined;
}

/** Fields of the log line, for programs. */
export interface Facts {
  /** The DN of an administrator, or the attempted login name. */
  readonly user: string;
  readonly method?: string;
  readonly operation?: string;
  /** `done`, `no change`, `granted`, `challenge`, `refused`, `failed`, `over`. */
  readonly outcome: string;
  /** The reason of a refusal or failure. */
  readonly reason?: string | undefined;
  readonly milliseconds?: number;
}

/** Returns whether an entry is a refusal, which anyone can cause without limit: equal refusals in a row are one event. */
const isRefusal = ({ outcome }: Facts): boolean =>
  outcome === 'refused' || outcome === 'failed' || outcome === 'over';

/** Ports that audit entries go to, and the name of this node. */
export interface RecordingPorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'info'>;
  readonly events: Pick<EventLog, 'append'>;
  readonly host: string;
}

/** An audit entry as an event and as a log line. */
export interface AuditReport {
  /** Undefined for an entry that goes to the log only. */
  readonly event: AuditEvent | undefined;
  readonly line: string;
  readonly fields: LogFields;
}

export function auditReportOf(
  { application, dn, source, text, facts, times = 1, isNoEvent = false }: NewAuditEvent,
  { id, client }: Transaction,
  { clock, host }: Pick<RecordingPorts, 'clock' | 'host'>,
): AuditReport {
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

/** Makes fields writable: objects are built field by field, because spreads are slow and every login makes one. */
type Writable<T> = { -readonly [name in keyof T]: T[name] };

/** Writes reports to the log. */
export const logReports = (reports: readonly AuditReport[], log: Pick<Log, 'info'>): void => {
  for (const { line, fields } of reports) log.info(line, fields);
};

/**
 * Records an audit entry: logs it, then resolves when the event is durable.
 * @param entry the application, the text without secrets, and the facts for the log
 * @param transaction the transaction of the call
 * @param ports the log and the event log; a call is both
 * @returns a promise that resolves when the event is durable
 * @throws ServiceError `unavailable` if the event cannot be stored
 * @see docs/concepts/stores-and-nodes.md#event-log
 * @example
 * ```ts
 * import { type OperationCall, recordEvent } from '@watchword/core/application';
 *
 * export const note = (user: string, call: OperationCall): Promise<void> =>
 *   recordEvent(
 *     { application: call.names.theirs('Parking'), text: `${user}: granted`, facts: { user, outcome: 'granted' } },
 *     call.transaction,
 *     call,
 *   );
 * ```
 */
export async function recordEvent(
  entry: NewAuditEvent,
  transaction: Transaction,
  ports: RecordingPorts,
): Promise<void> {
  const report = auditReportOf(entry, transaction, ports);
  logReports([report], ports.log);
  if (report.event) await ports.events.append(report.event);
}

/** The user and the source of an event of the limits. */
export interface Affected extends Pick<NewAuditEvent, 'application' | 'source'> {
  /** Undefined for an unknown name: anyone can invent such names, so their entries are refusals. */
  readonly dn?: Dn | undefined;
  /** The user name as logged. */
  readonly user: string;
  readonly place: Source;
  /** Returns the name of an authenticator for people: `token 1`. */
  readonly nameOf?: (key: string) => string | undefined;
}

/** Makes an audit entry of an event of the limits: separate, so that refusals are not merged with it. */
export const limitAuditEvent = (
  happening: LimitEvent,
  { place, user, nameOf, ...about }: Affected,
): NewAuditEvent => ({
  ...about,
  text: `${JSON.stringify(user)}: ${wordsOf(happening, place.words, nameOf)}`,
  facts: { user, outcome: about.dn ? happening.kind : 'refused', reason: happening.kind },
});
