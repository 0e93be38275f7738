/** The engines that a configuration names, opened: what the bundled servers hand to `createService`. */

import { lookup } from 'node:dns/promises';
import { isDeepStrictEqual } from 'node:util';
import { mountDirectories, type ServerConfig } from '@watchword/core';
import { Dn, ServiceError, StartError } from '@watchword/core/foundation';
import {
  enterFolder,
  loadLibraries,
  refuseMoved,
  type ServedApplications,
  sealedCollections,
  withInstallationSecret,
} from '@watchword/core/operator';
import type { Clock, DirectoryServer, Engines, HostResolver, Log } from '@watchword/core/ports';
import type { Environment } from '@watchword/embedded';
import type { LdapOptions } from '@watchword/ldap';
import { readKeyRing, systemClock, systemRandom, thisSystem } from '@watchword/node';
import { openInstalledAuthority, sealedAuthority } from './secrets/authority.ts';
import { demandsCertificates } from './secrets/certificates.ts';
import { openLicense } from './secrets/license.ts';
import { readNamed } from './secrets/pair-file.ts';
import { loadSenders, openSenders, openYubico } from './senders.ts';
import { holdsState, loadKept, openKept, refuseMissing } from './storage/kept.ts';
import { isShared } from './storage/shared-database.ts';
import { onceUsable } from './storage/waiting.ts';

/**
 * Loads the packages of the engines, and those that the core would load at their first use where the configuration wants them, and
 * opens nothing.
 * @throws what Node's loader throws where one is not installed, see `missingPackage`
 */
export async function loadEngines(config: ServerConfig): Promise<void> {
  const { directory, directories } = config;
  await loadKept(config);
  const types = [directory, ...Object.values(directories)].map(({ type }) => type);
  if (types.includes('embedded')) await import('@watchword/embedded');
  if (types.includes('ldap') || config.ldap_door) await import('@watchword/ldap');
  if (isWatched(config)) await import('@watchword/node/prometheus');
  await loadSenders(config);
  loadLibraries({ securityKeys: config.relying_party !== undefined });
  if (demandsCertificates(config)) await (await import('@watchword/pki')).loadSigning();
  if (hasOpenId(config)) await import('@watchword/openid');
}

const hasOpenId = ({ openid_clients: clients }: ServerConfig): boolean => Object.keys(clients).length > 0;

/** Somebody may look at `/metrics`. */
const isWatched = ({ metrics_clients: clients }: ServerConfig): boolean => clients.length > 0;

/** The engines of a server, which can be opened for another configuration. */
export interface OpenedEngines extends Engines {
  /**
   * Opens the engines of another configuration on the same store, keys and authority. A directory without a change stays the same engine;
   * the caller closes one that was replaced. Gateways are always new ones, which a service closes when it retires.
   * @throws StartError as {@link openEngines} does; the engines before stay open
   */
  reopen(config: ServerConfig): Promise<OpenedEngines>;
}

export interface Opening {
  /** A data folder that was put back from a copy is opened as well: nobody logs in by what is opened. */
  readonly older?: boolean;
  /** Given: a database that cannot be used is waited for, until this is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** The applications of `createService`: their sealed values are counted, and sealed under a new key. */
  readonly applications: ServedApplications;
}

/**
 * @throws StartError with one sentence if an engine cannot be opened, the licence is no good, or the data folder was put
 * back from a copy and `restored` has not been run
 */
export async function openEngines(
  config: ServerConfig,
  log: Log,
  { older = false, signal, applications }: Opening,
): Promise<OpenedEngines> {
  openLicense(config);
  // In this order: the keys are there before the first thing that is stored, so they can be missed later on.
  if (!older) await opened(() => refuseMissing(config));
  const waiting = <T>(open: () => Promise<T>): Promise<T> =>
    opened(() => (signal && isShared(config) ? onceUsable(open, { log, signal }) : open()));
  const mayCreate = !(await waiting(() => holdsState(config)));
  const ring = readKeyRing(config.keys_file, { mayCreate });
  const kept = await waiting(() => openKept(config, ring));
  try {
    const { environment, folder, store, entryRecords } = kept;
    refuseMoved(folder);
    if (!older) await enterFolder(folder, systemRandom);
    const authority = await openInstalledAuthority({ config, keys: ring });
    const keys = await withInstallationSecret(ring, { store, random: systemRandom });
    const shared = {
      ...kept,
      authority,
      keys,
      clock: systemClock,
      random: systemRandom,
      log,
      hosts: cachedHosts(systemClock),
      system: thisSystem,
    };
    const open = async (next: ServerConfig, before?: Configured): Promise<OpenedEngines> => {
      const own = await openConfigured(next, { environment, log, before });
      const ofEngines = [sealedAuthority({ data: config.data, keys })];
      const places = { config: next, directory: own.directory, store, entryRecords, keys, ofEngines };
      const present = { directories: directoriesIn(next), engines: own };
      const reopen = (later: ServerConfig) => open(later, present);
      return { ...shared, ...own, sealed: sealedCollections(places, applications), reopen };
    };
    return await open(config);
  } catch (error) {
    await kept.close();
    throw error;
  }
}

/** The engines that a configuration can replace while the store stays open. */
type ReplaceableEngines = Pick<Engines, 'directory' | 'license' | 'meter' | 'senders' | 'yubico' | 'openid'>;

interface Configured {
  /** The settings of the directories, as {@link directoriesIn} has read them. */
  readonly directories: unknown;
  readonly engines: ReplaceableEngines;
}

interface Reopening extends Omit<EngineView, 'config'> {
  /** The engines before, of which those without a change stay. */
  readonly before: Configured | undefined;
}

/** @throws StartError if an engine cannot be opened; those before stay open */
async function openConfigured(
  config: ServerConfig,
  { environment, log, before }: Reopening,
): Promise<ReplaceableEngines> {
  const license = openLicense(config);
  const senders = await openSenders(config);
  const keepsDirectory = before && isDeepStrictEqual(before.directories, directoriesIn(config));
  return {
    license,
    senders,
    yubico: await openYubico(config),
    openid: hasOpenId(config) ? (await import('@watchword/openid')).openIdEngine : undefined,
    meter: await openMeter(config, before?.engines.meter),
    directory: keepsDirectory
      ? before.engines.directory
      : await opened(() => openDirectories(config, environment, log)),
  };
}

/** A meter counts from the start of the process, so that it is never replaced. */
async function openMeter(config: ServerConfig, before: Engines['meter']): Promise<Engines['meter']> {
  if (before || !isWatched(config)) return before;
  return (await import('@watchword/node/prometheus')).openPrometheus();
}

/** Returns what the directories are opened by: their settings, their authorities, and the bases of domains. */
const directoriesIn = ({ directory, directories, domains }: ServerConfig) => ({
  all: [directory, ...Object.values(directories)].map((settings) => ({
    ...settings,
    authorities: settings.type === 'ldap' && settings.ca !== undefined ? readNamed(settings.ca) : undefined,
  })),
  bases: Object.values(domains).map(({ base }) => base),
});

async function openDirectories(
  config: ServerConfig,
  environment: Environment | undefined,
  log: Log,
): Promise<DirectoryServer> {
  const open = async (settings: DirectoryConfig) => ({
    base: Dn.parse(settings.base),
    server: await openDirectory(settings, { config, environment, log }),
  });
  return mountDirectories(
    await open(config.directory),
    await Promise.all(Object.values(config.directories).map(open)),
  );
}

type DirectoryConfig = ServerConfig['directory'];

/**
 * @throws StartError if it cannot be opened
 * @throws ServiceError as an engine does
 */
export async function openDirectory(
  directory: DirectoryConfig,
  { config, environment, log }: EngineView,
): Promise<DirectoryServer> {
  const ports = { clock: systemClock, random: systemRandom, log };
  if (directory.type === 'embedded') {
    if (!environment) throw new StartError('The embedded directory has no folder yet.');
    const { openDirectory } = await import('@watchword/embedded');
    const { base, password_min_length: minLength, refuse_common_passwords: refusesCommon } = directory;
    const passwordPolicy = { minLength, refusesCommon };
    return openDirectory(environment, { base: Dn.parse(base), passwordPolicy }, ports);
  }
  const { openLdapDirectory } = await import('@watchword/ldap');
  return openLdapDirectory(ldapOptions(directory, config), ports);
}

interface EngineView {
  readonly config: Pick<ServerConfig, 'domains'>;
  /** The database of an embedded directory. */
  readonly environment: Environment | undefined;
  readonly log: Log;
}

type LdapConfig = Extract<DirectoryConfig, { type: 'ldap' }>;

/** The password is there: the configuration demands one, and `loadConfig` has read its file. */
function ldapOptions(
  { type: _, bind_password_file: __, timeout_s, ca, ...rest }: LdapConfig,
  { domains }: EngineView['config'],
): LdapOptions {
  const { bind_password = '' } = rest;
  const isInside = (base: string): boolean => Dn.parse(base).isWithin(Dn.parse(rest.base));
  const bases = Object.values(domains).flatMap(({ base }) => (isInside(base) ? [base] : []));
  const authorities = ca === undefined ? {} : { ca: readNamed(ca) };
  return { ...rest, ...authorities, bases, bind_password, timeout_ms: timeout_s * 1000 };
}

/** Opens an engine; its error is for the operator. */
async function opened<T>(open: () => T | Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    throw new StartError(sentence(cause.detail ?? cause.message), { cause });
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

const hostSeconds = 60;

/** The resolver of the machine; an answer is kept for a minute, so that a request costs no look-up. */
function cachedHosts(clock: Clock): HostResolver {
  const known = new Map<string, { until: number; addresses: Promise<readonly string[]> }>();
  return {
    addresses(host) {
      const found = known.get(host);
      if (found && found.until > clock.now()) return found.addresses;
      const addresses = lookup(host, { all: true }).then(
        (all) => all.map(({ address }) => address),
        () => [],
      );
      known.set(host, { until: clock.now() + hostSeconds * 1000, addresses });
      return addresses;
    },
  };
}
