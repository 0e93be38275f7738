/** The installation of a command: its configuration and engines, while a server may run. */
import type { Core, ServerConfig } from '@watchword/core';
import { type Dn, StartError } from '@watchword/core/foundation';
import { type Engines, printable, randomWord } from '@watchword/core/ports';
import { nameOfKept } from '@watchword/engines/installation';
import type { Task } from './command.ts';

export interface Installation {
  readonly config: ServerConfig;
  readonly engines: Engines;
  /** Returns the parts of a service, made on first use. */
  readonly core: () => Core;
}

/** @throws ConfigError, StartError; StartError where the directory is not the embedded one, with the cure */
export function readEmbedded(task: Task, cure: string): ServerConfig {
  const { config: path, around, program } = task;
  const { config, warnings } = task.readConfiguration(path);
  if (config.directory.type !== 'embedded')
    throw new StartError(`${path ?? 'The configuration'} names an LDAP server. ${cure}`);
  for (const warning of warnings) around.printError(`${program}: warning: ${warning}`);
  return config;
}

/** Opens everything, which makes what a first start makes, and closes it when the work has ended. */
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

/** Records a command in the audit, with an entry or the installation, before its output. */
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
 * Asks whether to do what a report says, unless `--yes` is given.
 * @param warning what cannot be taken back
 * @throws StartError if nobody says yes
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
      'There is no terminal to ask at. Look at it with --dry-run, then type it with --yes.',
    );
  around.print(report);
  const answer = await terminal.ask(`Do it? ${warning} [yes/no]`);
  if (answer.toLowerCase() !== 'yes') throw new StartError('Nothing was done.');
}

/** Refuses a command that makes no sense in a new installation. @throws StartError if there is no database */
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
