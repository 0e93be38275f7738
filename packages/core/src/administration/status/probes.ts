/** Probes of the servers on which this one depends, made at each request. */
import type { ServiceConfig } from '../../config/config.ts';
import type { Words } from '../../directory/view.ts';
import { version } from '../../foundation/version.ts';
import type { Outbox } from '../../messaging/outbox.ts';
import type { CertificateAuthority } from '../../ports/authority.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { License } from '../../ports/license.ts';
import type { ApplicationFacts, Dialect, StatusFacts } from '../../table/dialect.ts';
import { type KeyCounts, keyFacts } from '../key-rotation/census.ts';
import type { WebApplicationPolicies } from '../policy/self/web-applications.ts';
import type { ServicePolicies } from '../policy/service-policies.ts';
import { answers, type Readiness } from './readiness.ts';

export interface StatusParts {
  readonly servers: boolean;
  readonly webapps: boolean;
  readonly websrvs: boolean;
  readonly keys: boolean;
}

/** The context of a web service's state. */
interface ServiceView extends Words {
  readonly services: Pick<ServicePolicies, 'find'>;
  readonly webapps: Pick<WebApplicationPolicies, 'find'>;
  readonly config: Pick<ServiceConfig, 'openid_clients'>;
  readonly license?: License | undefined;
  readonly clock: Pick<Clock, 'now'>;
}

/** The context of the whole state. */
export interface ProbeView extends ServiceView {
  readonly authority: Pick<CertificateAuthority, 'probe'>;
  readonly dialect: Pick<Dialect, 'statusServers'>;
  readonly keys: Pick<KeyRing, 'ids'>;
  /** Counts the values under each key of the ring. */
  readonly keyCounts: () => Promise<KeyCounts>;
  /** The gateways of mail, SMS and push, by their last tries. */
  readonly outbox: Pick<Outbox, 'state'>;
  /** Returns which servers answer. */
  readonly readiness: () => Promise<Readiness>;
}

/** Server_Status: only the parts asked for. */
export async function serverStatus(parts: StatusParts, view: ProbeView): Promise<StatusFacts> {
  const { servers: up } = await view.readiness();
  // What has no server in this installation (a push gateway, say) is down without harm, and messages wait for one that is.
  const healthy = (up.get('ldap') && up.get('session') && up.get('sql')) === true;
  return {
    version,
    healthy,
    servers: parts.servers ? await namedServers(up, view) : undefined,
    webapps: parts.webapps ? webApplicationFacts(view, healthy) : undefined,
    websrvs: parts.websrvs ? serviceFacts(view, healthy) : undefined,
    keys: parts.keys ? keyFacts(await view.keyCounts(), view.keys.ids) : undefined,
  };
}

/** Returns the servers by name. Logins go on without the authority, so it is reported here, and not by `/readyz`. */
async function namedServers(
  up: ReadonlyMap<string, boolean>,
  { authority, dialect, outbox }: ProbeView,
): Promise<ReadonlyMap<string, boolean>> {
  const gateways = (['mail', 'sms', 'push'] as const).map(
    (channel) => [channel, outbox.state(channel)?.isUp === true] as const,
  );
  const all = new Map([...up, ...gateways, ['pki', await answers(() => authority.probe())]]);
  return new Map(dialect.statusServers.map((name) => [name, all.get(name) === true]));
}

/**
 * Returns the state of web services by the word of the application, the interface's status key
 * (docs/concepts/dialects-and-names.md#installation-names). A web service is enabled if it has operations and the configuration does not
 * turn it off; it works if its servers do.
 */
function serviceFacts(view: ServiceView, healthy: boolean): ReadonlyMap<string, ApplicationFacts> {
  return new Map(
    Object.values(view.applications)
      .filter(({ webApplication }) => !webApplication)
      .map(({ name, service, operations, isUnlicensed }) => {
        const enabled = Object.keys(operations).length > 0 && view.services.find(service).enabled;
        const licensed = isUnlicensed ? undefined : licenses(view, name);
        return [view.names.theirs(name), { version, enabled, healthy: enabled && healthy, licensed }];
      }),
  );
}

/** Returns the state of web applications by the word of the application: all that have pages. No licence names one. */
const webApplicationFacts = (view: ServiceView, healthy: boolean): ReadonlyMap<string, ApplicationFacts> =>
  new Map(
    Object.values(view.applications).flatMap(({ name, service, webApplication }) => {
      if (!webApplication?.locks) return [];
      const { enabled } = view.webapps.find(service);
      const facts = { version, healthy: enabled && healthy, licensed: undefined };
      const isOn = enabled && webApplication.isOn(view.config);
      return [[view.names.theirs(name), { ...facts, enabled: isOn }] as const];
    }),
  );

/** Without a licence nothing is limited; one is valid, and has the product in our words or theirs. */
function licenses(
  { license, names, clock }: Pick<ServiceView, 'license' | 'names' | 'clock'>,
  name: string,
): boolean {
  if (!license) return true;
  const isNamed = Object.keys(license.content.products).some((product) => names.ours(product) === name);
  return isNamed && license.lapse(clock.now()) === undefined;
}
