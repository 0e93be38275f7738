/** Get_Event_Logs: what happened, as the audit has it (concepts.md §8). */
import type { Dn } from '../directory/dn.ts';
import { readExisting } from '../directory/entry.ts';
import { onEntry } from '../directory/explain.ts';
import { ServiceError } from '../errors.ts';
import type { Call } from '../method.ts';
import type { AuditEvent } from '../ports/records.ts';

export interface EventRequest {
  /** `Manager`, or an application in our words or the installation's. */
  readonly application: string;
  readonly dn: Dn | undefined;
  readonly max: number;
}

/**
 * The newest first. Super administrators read of entries that have gone, too; others only of those that they see.
 * @throws ServiceError `permission_denied`; `not_found`; `invalid_params` if there is no such application
 */
export async function readEvents(request: EventRequest, call: Call): Promise<readonly AuditEvent[]> {
  const { core, reach, directory } = call;
  const application = knownApplication(request.application, call);
  const { dn, max } = request;
  if (!dn && !reach.isSuperAdmin)
    throw new ServiceError('permission_denied', {
      detail: 'only super administrators read of all entries; name a dn',
    });
  if (dn && reach.isSuperAdmin) await onEntry('read', dn, () => directory.read(dn, ['1.1']));
  else if (dn) await readExisting(directory, dn, ['1.1']);
  return core.events.list({ application, dn: dn?.format(), max });
}

/** As the events name it. */
function knownApplication(word: string, { core }: Call): string {
  if (word.toLowerCase() === 'manager') return 'Manager';
  const known = Object.values(core.applications).map(({ name }) => name);
  const ours = known.find((name) => isSame(name, word) || isSame(core.names.theirs(name), word));
  if (ours !== undefined) return core.names.theirs(ours);
  throw new ServiceError('invalid_params', {
    detail: `Parameter application: there is no '${word.slice(0, 64)}'`,
  });
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
