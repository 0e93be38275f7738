/** The composition root: configuration and ports in, the doors out. */

import { KnownAdministrators } from './administration/access/known-administrators.ts';
import { MadeRoles } from './administration/access/made/made-roles.ts';
import { Roles } from './administration/access/roles.ts';
import { countByKey, type KeyCounts } from './administration/key-rotation/census.ts';
import { assertForInstance } from './administration/license/instance.ts';
import { withLicense } from './administration/license/limits.ts';
import { readPolicies } from './administration/policy/index.ts';
import { CertificateNotices } from './administration/status/certificate-notices.ts';
import { assertMeasured, metricsFor } from './administration/status/metrics.ts';
import { Heartbeat } from './administration/status/nodes.ts';
import { probeServers, type Readiness } from './administration/status/readiness.ts';
import type { ServedApplications } from './applications/context/call.ts';
import { PhoneWaits } from './applications/context/phone-waits.ts';
import type { Bundled } from './applications/index.ts';
import {
  readKeptRole,
  readRole,
  readServiceConfig,
  type ServiceConfig,
  type ServiceConfigInput,
} from './config/config.ts';
import { applicationsIn, ineffectiveSettings } from './config/references.ts';
import { afterWrites } from './directory/data/after-writes.ts';
import { GroupSettings } from './directory/data/group-settings.ts';
import { presetSettings } from './directory/data/settings.ts';
import { Domains } from './directory/domain.ts';
import { Memberships } from './directory/groups/memberships.ts';
import { withMetadata } from './directory/metadata.ts';
import { complaint, isRefused } from './directory/store-binding/state.ts';
import { StoreBindings } from './directory/store-binding/store-bindings.ts';
import { Descriptions } from './doors/describe/descriptions.ts';
import type { Doors } from './doors/doors.ts';
import { LdapDoor } from './doors/ldap/door.ts';
import { Answers } from './doors/manager/answers.ts';
import { ManagerDoor } from './doors/manager/door.ts';
import { type DryRunParts, openDryRun } from './doors/manager/dry-run/service.ts';
import { OwnMethods } from './doors/manager/own-methods.ts';
import { PortalDoor } from './doors/manager/portal/portal-door.ts';
import { SignIn } from './doors/manager/portal/sign-in.ts';
import { vocabularyOf } from './doors/manager/vocabulary.ts';
import { WebDoor } from './doors/web/door.ts';
import type { WebCalls } from './doors/web/operations.ts';
import { ServiceError } from './foundation/errors/errors.ts';
import { StartError } from './foundation/errors/start-error.ts';
import { SingleFlight } from './foundation/runtime/single-flight.ts';
import { Limits, type LimitsOptions } from './limits/limits.ts';
import { directoryFailuresOf } from './limits/quotas.ts';
import { Outbox } from './messaging/outbox.ts';
import type { Directory, DirectoryServer } from './ports/directory/directory.ts';
import { noMeter, noTracer } from './ports/meter.ts';
import type { Ports } from './ports/ports.ts';
import { unbounded } from './ports/store/store.ts';
import { dialects, Names } from './table/dialect.ts';
import { withNeeds } from './table/setting.ts';
import type { Needed } from './table/setting-row.ts';

/** A service with the applications `A`. */
export interface Service<A extends ServedApplications = Bundled> extends Doors {
  /** User administration: one request of a server, or a login in process. */
  readonly manager: Doors['manager'] & Pick<ManagerDoor<A>, 'login'>;

  /** Logins: one request of a server, or an operation in process, `web.otp.normalLogin({…})`. */
  readonly web: Doors['web'] & WebCalls<A>;

  /**
   * Looks whether the directories are used with another store than this one, or have been with this one since it was
   * set back, and notes that they are used with this one. Logins with codes look again, and are refused then.
   * @throws StartError with the cure; a directory that does not answer is looked at later
   */
  checkStore(): Promise<void>;

  /**
   * Ends what the service does on its own: connections of sessions, deliveries, gateways, and its line in the list of nodes. Directory and
   * stores stay open, for a service with another configuration that takes its place.
   */
  retire(): Promise<void>;

  /** Ends sessions and the outbox, and closes the directory, the stores, the event log and the records, in this order. */
  close(): Promise<void>;
}

/**
 * Makes the service.
 * @param config the settings of `docs/reference/settings.md` that are not a server's
 * @param ports the engines; the service closes them
 * @param applications by their names, those of one's own among them
 * @throws ConfigError if the configuration is not one; StartError if the licence is another installation's, or if an
 * application does not fit with the others
 */
export function createService<const A extends ServedApplications>(
  config: ServiceConfigInput,
  ports: Ports,
  applications: A,
): Service<A>;
export function createService(
  config: ServiceConfigInput,
  ports: Ports,
  applications: ServedApplications,
): Service<ServedApplications> {
  const core = createCore(config, ports, applications);
  const descriptions = new Descriptions(core);
  const answers = new Answers(core, () => descriptions.openrpc());
  const manager = new ManagerDoor(core, answers);
  const portal = new PortalDoor(core, answers, (view, administrators) => new SignIn(view, administrators));
  core.outbox.start();
  const heartbeat = new Heartbeat(core);
  heartbeat.start();
  const notices = new CertificateNotices(core);
  notices.start();
  core.keyUses.start();
  const web = new WebDoor(core, new OwnMethods(core, answers).of);
  const retire = async () => {
    await Promise.all([manager.close(), portal.close()]);
    await notices.close();
    await core.outbox.close();
    await heartbeat.close();
    await core.keyUses.close();
    ports.yubico?.close();
  };
  return {
    manager,
    portal,
    web: {
      ...web.calls,
      answer: (request) => core.patience.during(() => web.answer(request)),
      answerShared: (request) => core.patience.during(() => web.answerShared(request)),
    },
    ldap: new LdapDoor(core),
    descriptions,
    checkStore: () => checkStore(core),
    ready: core.readiness,
    metrics: (address) => metricsFor(address, core),
    retire,
    close: async () => {
      await retire();
      await ports.directory.close();
      await ports.store.close();
      await ports.ephemeral.close();
      await ports.events.close();
      await ports.entryRecords.close();
      await ports.certificates.close();
    },
  };
}

/** Parts of a service; a function takes those that it uses. */
export type Core = ReturnType<typeof createCore>;

/** Creates the parts that the doors of a service share. @throws ConfigError, StartError */
export function createCore(config: ServiceConfigInput, ports: Ports, applications: ServedApplications) {
  const settings = readSettings(config, ports, applications);
  const core = assemble(ports, settings, usualParts);
  const layered = { ...ports, directory: core.server };
  const openDryRunOf = (bound: Directory) =>
    openDryRun(layered, bound, (drafted, parts) => assemble(drafted, settings, parts));
  return { ...core, openDryRun: openDryRunOf };
}

type ReadSettings = ReturnType<typeof readSettings>;

/** Reads the settings, which depend on no engine but on which of them there are. @throws ConfigError, StartError */
function readSettings(config: ServiceConfigInput, ports: Ports, applications: ServedApplications) {
  const there = withWhatIsThere(applications, ports.senders, config);
  const vocabulary = vocabularyOf(there);
  const read = readServiceConfig(config, vocabulary);
  for (const warning of ineffectiveSettings(read, vocabulary)) ports.log.warn(warning);
  const able = applicationsIn(read.dialect, there);
  const domains = new Domains(read);
  if (ports.license) assertForInstance(ports.license, domains);
  return { able, vocabulary, read, domains, names: new Names(read.names) };
}

const usualParts: DryRunParts = {
  limits: (options) => new Limits(options),
  outbox: (ports) => new Outbox(ports),
};

/** @throws ConfigError, StartError */
function assemble(ports: Ports, { able, vocabulary, read, domains, names }: ReadSettings, made: DryRunParts) {
  // Anybody may ask, without a login and as often as they like: the servers are asked once for all.
  const census = new SingleFlight<KeyCounts>();
  const readiness = new SingleFlight<Readiness>();
  const groupSettings = groupSettingsOf(ports, read);
  const layered = directoryOf(ports, read, domains);
  const { schema } = read;
  const looking = { server: layered, schema, domains, clock: ports.clock };
  const memberships = new Memberships(looking);
  // Rights are given by lists of members: many directories let users write `memberOf` of what is theirs.
  const memberLists = new Memberships({ ...looking, schema: { ...schema, member_of_attributes: [] } });
  const madeRoles = madeRolesOf(ports, { names, ...vocabulary });
  const administrators = new KnownAdministrators({
    ...{ madeRoles, clock: ports.clock },
    isAdministrator: (user) => roles.isAdministrator(user),
  });
  const forgetting = {
    dataAttribute: schema.data_attribute,
    forget: () => {
      memberships.forget();
      memberLists.forget();
      administrators.forget();
    },
  };
  const parts = {
    ...ports,
    groupSettings,
    memberships,
    memberLists,
    directory: afterWrites(groupSettings.seeing(layered), forgetting),
    config: read,
    dialect: dialects[read.dialect],
    names,
    domains,
    host: ports.system.facts().host,
    phoneWaits: new PhoneWaits(),
    limits: made.limits(limitsOf(ports, read)),
    meter: ports.meter ?? noMeter,
    patience: ports.patience ?? unbounded,
    tracer: ports.tracer ?? noTracer,
    keyCounts: () => census.run('all', () => countByKey(ports.sealed ?? [])),
    readiness: () => readiness.run('all', () => probeServers(ports)),
    applications: able,
    madeRoles,
  };
  assertMeasured(parts);
  const storeBindings = new StoreBindings(parts);
  const outbox = made.outbox(parts);
  const presets = presetSettings(parts);
  const roles: Roles = new Roles({ ...parts, presets });
  const core = { ...parts, storeBindings, outbox, presets, roles, administrators };
  const { directory: server } = parts;
  return { ...core, ...readPolicies(core), server, directory: server.service };
}

/** The applications, whose settings take no word that needs what is not configured. */
function withWhatIsThere(
  applications: ServedApplications,
  senders: Ports['senders'] = {},
  { relying_party: party }: Pick<ServiceConfigInput, 'relying_party'>,
): ServedApplications {
  const isThere = (needed: Needed) => (needed === 'relying_party' ? party !== undefined : needed in senders);
  return Object.fromEntries(
    Object.entries(applications).map(([name, one]) => [name, withNeeds(one, isThere)]),
  );
}

async function checkStore({
  storeBindings,
  domains,
}: {
  readonly storeBindings: StoreBindings;
  readonly domains: Domains;
}): Promise<void> {
  for (const base of domains.bases) {
    const state = await storeBindings.state(base).catch((error) => {
      if (error instanceof ServiceError) return undefined;
      throw error;
    });
    if (state && isRefused(state)) throw new StartError(`${complaint(state, base)}.`);
  }
}

const madeRolesOf = (ports: Ports, words: Parameters<typeof readRole>[2]): MadeRoles =>
  new MadeRoles(ports, { read: (name, row) => readRole(name, row, words), readKept: readKeptRole });

const limitsOf = (ports: Ports, { limits }: ServiceConfig): LimitsOptions => ({
  ...ports,
  directoryFailures: directoryFailuresOf(limits.directory_failures),
  judgesRefused: limits.judge_refused,
});

const groupSettingsOf = ({ directory, clock }: Ports, { schema }: ServiceConfig): GroupSettings =>
  new GroupSettings({ server: directory, schema, clock });

/** The layers around the directory: metadata mode, and the limits of the licence. */
function directoryOf(
  { directory, entryRecords, license, store, clock }: Ports,
  { schema }: ServiceConfig,
  domains: Domains,
): DirectoryServer {
  const complete = withMetadata(directory, entryRecords, schema);
  return withLicense(complete, { license, domains, schema, store, clock });
}
