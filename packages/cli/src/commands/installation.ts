/** The installation that a command line works on: its configuration and its engines. Servers may run at the same time. */
import type { Core, ServerConfig } from '@watchword/core';
import { type Dn, ServiceError, StartError } from '@watchword/core/foundation';
import { type Engines, printable, randomWord } from '@watchword/core/ports';
import { nameOfKept } from '@watchword/engines/installation';
import { withRuntimeSettings } from '../serving/layers.ts';
import type { Task } from './command.ts';

export interface Installation {
  readonly config: ServerConfig;
  readonly engines: Engines;
  /** Returns the parts of a service (limits, applications, methods), which are made on first use. */
  readonly core: () => Core;
}

/** Reads a configuration whose directory must be the embedded one. @param hint the end of the message if it is not @throws ConfigError, StartError */
export function readEmbedded(task: Task, hint: string): ServerConfig {
  const { config: path, around, program } = task;
  const { config, warnings } = task.readConfiguration(path);
  if (config.directory.type !== 'embedded')
    throw new StartError(`${path ?? 'The configuration'} names an LDAP server. ${hint}`);
  for (const warning of warnings) around.printError(`${program}: warning: ${warning}`);
  return config;
}

/** Opens the engines as a server does, runs the work, and closes them. In a new installation, keys and certificates are made. */
export async function withInstallation<T>(
  config: ServerConfig,
  { openEngines, createCore }: Task,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const engines = await openEngines(config);
  try {
    return await work({ config, engines, core: () => createCore(config, engines) });
  } finally {
    await engines.directory.close();
    await engines.close();
  }
}

/** Runs the work as {@link withInstallation} does, by the file and the settings at run time. */
export const withBothLayers = <T>(task: Task, work: (installation: Installation) => Promise<T>): Promise<T> =>
  withInstallation(task.readConfiguration(task.config).config, task, async (installation) =>
    work(await bothLayers(installation, task)),
  );

/** Adds the settings at run time. Unusable ones are a warning: they must not keep an operator from mending the installation. */
async function bothLayers(installation: Installation, task: Task): Promise<Installation> {
  const { engines } = installation;
  try {
    const { config } = await withRuntimeSettings(task.readConfiguration(task.config), engines);
    const core = task.createCore(config, engines);
    return { config, engines, core: () => core };
  } catch (error) {
    if (!(error instanceof StartError || error instanceof ServiceError)) throw error;
    task.around.printError(
      `${task.program}: warning: the file counts without the settings at run time: ${error.message}`,
    );
    return installation;
  }
}

/** Writes the audit entry of a command, before its output. */
export async function auditCommand(
  { program, streams }: Task,
  { engines }: Installation,
  { dn, text }: { dn?: Dn; text: string },
): Promise<void> {
  const { events, clock, random, system } = engines;
  await events.append({
    time: clock.now(),
    client: '-',
    host: system.facts().host,
    application: 'Manager',
    session: randomWord(random, 8),
    ...(dn && { dn: dn.format() }),
    text: printable(`${streams.operator} at ${program}: ${text}: done`),
  });
}

/**
 * Asks the operator to confirm a report, unless `--yes` is given.
 * @param warning what cannot be undone
 * @throws StartError if the operator declines, or there is no terminal
 */
export async function confirm(
  { switches, streams, around }: Task,
  report: string,
  warning: string,
): Promise<void> {
  if (switches.has('yes')) return;
  const { terminal } = streams;
  if (!terminal)
    throw new StartError(
      'There is no terminal to ask at. Check the report with --dry-run, then repeat the command with --yes.',
    );
  around.print(report);
  const answer = await terminal.ask(`Do it? ${warning} [yes/no]`);
  if (answer.toLowerCase() !== 'yes') throw new StartError('Nothing was done.');
}

/** Refuses a command that needs the state of a server. @throws StartError if there is no database yet */
export async function refuseEmpty(
  configuration: ServerConfig,
  { program, config, holdsState }: Task,
): Promise<void> {
  if (await holdsState(configuration)) return;
  const { store, data } = configuration;
  const what =
    store.type === 'embedded' ? `no database in ${data}` : `nothing in ${nameOfKept(configuration)} yet`;
  throw new StartError(`There is ${what}; begin with: ${program} init --config ${config ?? 'FILE'}`);
}
