/** The state of the servers behind this one, asked when it is asked for. */
import type { Core } from '../core.ts';
import { keyFacts } from '../rekey/census.ts';
import type { ApplicationFacts, StatusFacts } from '../table/dialect.ts';
import { version } from '../version.ts';
import { answers } from './readiness.ts';

export interface StatusParts {
  readonly servers: boolean;
  readonly webapps: boolean;
  readonly websrvs: boolean;
  readonly keys: boolean;
}

/** Server_Status, specification §2.6: only the parts asked for. */
export async function serverStatus(parts: StatusParts, core: Core): Promise<StatusFacts> {
  const { servers: up } = await core.readiness();
  // What has no server in this installation (a push gateway, say) is down without harm.
  const healthy = (up.get('ldap') && up.get('session') && up.get('sql')) === true;
  return {
    version,
    healthy,
    servers: parts.servers ? await namedServers(up, core) : undefined,
    // There are no web applications; the web services are those of the applications.
    webapps: parts.webapps ? new Map() : undefined,
    websrvs: parts.websrvs ? serviceFacts(core, healthy) : undefined,
    keys: parts.keys ? keyFacts(await core.keyCounts(), core.keys.ids) : undefined,
  };
}

/** Logins go on without the authority, so nobody is sent away for it: it is told here, and not by `/readyz`. */
async function namedServers(
  up: ReadonlyMap<string, boolean>,
  { authority, dialect }: Core,
): Promise<ReadonlyMap<string, boolean>> {
  const all = new Map([...up, ['pki', await answers(() => authority.probe())]]);
  return new Map(dialect.statusServers.map((name) => [name, all.get(name) === true]));
}

/**
 * By the word of the application, which the contract calls the status key (README.md "Names"). A web service is
 * enabled if it has operations and the configuration does not turn it off; it works if the servers behind it do.
 */
function serviceFacts(core: Core, healthy: boolean): ReadonlyMap<string, ApplicationFacts> {
  return new Map(
    Object.values(core.applications).map(({ name, service, operations }) => {
      const enabled = Object.keys(operations).length > 0 && core.services.find(service).enabled;
      const licensed = licenses(core, name);
      return [core.names.theirs(name), { version, enabled, healthy: enabled && healthy, licensed }];
    }),
  );
}

/** Without a licence nothing is limited; one is valid, and has the product in our words or theirs. */
function licenses({ license, names, clock }: Core, name: string): boolean {
  if (!license) return true;
  const isNamed = Object.keys(license.content.products).some((product) => names.ours(product) === name);
  return isNamed && license.lapse(clock.now()) === undefined;
}
