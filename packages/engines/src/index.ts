/** `@watchword/engines`: all ports of `createService` in one line, for programs that embed it. */

import { readConfig, type ServerConfig, type ServerConfigInput, vocabularyOf } from '@watchword/core';
import { bundled, type ServedApplications } from '@watchword/core/operator';
import type { Engines, Log } from '@watchword/core/ports';
import { createLog } from '@watchword/node';
import { type Opening, openEngines as openEnginesOf } from './engines.ts';

export type { Engines };

/**
 * Opens the engines that a configuration names.
 * @throws StartError with one sentence if an engine cannot be opened, the licence is no good, or the data folder was put
 * back from a copy and `restored` has not been run
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
 * Opens all engines in a folder, the directory too; makes it where there is none.
 * @param data the folder; one process opens it once
 * @throws ConfigError with every problem of the options
 * @throws StartError with one sentence if an engine cannot be opened
 */
export function openEmbedded(data: string, { base, ...more }: EmbeddedOptions): Promise<Engines> {
  return open(data, { type: 'embedded', base }, more);
}

/**
 * Opens all engines, the directory being one that answers over LDAP (RFC 4511): OpenLDAP, Active Directory.
 * @throws ConfigError with every problem of the options
 * @throws StartError with one sentence if an engine cannot be opened
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
