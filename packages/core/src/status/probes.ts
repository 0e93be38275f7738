/** The state of the servers behind this one, asked when it is asked for. */
import type { Core } from '../core.ts';
import type { ApplicationFacts, StatusFacts } from '../dialect.ts';
import { version } from '../version.ts';

export interface StatusParts {
  readonly servers: boolean;
  readonly webapps: boolean;
  readonly websrvs: boolean;
}

/** Server_Status, specification §2.6: only the parts asked for. */
export async function serverStatus(parts: StatusParts, core: Core): Promise<StatusFacts> {
  const up = await probeServers(core);
  return {
    version,
    // What has no server in this installation (a push gateway, say) is down without harm.
    healthy: (up.get('ldap') && up.get('session') && up.get('sql')) === true,
    servers: parts.servers
      ? new Map(core.dialect.statusServers.map((name) => [name, up.get(name) === true]))
      : undefined,
    // There are no web applications; the web services are those of the applications.
    webapps: parts.webapps ? new Map() : undefined,
    websrvs: parts.websrvs ? serviceFacts(core) : undefined,
  };
}

/** What needs to be up for this server to do its work, for `/readyz`. */
export async function probeServers(core: Core): Promise<ReadonlyMap<string, boolean>> {
  const [ldap, session, sql] = await Promise.all([
    answers(() => core.directory.probe()),
    answers(() => core.store.probe()),
    answers(() => core.events.probe()),
  ]);
  return new Map([
    ['ldap', ldap],
    ['session', session],
    ['sql', sql],
  ]);
}

async function answers(probe: () => Promise<void>): Promise<boolean> {
  try {
    await probe();
    return true;
  } catch {
    return false;
  }
}

/**
 * By the word of the application, which the contract calls the status key (README.md "Names"). A web service is
 * enabled once it has operations; none has yet.
 */
function serviceFacts(core: Core): ReadonlyMap<string, ApplicationFacts> {
  return new Map(
    Object.values(core.applications).map(({ name }) => [
      core.names.theirs(name),
      { version, enabled: false, healthy: false },
    ]),
  );
}
