/** What the bundled servers and the quick start begin with: where nobody says otherwise, the applications that come with it. */

import { type LoadedConfig, loadConfig } from '../adapters/system/config/config-file.ts';
import type { ServedApplications } from '../applications/context/call.ts';
import { type Bundled, bundled } from '../applications/index.ts';
import type { ServerConfig } from '../config/config.ts';
import { vocabularyOf } from '../doors/manager/vocabulary.ts';
import type { Log } from '../ports/log/log.ts';
import type { Engines } from '../ports/ports.ts';
import { type RunningServers, runServer as runServerOf, startServers as startServersOf } from './command.ts';
import { type Opening, openEngines as openEnginesOf } from './engines.ts';
import type { ServerCommand } from './program.ts';
import type { Surroundings } from './surroundings.ts';

export { serviceSettings } from '../config/config.ts';
export { ensureEntry, ensurePerson } from '../doors/operator/administrators/entries.ts';
export { noteFolder } from '../doors/operator/restoration/older-folder.ts';
export type { Engines } from '../ports/ports.ts';
export type { RunningServers } from './command.ts';
export { installationCommands } from './commands/index.ts';
export { judgeFiles } from './configuration.ts';
export { firstAdministrators, firstConfiguration } from './first-configuration.ts';
export type { ServerCommand } from './program.ts';
export { type AuthorityPlace, ensureAuthority } from './secrets/authority.ts';
export { ownCertificate, type ServerTls, serverTls } from './secrets/certificates.ts';
export { processSurroundings, type Surroundings } from './surroundings.ts';

/** @throws ConfigError, StartError, as `loadConfig` does */
export const readConfiguration = (
  path: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
  applications: ServedApplications = bundled,
): LoadedConfig => loadConfig(path, environment, vocabularyOf(applications));

/**
 * @throws StartError with one sentence if an engine cannot be opened, the licence is no good, or the data folder was put
 * back from a copy and `restored` has not been run
 */
export const openEngines = (
  config: ServerConfig,
  log: Log,
  { applications = bundled, ...more }: Partial<Opening> = {},
): Promise<Engines> => openEnginesOf(config, log, { ...more, applications });

/** Serves all the commands on one service. @throws StartError, ConfigError */
export const startServers = (
  commands: readonly ServerCommand[],
  config: ServerConfig,
  engines: Engines,
): Promise<RunningServers<Bundled>> => startServersOf(commands, { config, engines, applications: bundled });

/** Runs a server until it is asked to end. @returns the exit code: 0, or 1 with a sentence on what is wrong */
export const runServer = (
  command: ServerCommand,
  around: Surroundings,
  applications: ServedApplications = bundled,
): Promise<number> => runServerOf(command, around, applications);
