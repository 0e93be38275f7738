/** The bundled servers on their sockets, and their service, which can be replaced while they run. */
import { createService, type ServerConfig, type Service, serviceSettings } from '@watchword/core';
import { ServiceError, StartError } from '@watchword/core/foundation';
import { announceRing, type Bundled, type ServedApplications } from '@watchword/core/operator';
import type { DirectoryServer, Engines, ListenerCertificate } from '@watchword/core/ports';
import type { LdapListener } from '@watchword/ldap';
import type { Listener } from '@watchword/node/http';
import type { ServerCommand } from '../program.ts';
import { CertificateOrders } from './certificate-orders.ts';
import { ServedListeners } from './listeners.ts';
import { ServedVersion } from './served-version.ts';

export interface RunningServers<A extends ServedApplications = Bundled> {
  /** One for each command, in their order. */
  readonly listeners: readonly Listener[];
  /** Those of `ldap_door`. */
  readonly doors: readonly LdapListener[];
  /** The service of the present configuration. */
  readonly service: Service<A>;
  /** The present configuration. */
  readonly config: ServerConfig;
  /**
   * Serves another configuration from the next request on. Requests under way end by the one before.
   * @param engines of that configuration, on the same store
   * @throws ConfigError, StartError; nothing has changed then
   */
  replace(config: ServerConfig, engines: Engines): Promise<void>;
  /** The certificates of the listeners. */
  readonly certificates: readonly ListenerCertificate[];
  /** Reads the certificates of the listeners again. @returns whether one has changed @throws StartError; those before stay then */
  renewCertificates(): Promise<boolean>;
  /** Answers what was accepted, then closes everything. */
  close(): Promise<void>;
}

interface Served<A extends ServedApplications> {
  readonly config: ServerConfig;
  readonly engines: Engines;
  readonly applications: A;
  /** Serves the settings at run time that are in force, or returns false; left out: they are not compared. */
  readonly renew?: () => Promise<boolean>;
}

/** Serves all the commands on one service. @throws StartError, ConfigError */
export async function startServers<const A extends ServedApplications>(
  commands: readonly ServerCommand[],
  { config, engines, applications, renew }: Served<A>,
): Promise<RunningServers<A>> {
  const names = commands.map(({ name }) => name).join(' and ');
  const handlers = new Map(commands.map(({ server, prepare }) => [server, prepare(engines.log)]));
  let opened: ServedListeners<A> | undefined;
  const versionOf = (settings: ServerConfig, ports: Engines) =>
    new ServedVersion(settings, ports, {
      handlers,
      service: createService(
        serviceSettings(settings),
        { ...ports, program: names, listenerCertificates: () => opened?.certificates ?? [] },
        applications,
      ),
    });
  const first = await closingOnError(engines, () => versionOf(config, engines));
  const endOfRing = await closingOnError(engines, () => announceRing(names, engines));
  const listeners = new ServedListeners(commands, first, renew);
  opened = listeners;
  const retiring = new Set<Promise<void>>();
  const retire = (version: ServedVersion<A>, next: Engines) => {
    const ended = version.retire(next).finally(() => retiring.delete(ended));
    retiring.add(ended);
  };
  let orders: CertificateOrders | undefined;
  const close = async () => {
    await orders?.close();
    await listeners.close();
    await Promise.all(retiring);
    await endOfRing();
    await listeners.version.service.close();
    await engines.close();
  };
  await closingOnError({ close }, async () => {
    await first.service.checkStore();
    await listeners.open();
  });
  orders = new CertificateOrders({
    running: {
      get config() {
        return listeners.version.config;
      },
      renewCertificates: () => listeners.renewCertificates(),
    },
    servers: commands.map(({ server }) => server),
    ...{ store: engines.ephemeral, clock: engines.clock, log: engines.log, program: names },
  });
  return {
    listeners: listeners.http,
    doors: listeners.ldap,
    get service() {
      return listeners.version.service;
    },
    get config() {
      return listeners.version.config;
    },
    replace: async (settings, ports) => {
      const before = listeners.version;
      const next = versionOf(settings, ports);
      await closingOnError({ close: () => next.retire(before.engines) }, async () => {
        if (ports.directory !== before.engines.directory) {
          await assertAnswers(ports.directory, before.engines.directory);
          await next.service.checkStore();
        }
        await listeners.replace(next);
      });
      retire(before, ports);
    },
    get certificates() {
      return listeners.certificates;
    },
    renewCertificates: () => listeners.renewCertificates(),
    close,
  };
}

/**
 * Refuses a directory that does not answer in place of one that does: of a wrong password, for example.
 * @throws StartError with the words of the directory
 */
async function assertAnswers(next: DirectoryServer, before: DirectoryServer): Promise<void> {
  try {
    await next.probe();
  } catch (cause) {
    if (!(cause instanceof ServiceError) || !(await answers(before))) return;
    throw new StartError(`The directory does not answer with these settings: ${cause.message}.`, { cause });
  }
}

const answers = (directory: DirectoryServer): Promise<boolean> =>
  directory.probe().then(
    () => true,
    () => false,
  );

export async function closingOnError<T>(
  open: { close(): Promise<void> },
  step: () => T | Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    await open.close();
    throw error;
  }
}
