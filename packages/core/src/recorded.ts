/** Deeds on record: the event log and the log are told of the same deed at the same time (concepts.md §8). */
import type { Core } from './core.ts';
import type { Dn } from './directory/dn.ts';
import type { Transaction } from './method.ts';
import { type AuditEvent, formatAuditLine, printable } from './ports/records.ts';

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
  /** Only a line in the log: anybody may do it as often as they like. */
  readonly isNoEvent?: boolean | undefined;
}

/** The same for programs: fields of the line in the log. */
export interface Facts {
  /** Who did it: an administrator's DN, or the login name that was tried. */
  readonly user: string;
  readonly method?: string;
  readonly operation?: string;
  /** `done`, `no change`, `granted`, `challenge`, `refused`, `failed`. */
  readonly outcome: string;
  /** Why it was refused or failed. */
  readonly reason?: string | undefined;
  readonly milliseconds?: number;
}

/** Durable when it resolves. If the event log fails, the log has it. @throws ServiceError `unavailable` */
export async function recordDeed(
  { application, dn, source, text, facts, isNoEvent = false }: Deed,
  { id, client }: Transaction,
  { clock, host, log, events }: Pick<Core, 'clock' | 'host' | 'log' | 'events'>,
): Promise<void> {
  const about = { ...(source !== undefined && { source }), ...(dn && { dn: dn.format() }) };
  const event: AuditEvent = {
    ...{ time: clock.now(), client, host, application, session: id },
    ...{ ...about, text: printable(text) },
  };
  log.info(formatAuditLine(event), { transaction: id, audit: !isNoEvent, client, ...about, ...facts });
  if (!isNoEvent) await events.append(event);
}
