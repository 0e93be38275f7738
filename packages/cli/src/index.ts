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

/**
 * Reads the configuration of the servers from a file and the environment.
 * @param path the YAML file; undefined: all settings come from the environment
 * @param environment the variables, such as `process.env`; those that begin with `WATCHWORD_` go over the file
 * @param applications by their names; left out: the bundled ones
 * @returns the configuration with absolute paths, and warnings as sentences
 * @throws ConfigError with every problem and its place
 * @throws StartError if the file cannot be read
 * @see docs/concepts/policies-and-settings.md#installation-settings
 * @example
 * ```ts
 * import { isAbsolute } from 'node:path';
 * import { readConfiguration } from '@watchword/cli';
 *
 * const environment = {
 *   WATCHWORD_DIRECTORY__TYPE: 'embedded',
 *   WATCHWORD_DIRECTORY__BASE: 'dc=example,dc=org',
 *   WATCHWORD_DOMAINS__Default__BASE: 'dc=example,dc=org',
 * };
 * const { config } = readConfiguration(undefined, environment);
 * console.log(config.directory.base, isAbsolute(config.data)); // dc=example,dc=org true
 * ```
 */
export const readConfiguration = (
  path: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
  applications: ServedApplications = bundled,
): LoadedConfig => loadConfig(path, environment, vocabularyOf(applications));

/**
 * Serves all the commands on one service.
 * @param commands the servers, such as `managerCommand` of `@watchword/server-manager`
 * @param config the configuration, of {@link readConfiguration}
 * @param engines the engines, of `openEngines`; they are closed with the servers
 * @returns the running servers and their service
 * @throws StartError if a port is taken, or TLS cannot be set up
 * @throws ConfigError if the configuration does not fit the engines
 * @see docs/architecture.md
 * @example
 * ```ts
 * import { readConfiguration, startServers } from '@watchword/cli';
 * import { openEngines } from '@watchword/engines';
 * import { createLog } from '@watchword/node';
 * import { managerCommand } from '@watchword/server-manager';
 *
 * const environment = {
 *   WATCHWORD_DIRECTORY__TYPE: 'embedded',
 *   WATCHWORD_DIRECTORY__BASE: 'dc=example,dc=org',
 *   WATCHWORD_DOMAINS__Default__BASE: 'dc=example,dc=org',
 *   WATCHWORD_MANAGER__PORT: '0',
 * };
 * const { config } = readConfiguration(undefined, environment);
 * const engines = await openEngines(config, createLog({ level: 'error', format: 'text' }, process.stderr));
 * const { listeners, close } = await startServers([managerCommand], config, engines);
 * console.log(listeners.map(({ url }) => new URL(url).protocol)); // [ 'https:' ]
 * await close();
 * ```
 */
export const startServers = (
  commands: readonly ServerCommand[],
  config: ServerConfig,
  engines: Engines,
): Promise<RunningServers<Bundled>> => startServersOf(commands, { config, engines, applications: bundled });

/**
 * Runs a server until it is asked to end.
 * @param command the server, such as `managerCommand` of `@watchword/server-manager`
 * @param around the arguments, the environment and the streams of the program
 * @param applications by their names; left out: the bundled ones
 * @returns the exit code: 0, or 1 with a sentence on what is wrong
 * @see docs/guide/operating.md#stop-a-server
 * @example
 * ```ts
 * import { processSurroundings, runServer } from '@watchword/cli';
 * import { managerCommand } from '@watchword/server-manager';
 *
 * const around = { ...processSurroundings(), arguments: ['--version'], print: () => {} };
 * console.log(await runServer(managerCommand, around)); // 0
 * ```
 */
export const runServer = (
  command: ServerCommand,
  around: Surroundings,
  applications: ServedApplications = bundled,
): Promise<number> => runServerOf(command, around, applications);
