/** The start of the bundled servers and the quick start; the bundled applications are the preset. */

import { type ServerConfig, vocabularyOf } from '@watchword/core';
import { type Bundled, bundled, type ServedApplications } from '@watchword/core/operator';
import type { Engines } from '@watchword/core/ports';
import { runServer as runServerOf } from './command.ts';
import { type LoadedConfig, loadConfig } from './config-file/config-file.ts';
import type { ServerCommand } from './program.ts';
import { type RunningServers, startServers as startServersOf } from './serving/servers.ts';
import type { Surroundings } from './surroundings.ts';

export { installationCommands } from './commands/index.ts';
export { judgeFiles } from './configuration.ts';
export { firstAdministrators, firstConfiguration } from './first-configuration.ts';
export type { ServerCommand } from './program.ts';
export { type ConfiguredServers, startConfigured } from './serving/configured-servers.ts';
export type { RunningServers } from './serving/servers.ts';
export { processSurroundings, type Surroundings } from './surroundings.ts';

/** @throws ConfigError, StartError, as `loadConfig` does */
export const readConfiguration = (
  path: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
  applications: ServedApplications = bundled,
): LoadedConfig => loadConfig(path, environment, vocabularyOf(applications));

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
