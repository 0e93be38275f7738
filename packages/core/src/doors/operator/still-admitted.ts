/** Refuses a configuration under which its author could change nothing any more. */
import type { EffectiveRights } from '../../administration/access/effective-rights.ts';
import type { RoleInterface, ServiceConfig } from '../../config/config.ts';
import { StartError } from '../../foundation/errors/start-error.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { HostResolver } from '../../ports/ports.ts';
import type { ConfigurationCaller } from '../../ports/runtime-configuration.ts';
import { ClientList } from '../manager/identity/clients.ts';

/** The parts of a service that is not served yet. */
interface AdmittingParts {
  readonly config: Pick<ServiceConfig, 'manager_clients'>;
  readonly hosts: HostResolver;
  readonly roles: {
    rights(
      administrator: Dn,
      door: RoleInterface,
    ): Promise<Pick<EffectiveRights, 'isSuperAdmin'> | undefined>;
  };
}

/** @throws StartError with the setting that shuts the caller out; ServiceError `unavailable` */
export async function assertStillAdmitted(
  { administrator, address }: ConfigurationCaller,
  { config, hosts, roles }: AdmittingParts,
): Promise<void> {
  const rights = await roles.rights(administrator, 'Manager');
  if (!rights?.isSuperAdmin)
    throw new StartError(
      'super_admins would not include you; keep yourself in it, or let another one do it.',
    );
  if (address === undefined || (await new ClientList(config.manager_clients, hosts).admits(address))) return;
  throw new StartError('manager_clients would not include your address; add it.');
}
