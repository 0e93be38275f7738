import { formatTimestamp } from '../../foundation/text/timestamp.ts';

/** An audit entry (docs/concepts/stores-and-nodes.md#event-log). */
export interface AuditEvent {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** `ip:port` of the caller, or `-` in process. */
  readonly client: string;
  /** The node; left out by earlier versions. */
  readonly host?: string;
  /** The IP address of the end user, if the caller reported it. */
  readonly source?: string;
  /** The application, such as `Manager` or `Otp`, in the installation's words. */
  readonly application: string;
  /** The transaction id, as in the log: 8 characters `[0-9A-Z]`. */
  readonly session: string;
  /** The DN of the entry that it is about (RFC 4514). */
  readonly dn?: string;
  /** A description, without secrets. */
  readonly text: string;
  /**
   * The count of a refusal: equal refusals in a row are one event, see {@link EventLog.append}. Left out for other events.
   */
  readonly count?: number;
  /** The time of the last of several, in milliseconds since 1970. */
  readonly last?: number;
}

export interface EventQuery {
  /** The application of the events, in any case. */
  readonly application: string;
  /** The DN that the entry had at the time of the events, in any spelling. */
  readonly dn?: string | undefined;
  /** The most events. */
  readonly max: number;
  /** An upper bound of {@link PositionedEvent.position}, exclusive. */
  readonly before?: number | undefined;
}

export interface PositionedEvent {
  readonly event: AuditEvent;
  /** A positive safe integer, higher for any event that was added or counted later. */
  readonly position: number;
}

/** The most different refusals of an application within an hour. */
export const maxRefusals = 1000;

/**
 * The port of the event log: audit entries in order, durable when they are appended.
 * @see docs/concepts/stores-and-nodes.md#event-log
 * @example
 * ```ts
 * import { openEmbedded } from '@watchword/engines';
 *
 * const engines = await openEmbedded('./data', { base: 'dc=example,dc=org' });
 * const about = { client: '-', application: 'Otp', session: 'ABCDEFGH' };
 * await engines.events.append({ time: engines.clock.now(), ...about, text: 'a test' });
 * const [last] = await engines.events.list({ application: 'Otp', max: 1 });
 * console.log(last?.text); // a test
 * await engines.close();
 * ```
 */
export interface EventLog {
  /**
   * Appends an event, durable when it resolves. An event with a `count` is added to an equal one of the last hour: same application, text,
   * entry and address, with only refusals of that entry in between. An application keeps {@link maxRefusals} different refusals an hour;
   * further ones share one event, so that refusals cannot fill the disk.
   */
  append(event: AuditEvent): Promise<void>;

  /** Returns the last events of an application, the newest first. */
  list(query: EventQuery): Promise<readonly AuditEvent[]>;

  /** Returns the last events with their positions; the last position is `before` of the next page. */
  placed(query: EventQuery): Promise<readonly PositionedEvent[]>;

  /**
   * Exports all records in batches, each chain in order, ended by a signed checkpoint that names the exported parts. The checkpoint is first
   * appended to the log, so that the next export has it.
   * @throws ServiceError `unavailable` where records were removed for their age before they were exported
   */
  exported(span: ExportRange): AsyncIterable<readonly LinkedRecord[]>;

  /** Tests the event log. @throws ServiceError `unavailable` if events cannot be stored */
  probe(): Promise<void>;

  close(): Promise<void>;
}

/** The span of an export, in milliseconds since 1970. */
export interface ExportRange {
  readonly now: number;
  /** Leaves out records before the last checkpoint of this time. */
  readonly since?: number | undefined;
}

/** A record of the chain: an event or a checkpoint. The format is in docs/guide/event-log.md. */
export interface LinkedRecord {
  /** The number in its chain, from 1. */
  readonly number: number;
  /** SHA-256 of `record`, 64 hexadecimal digits. */
  readonly hash: string;
  /** The hashed JSON, with the hash of the record before. */
  readonly record: string;
  /** The Ed25519 signature of a checkpoint over `record`, base64. */
  readonly signature?: string;
  /** The present count of a refusal; checkpoints have the signed counts. */
  readonly counted?: Pick<AuditEvent, 'count' | 'last'>;
}

/** Writes `[YYYY-MM-DD HH:MM:SS] [ip:port] [App:SESSION8] text`. */
export function formatAuditLine({ time, client, application, session, text }: AuditEvent): string {
  return printable(`[${formatTimestamp(time)}] [${client}] [${application}:${session}] ${text}`);
}

/**
 * Replaces characters that could forge a line, or reorder it on a terminal (Unicode UAX #9 §2), by spaces.
 */
export function printable(text: string): string {
  if (isAscii(text)) return text;
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, ' ');
}

/** Returns whether a text is printable ASCII, as nearly every text is. */
function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}
