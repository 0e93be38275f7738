/** The parts of a service that the Admin Portal's door needs. */
import type { Roles } from '../../../administration/access/roles.ts';
import type { RowView } from '../../../applications/context/call.ts';
import type { ServiceConfig } from '../../../config/config.ts';
import type { HostResolver } from '../../../ports/ports.ts';
import type { AdministratorView } from '../identity/administrator.ts';
import type { SessionView } from '../session/session.ts';

export interface PortalView extends RowView, AdministratorView, SessionView {
  readonly config: ServiceConfig;
  readonly hosts: HostResolver;
  readonly clock: RowView['clock'];
  readonly domains: RowView['domains'];
  readonly keys: RowView['keys'];
  readonly limits: RowView['limits'];
  readonly log: RowView['log'];
  readonly server: RowView['server'];
  readonly store: RowView['store'];
  readonly authority: RowView['authority'];
  readonly certificates: RowView['certificates'];
  readonly events: RowView['events'];
  readonly roles: RowView['roles'] & Pick<Roles, 'rights'>;
}
