/** What is kept for good, or for as long as is configured: the event log. (The inventory joins it later.) */
import { formatTime } from '../../foundation/text/moment.ts';

/** An audit entry (docs/concepts/stores-and-nodes.md#event-log). */
export interface AuditEvent {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** `ip:port` of the caller, or `-` in process. */
  readonly client: string;
  /** The node that it happened on; left out by earlier versions. */
  readonly host?: string;
  /** IP address of the end user, where the caller has told it. */
  readonly source?: string;
  /** The application that did it: `Manager`, `Otp`, …, in the words of `names`. */
  readonly application: string;
  /** 8 characters `[0-9A-Z]`, the same in the structured log and here. */
  readonly session: string;
  /** The entry that it was about, by RFC 4514 however the caller spelled it. */
  readonly dn?: string;
  /** What happened, without a secret in it. */
  readonly text: string;
  /**
   * Of what was refused, which anybody may try as often as they like: how often it was. Equal ones in a row are one
   * event, see {@link EventLog.append}; left out: it happened once, and is an event of its own.
   */
  readonly count?: number;
  /** When it happened last, in milliseconds since 1970; left out: at `time` only. */
  readonly last?: number;
}

export interface EventQuery {
  /** As the events name it, without regard to case. */
  readonly application: string;
  /** Only those about this entry, a DN in any spelling: the name that it had then. */
  readonly dn?: string | undefined;
  /** At most so many. */
  readonly max: number;
  /** Only those whose {@link PlacedEvent.position} is below it. */
  readonly before?: number | undefined;
}

export interface PlacedEvent {
  readonly event: AuditEvent;
  /** A positive safe integer. Whatever came or was counted later, of whatever application, has a higher one. */
  readonly position: number;
}

/** Refusals of an application that differ, within an hour. */
export const mostRefusals = 1000;

export interface EventLog {
  /**
   * Durable when it resolves. One with a `count` is added to an equal one that began within the hour: of the same
   * application, text, entry and caller, whatever its port, with nothing but refusals of that entry in between. Of those
   * that equal none, an application keeps {@link mostRefusals} an hour, and the others are one more event: so
   * nobody fills a disk with them.
   */
  append(event: AuditEvent): Promise<void>;

  /** The last events of an application, the newest first. */
  list(query: EventQuery): Promise<readonly AuditEvent[]>;

  /** The same with their places: the last one is what the next of them are before. */
  placed(query: EventQuery): Promise<readonly PlacedEvent[]>;

  /**
   * Everything that is kept, a few records at a time and each chain in its order, with a signed checkpoint at its end that names
   * what was exported. It is written into the log first, so that the next export has it.
   * @throws ServiceError `unavailable` where what is not exported yet was removed for its age meanwhile
   */
  exported(span: ExportSpan): AsyncIterable<readonly LinkedRecord[]>;

  /** Throws `unavailable` if events cannot be kept. */
  probe(): Promise<void>;

  close(): Promise<void>;
}

/** In milliseconds since 1970. */
export interface ExportSpan {
  readonly now: number;
  /** What stands before the last checkpoint of that time is left out; undefined: nothing is. */
  readonly since?: number | undefined;
}

/** A record of the log as a chain: an event, or a checkpoint. Its format: docs/guide/operating.md. */
export interface LinkedRecord {
  /** Counts from 1 in its chain. */
  readonly number: number;
  /** SHA-256 of `record`, 64 hexadecimal digits. */
  readonly hash: string;
  /** JSON, in the very bytes that are hashed; it names the hash of the record before. */
  readonly record: string;
  /** Of a checkpoint: Ed25519 over `record`, base64. */
  readonly signature?: string;
  /** Of a refusal: how often it was by now, and when last; what of it is signed, checkpoints tell. */
  readonly counted?: Pick<AuditEvent, 'count' | 'last'>;
}

/** Writes `[YYYY-MM-DD HH:MM:SS] [ip:port] [App:SESSION8] text`. */
export function formatAuditLine({ time, client, application, session, text }: AuditEvent): string {
  return printable(`[${formatTime(time)}] [${client}] [${application}:${session}] ${text}`);
}

/**
 * One line, whatever callers sent: characters that could forge a second one, or have a terminal show the first
 * in another order (Unicode UAX #9 §2), become spaces.
 */
export function printable(text: string): string {
  if (isAscii(text)) return text;
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, ' ');
}

/** Without control characters, as nearly every text: nothing in it is replaced. */
function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}
