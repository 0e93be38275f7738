/** Deeds on record: the event log and the log are told of the same deed at the same time (concepts.md §8). */

import { type Happening, wordsOf } from '../limits/kept/events.ts';
import type { Place } from '../limits/kept/users-and-places.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { type AuditEvent, type EventLog, formatAuditLine, printable } from '../ports/records.ts';
import type { Transaction } from '../table/method.ts';
import type { Dn } from '../text/dn.ts';

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
const isRefusal = ({ outcome }: Facts): boolean => ['refused', 'failed', 'over'].includes(outcome);

/** Where deeds are kept, and the name of this node there. */
export interface RecordingPorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'info'>;
  readonly events: Pick<EventLog, 'append'>;
  readonly host: string;
}

/** Durable when it resolves. If the event log fails, the log has it. @throws ServiceError `unavailable` */
export async function recordDeed(
  { application, dn, source, text, facts, times = 1, isNoEvent = false }: Deed,
  { id, client }: Transaction,
  { clock, host, log, events }: RecordingPorts,
): Promise<void> {
  const about = { ...(source !== undefined && { source }), ...(dn && { dn: dn.format() }) };
  const event: AuditEvent = {
    ...{ time: clock.now(), client, host, application, session: id },
    ...{ ...about, text: printable(text) },
    ...(isRefusal(facts) && { count: times }),
  };
  const several = times > 1 && { times };
  log.info(formatAuditLine(event), {
    ...{ transaction: id, audit: !isNoEvent, client },
    ...{ ...about, ...facts, ...several },
  });
  if (!isNoEvent) await events.append(event);
}

/** Whom it happened to, and where. */
export interface Affected extends Pick<Deed, 'application' | 'source'> {
  /** Left out for a name that nobody has: strangers think of any number of those, so they are told as refusals are. */
  readonly dn?: Dn | undefined;
  /** As the log tells it. */
  readonly user: string;
  readonly place: Place;
  /** What people call the authenticator of a code: `token 1`. */
  readonly nameOf?: (key: string) => string | undefined;
}

/** Rule 12 of concepts.md §7: each is an event of its own, and none is lost among refusals. */
export async function recordHappenings(
  happened: readonly Happening[],
  { place, user, nameOf, ...about }: Affected,
  transaction: Transaction,
  ports: RecordingPorts,
): Promise<void> {
  const deeds = happened.map((happening) => ({
    ...about,
    text: `${JSON.stringify(user)}: ${wordsOf(happening, place.words, nameOf)}`,
    facts: { user, outcome: about.dn ? happening.kind : 'refused', reason: happening.kind },
  }));
  await Promise.all(deeds.map((deed) => recordDeed(deed, transaction, ports)));
}
