/**
 * The method Get_Event_Logs: the newest events of the audit, of an application or an entry (docs/concepts/stores-and-nodes.md#event-log).
 */

import { missingObject, onEntry } from '../../directory/entry/entry.ts';
import type { BoundView, Words } from '../../directory/view.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import { type Dn, MalformedDn } from '../../foundation/text/dn.ts';
import type { AuditEvent, EventLog } from '../../ports/event-log/event-log.ts';
import type { Dialect } from '../../table/dialect.ts';
import type { EffectiveRights } from '../access/effective-rights.ts';
import { namedApplication } from './named-application.ts';

/** The events, and what an administrator may know of entries. */
export interface EventView extends Words, BoundView {
  readonly events: Pick<EventLog, 'list'>;
  readonly rights: Pick<EffectiveRights, 'isSuperAdmin'>;
  readonly dialect: Pick<Dialect, 'forgivesUnknownEntries'>;
}

export interface EventRequest {
  /** `Manager`, or an application in our words or the installation's. */
  readonly application: string;
  readonly dn: Dn | MalformedDn | undefined;
  readonly max: number;
}

/**
 * The newest first. Super administrators read of entries that have gone, too; others only of those that they see.
 * @throws ServiceError `permission_denied`; `not_found`; `invalid_params` if there is no such application
 */
export async function readEvents(request: EventRequest, call: EventView): Promise<readonly AuditEvent[]> {
  const application = logOf(request.application, call);
  const { dn, max } = request;
  const fault = await checkReadable(dn, call);
  if (dn instanceof MalformedDn || fault) return nothingAbout(fault, call);
  return call.events.list({ application, dn: dn?.format(), max });
}

/**
 * Checks that an administrator may read events of an entry, or of all entries.
 * @returns the fault of an unknown or malformed DN; some dialects answer it with no events
 * @throws ServiceError `permission_denied`
 */
export async function checkReadable(
  dn: EventRequest['dn'],
  { rights, directory }: Pick<EventView, 'rights' | 'directory'>,
): Promise<ServiceError | undefined> {
  if (dn instanceof MalformedDn) return dn.error;
  if (!dn && !rights.isSuperAdmin)
    throw new ServiceError('permission_denied', {
      detail: 'only super administrators read of all entries; name a dn',
    });
  const entry = dn && (await onEntry('read', dn, () => directory.read(dn, ['1.1'])));
  return dn && !entry && !rights.isSuperAdmin ? missingObject(dn) : undefined;
}

/** @throws ServiceError the fault of the entry's name, where the dialect shows it */
function nothingAbout(
  wrong: ServiceError | undefined,
  { dialect }: Pick<EventView, 'dialect'>,
): readonly AuditEvent[] {
  if (wrong && !dialect.forgivesUnknownEntries) throw wrong;
  return [];
}

/** Returns the name of a log in the events. @throws ServiceError `invalid_params` */
export const logOf = (word: string, words: Words): string =>
  word.toLowerCase() === 'manager' ? 'Manager' : namedApplication(word, words);
