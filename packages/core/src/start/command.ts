/** The life of a bundled server: options read, configuration checked, engines opened, signals obeyed. */
import { parseArgs } from 'node:util';
import type { Listener } from '../adapters/http/index.ts';
import { createLog, systemRandom } from '../adapters/system/index.ts';
import { bundled } from '../applications.ts';
import { ConfigError, type ServerConfig, serviceSettings } from '../config/config.ts';
import { StartError } from '../errors/start-error.ts';
import type { Handler } from '../http/http.ts';
import { createService, type Doors, type Service } from '../service.ts';
import { version } from '../version.ts';
import { administratorWarning } from './administrators.ts';
import { type Command, listCommands, runCommand } from './commands/command.ts';
import { judgeFiles, readNamedConfiguration } from './configuration.ts';
import { type Engines, loadEngines, openEngines } from './engines.ts';
import { checkInstallation } from './findings/check.ts';
import { directoriesOf } from './findings/directories.ts';
import type { Finding } from './findings/finding.ts';
import { survey } from './findings/survey.ts';
import { missingPackage } from './launch.ts';
import { lockoutWarning } from './lockout.ts';
import { openServiceWarnings, trustWarnings } from './open-services.ts';
import { newApiKey } from './secrets/api-key.ts';
import { foreignSecrets } from './secrets/foreign-secrets.ts';
import { announceRing } from './secrets/node-rings.ts';
import { secretPlaces } from './secrets/sealed-places.ts';
import { serveOne } from './serve-one.ts';
import type { Streams } from './streams.ts';

export interface ServerCommand {
  /** The name of the program. */
  readonly name: string;
  /** Which part of the configuration is its own. */
  readonly server: 'manager' | 'ws';
  readonly handler: (service: Doors, config: ServerConfig) => Handler;
  /** What else the program does: `watchword-manager init`. */
  readonly commands?: readonly Command[];
}

/** What a program is given by its process; `main.ts` passes the real thing. */
export interface Surroundings {
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  readonly logTo: { write(line: string): unknown };
  /** Resolves when the program is asked to end. */
  readonly asked: Promise<string>;
  /** For commands; left out: the program has none, or nobody will ask for one. */
  readonly streams?: () => Streams;
}

/** Runs a server until it is asked to end. @returns the exit code: 0, or 1 with a sentence on what is wrong */
export async function runServer(command: ServerCommand, around: Surroundings): Promise<number> {
  try {
    return await run(command, around);
  } catch (error) {
    around.printError(whyNot(command, error));
    return 1;
  }
}

async function run(command: ServerCommand, around: Surroundings): Promise<number> {
  const [first = '-'] = around.arguments;
  if (!first.startsWith('-')) {
    await runCommand(command, around);
    return 0;
  }
  const options = readOptions(command, around.arguments);
  if (options.help || options.version) {
    around.print(options.help ? usage(command) : version);
    return 0;
  }
  if (options.makesApiKey) return makeApiKey(options, around);
  const { config, warnings } = readNamedConfiguration(options.config, around.environment);
  await loadEngines(config);
  const open =
    command.server === 'ws' ? [...openServiceWarnings(config, bundled), ...trustWarnings(config)] : [];
  const known = [...warnings, ...(await judgeFiles(config)), ...open];
  const init = `watchword-manager init --config ${options.config ?? 'FILE'}`;
  return options.check
    ? check({ config, known, init }, command, { around, isOffline: options.offline })
    : serveUntilAsked({ config, known, init }, command, around);
}

function makeApiKey({ config }: Options, { print, environment }: Surroundings): number {
  const taken = config === undefined ? {} : readNamedConfiguration(config, environment).config.api_keys;
  print(newApiKey(Object.keys(taken), systemRandom));
  return 0;
}

interface Configured {
  readonly config: ServerConfig;
  /** Warnings that need no look at anything else: whole sentences. */
  readonly known: readonly string[];
  /** How to make the first administrator. */
  readonly init: string;
}

async function check(
  { config, known, init }: Configured,
  { server }: ServerCommand,
  { around, isOffline }: { readonly around: Surroundings; readonly isOffline: boolean },
): Promise<number> {
  for (const warning of known) around.printError(`Warning: ${warning}`);
  // What is wrong is among the findings, in words for people.
  const log = createLog({ ...config.log, level: 'error' }, around.logTo);
  const findings = isOffline ? [] : await checkInstallation({ config, server, init, log });
  for (const { level, text } of findings) tellers[level](around, text);
  if (findings.some(({ level }) => level === 'error')) return 1;
  around.print('The configuration is good.');
  return 0;
}

const tellers: Readonly<Record<Finding['level'], (around: Surroundings, text: string) => void>> = {
  found: ({ print }, text) => print(text),
  warning: ({ printError }, text) => printError(`Warning: ${text}.`),
  error: ({ printError }, text) => printError(`Error: ${text}.`),
};

async function serveUntilAsked(
  configured: Configured,
  command: ServerCommand,
  around: Surroundings,
): Promise<number> {
  const { config, known } = configured;
  const { asked } = around;
  const log = createLog(config.log, around.logTo);
  const warn = (warning: string) => {
    log.warn(warning, { program: command.name });
    // A log for errors only is not where people look for what they have to mend.
    if (!['info', 'warn'].includes(config.log.level)) around.printError(`Warning: ${warning}`);
  };
  for (const warning of known) warn(warning);
  const engines = await openEngines(config, log);
  await closingOnError(engines, () => warnAtOnce(configured, { command, engines, warn }));
  const running = await startServers([command], config, engines);
  const listening = `${command.name} ${version} listens on ${running.listeners[0]?.url}`;
  around.print(listening);
  log.info(listening, { program: command.name, version, url: running.listeners[0]?.url });
  let isOver = false;
  const looking = warnLater(configured, { command, engines, warn, isOver: () => isOver });
  const signal = await asked;
  isOver = true;
  log.info('stopping', { signal });
  await running.close();
  await looking;
  return 0;
}

interface Starting {
  readonly command: ServerCommand;
  readonly engines: Engines;
  readonly warn: (sentence: string) => unknown;
}

/** What the data folder tells. */
async function warnAtOnce(
  { config, init }: Configured,
  { command: { server }, engines, warn }: Starting,
): Promise<void> {
  const lockout = server === 'manager' ? await lockoutWarning(config, engines) : undefined;
  const lacking = await administratorWarning({ config, command: init }, engines.directory.service);
  for (const warning of [lockout, lacking]) if (warning !== undefined) warn(warning);
}

/**
 * What the directories tell: a server starts without them, and whoever waits for it is not kept waiting.
 * @param isOver the server stops: what is not found by then is not told, and what it is found in is closed
 */
async function warnLater(
  { config, init }: Configured,
  { command: { server }, engines, warn, isOver }: Starting & { readonly isOver: () => boolean },
): Promise<void> {
  const { directory, store, keys, log } = engines;
  try {
    if (directoriesOf(config).some(({ settings }) => settings.type !== 'embedded'))
      for (const { level, text } of await survey({ config, server, directory, init, store }))
        if (level !== 'found' && !isOver()) warn(`${text}.`);
    if (isOver()) return;
    const places = secretPlaces({ ...engines, config });
    const foreign = await foreignSecrets(places, { keys, file: config.keys_file });
    if (foreign && !isOver()) warn(`${foreign.text}.`);
  } catch (error) {
    // Whatever it is, it is no reason to stop a server that listens.
    if (!isOver()) log.error('the directories could not be looked at', { error });
  }
}

export interface RunningServers {
  /** One for each command, in their order. */
  readonly listeners: readonly Listener[];
  readonly service: Service;
  /** Answers what was accepted, then closes everything. */
  close(): Promise<void>;
}

/** Serves all the commands on one service. @throws StartError, ConfigError */
export async function startServers(
  commands: readonly ServerCommand[],
  config: ServerConfig,
  engines: Engines,
): Promise<RunningServers> {
  const service = await closingOnError(engines, () => createService(serviceSettings(config), engines));
  const listeners: Listener[] = [];
  const names = commands.map(({ name }) => name).join(' and ');
  const endOfRing = await closingOnError(engines, () => announceRing(names, engines));
  const close = async () => {
    await Promise.all(listeners.map((listener) => listener.close()));
    await endOfRing();
    await service.close();
    await engines.close();
  };
  await closingOnError({ close }, async () => {
    await service.checkStore();
    for (const { server, handler } of commands) {
      const share = commands.length;
      listeners.push(await serveOne(server, handler(service, config), { config, engines, share }));
    }
  });
  return { listeners, service, close };
}

async function closingOnError<T>(open: { close(): Promise<void> }, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    await open.close();
    throw error;
  }
}

interface Options {
  readonly config: string | undefined;
  readonly check: boolean;
  readonly offline: boolean;
  readonly makesApiKey: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

function readOptions({ server }: ServerCommand, args: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        config: { type: 'string', short: 'c' },
        check: { type: 'boolean', default: false },
        offline: { type: 'boolean', default: false },
        ...(server === 'ws' && { 'make-api-key': { type: 'boolean', default: false } }),
        help: { type: 'boolean', short: 'h', default: false },
        version: { type: 'boolean', short: 'v', default: false },
      },
    });
    const { config, check, offline, help, version } = values;
    if (offline && !check) throw new StartError('--offline is an option of --check. Try --help.');
    return { config, check, offline, help, version, makesApiKey: values['make-api-key'] === true };
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    const why = cause instanceof Error ? cause.message.split('.', 1)[0] : 'options';
    throw new StartError(`${why}. Try --help.`, { cause });
  }
}

/** Calling systems are the web services' business. */
const keyUsage = `
      --make-api-key make a key for a calling system; with --config, one with the next free number`;

const commandUsage = ({ name, commands = [] }: ServerCommand): string =>
  commands.length === 0 ? '' : `\n       ${name} COMMAND [--help]\n\n${listCommands(commands)}`;

const usage = (command: ServerCommand): string => `${command.name} ${version}

Usage: ${command.name} --config FILE [--check [--offline]]${commandUsage(command)}

  -c, --config FILE  the configuration, YAML; settings can also come from WATCHWORD_… variables
      --check        try the configuration, the directory and the files, and say what is found
      --offline      with --check: look at the configuration only, and connect to nothing${command.server === 'ws' ? keyUsage : ''}
  -v, --version      print the version
  -h, --help         print this

The settings are in docs/reference/settings.md.`;

/** One sentence where it is known what is wrong; else the stack, for whoever mends it. */
function whyNot({ name }: ServerCommand, error: unknown): string {
  const missing = missingPackage(error);
  if (missing !== undefined) return `${name}: ${missing}`;
  if (error instanceof StartError || error instanceof ConfigError) return `${name}: ${error.message}`;
  return `${name} could not start: ${error instanceof Error ? error.stack : String(error)}`;
}
