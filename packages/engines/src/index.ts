/** `@watchword/engines`: all ports of `createService` in one line, for programs that embed it. */

import { readConfig, type ServerConfig, type ServerConfigInput, vocabularyOf } from '@watchword/core';
import { bundled, type ServedApplications } from '@watchword/core/operator';
import type { Engines, Log } from '@watchword/core/ports';
import { createLog } from '@watchword/node';
import { type Opening, openEngines as openEnginesOf } from './engines.ts';

export type { Engines };

/**
 * Opens the engines that a configuration names.
 * @param config the configuration, of `readConfig`
 * @param log the log of the engines, which the service uses too
 * @param options the applications, and the version of the program that may have written the data
 * @returns the engines, for `createService`; `close` ends the database, after `close` of the service
 * @throws StartError with one sentence if an engine cannot be opened, or the licence is not valid here.
 *   Also if the data folder was put back from a copy, and `restored` has not been run
 * @see docs/concepts/stores-and-nodes.md#backup-and-restore
 * @example
 * ```ts
 * import { createService, readConfig, serviceSettings } from '@watchword/core';
 * import { openEngines } from '@watchword/engines';
 * import { createLog } from '@watchword/node';
 *
 * const base = 'dc=example,dc=org';
 * const config = readConfig({ data: './data', directory: { type: 'embedded', base }, domains: { Default: { base } } });
 * const engines = await openEngines(config, createLog({ level: 'error', format: 'text' }, process.stderr));
 * const service = createService(serviceSettings(config), engines);
 * console.log((await service.ready()).servers.get('ldap')); // true
 * await service.close();
 * await engines.close();
 * ```
 */
export const openEngines = (
  config: ServerConfig,
  log: Log,
  { applications = bundled, ...more }: Partial<Opening> = {},
): Promise<Engines> => openEnginesOf(config, log, { ...more, applications });

type DirectorySettings = NonNullable<ServerConfigInput['directory']>;
type LdapSettings = Extract<DirectorySettings, { type: 'ldap' }>;

export interface Opened {
  /** The log; left out: warnings and errors, on the standard error stream. */
  readonly log?: Log | undefined;
  /**
   * The settings that `createService` gets, and those of the engines: `keys_file`, `event_log_days`, `license`, `ca`
   * (docs/reference/settings.md). Left out: the usual ones.
   */
  readonly settings?:
    | (Omit<ServerConfigInput, 'data' | 'directory' | 'domains'> & {
        readonly domains?: ServerConfigInput['domains'];
      })
    | undefined;
  /** Those that `createService` gets, where `settings` name any; left out: those that come with it. */
  readonly applications?: ServedApplications | undefined;
}

export interface EmbeddedOptions extends Opened {
  /** The entry at the top, made on the first open: `dc=example,dc=org`, `o=Example`. It never changes. */
  readonly base: string;
}

export type LdapEngineOptions = Opened &
  Omit<LdapSettings, 'type'> & {
    /** The folder of sessions, events, records and keys; made where there is none. Left out: `./data`. */
    readonly data?: string;
  };

/**
 * Opens all engines in a folder, with the embedded directory; makes the folder where there is none.
 * @param data the folder; one process opens it once
 * @param options the base of the directory, the log, and settings of the engines
 * @returns the engines, for `createService`; `close` ends the database, after `close` of the service
 * @throws ConfigError with every problem of the options
 * @throws StartError with one sentence if an engine cannot be opened
 * @see docs/concepts/stores-and-nodes.md#embedded-store
 * @example
 * ```ts
 * import { Dn } from '@watchword/core';
 * import { openEmbedded } from '@watchword/engines';
 *
 * const engines = await openEmbedded('./data', { base: 'dc=example,dc=org' });
 * const entry = await engines.directory.service.read(Dn.parse('dc=example,dc=org'));
 * console.log(entry?.dn); // dc=example,dc=org
 * await engines.close();
 * ```
 */
export function openEmbedded(data: string, { base, ...more }: EmbeddedOptions): Promise<Engines> {
  return open(data, { type: 'embedded', base }, more);
}

/**
 * Opens all engines, with a directory that answers over LDAP: OpenLDAP, Active Directory.
 * @param options the addresses, the base and the account of the service; `data` is the folder of everything else
 * @returns the engines, for `createService`; `close` ends the database, after `close` of the service
 * @throws ConfigError with every problem of the options
 * @throws StartError with one sentence if an engine cannot be opened
 * @see RFC 4511
 * @see docs/concepts/dialects-and-names.md#directory-vendor
 * @example
 * ```ts
 * import { openLdap } from '@watchword/engines';
 *
 * const engines = await openLdap({
 *   urls: ['ldaps://ldap.example.org'],
 *   base: 'dc=example,dc=org',
 *   bind_dn: 'cn=watchword,dc=example,dc=org',
 *   bind_password: 'a password',
 *   data: './data',
 * });
 * console.log(engines.directory.service.identity.format()); // cn=watchword,dc=example,dc=org
 * await engines.directory.close();
 * await engines.close();
 * ```
 */
export function openLdap({
  data = './data',
  log,
  settings,
  applications,
  ...directory
}: LdapEngineOptions): Promise<Engines> {
  return open(data, { type: 'ldap', ...directory }, { log, settings, applications });
}

async function open(
  data: string,
  directory: DirectorySettings & { readonly base: string },
  { settings = {}, log = usualLog(), applications = bundled }: Opened,
): Promise<Engines> {
  const domains = { Default: { base: directory.base } };
  const config = readConfig({ domains, ...settings, data, directory }, vocabularyOf(applications));
  return openEngines(config, log, { applications });
}

const usualLog = (): Log => createLog({ level: 'warn', format: 'text' }, process.stderr);
