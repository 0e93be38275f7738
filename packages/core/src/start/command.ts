/** The life of a bundled server: options read, configuration checked, engines opened, signals obeyed. */
import { parseArgs } from 'node:util';
import { behindProxies, type Listener, serve } from '../adapters/http/index.ts';
import { createLog, systemRandom } from '../adapters/system/index.ts';
import { ConfigError, type ServerConfig, serviceSettings } from '../config.ts';
import type { Handler } from '../http.ts';
import { createService, type Service } from '../service.ts';
import { StartError } from '../start-error.ts';
import { version } from '../version.ts';
import { administratorWarning, checkAdministrators } from './administrators.ts';
import { newApiKey } from './api-key.ts';
import { serverTls } from './certificates.ts';
import { type Command, listCommands, runCommand } from './commands/command.ts';
import { judgeFiles, readNamedConfiguration } from './configuration.ts';
import { type Engines, loadEngines, openEngines } from './engines.ts';
import { missingPackage } from './launch.ts';
import { lockoutWarning } from './lockout.ts';
import type { Streams } from './streams.ts';

export interface ServerCommand {
  /** The name of the program. */
  readonly name: string;
  /** Which part of the configuration is its own. */
  readonly server: 'manager' | 'ws';
  readonly handler: (service: Service, config: ServerConfig) => Handler;
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
  const { asked } = around;
  const options = readOptions(command, around.arguments);
  if (options.help || options.version) {
    around.print(options.help ? usage(command) : version);
    return 0;
  }
  if (options.makesApiKey) {
    const taken =
      options.config === undefined
        ? {}
        : readNamedConfiguration(options.config, around.environment).config.api_keys;
    around.print(newApiKey(Object.keys(taken), systemRandom));
    return 0;
  }
  const { config, warnings } = readNamedConfiguration(options.config, around.environment);
  await loadEngines(config);
  const found = [...warnings, ...(await judgeFiles(config))];
  const init = `watchword-manager init --config ${options.config ?? 'FILE'}`;
  if (options.check) {
    const lacking = await checkAdministrators(config, init);
    for (const warning of [...found, ...(lacking === undefined ? [] : [lacking])])
      around.printError(`Warning: ${warning}`);
    around.print('The configuration is good.');
    return 0;
  }
  await serveUntilAsked(command, { config, found, init }, { ...around, asked });
  return 0;
}

interface Start {
  readonly config: ServerConfig;
  /** Warnings: whole sentences. */
  readonly found: readonly string[];
  /** How to make the first administrator. */
  readonly init: string;
}

async function serveUntilAsked(
  command: ServerCommand,
  { config, found, init }: Start,
  around: Surroundings,
): Promise<void> {
  const log = createLog(config.log, around.logTo);
  const warn = (warning: string) => {
    log.warn(warning, { program: command.name });
    // A log for errors only is not where people look for what they have to mend.
    if (!['info', 'warn'].includes(config.log.level)) around.printError(`Warning: ${warning}`);
  };
  for (const warning of found) warn(warning);
  const engines = await openEngines(config, log);
  const lockout = await closingOnError(engines, () => lockoutWarning(config, engines));
  if (lockout !== undefined && command.server === 'manager') warn(lockout);
  const lacking = await closingOnError(engines, () =>
    administratorWarning({ config, command: init }, engines.directory.service),
  );
  if (lacking !== undefined) warn(lacking);
  const running = await startServers([command], config, engines);
  const listening = `${command.name} ${version} listens on ${running.listeners[0]?.url}`;
  around.print(listening);
  log.info(listening, { program: command.name, version, url: running.listeners[0]?.url });
  const signal = await around.asked;
  log.info('stopping', { signal });
  await running.close();
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
  const close = async () => {
    await Promise.all(listeners.map((listener) => listener.close()));
    await service.close();
    await engines.close();
  };
  await closingOnError({ close }, async () => {
    for (const { server, handler } of commands) {
      listeners.push(await serveOne(server, handler(service, config), { config, engines }));
    }
  });
  return { listeners, service, close };
}

async function serveOne(
  server: ServerCommand['server'],
  handler: Handler,
  { config, engines: { keys, clock, log } }: { config: ServerConfig; engines: Engines },
): Promise<Listener> {
  const { host, port } = config[server];
  const tls = await serverTls(server, { config, keys });
  const { reverse_proxies: proxies, proxy_headers: headers } = config;
  const known = behindProxies(handler, { proxies, headers, ca: tls.ca, clock, log });
  const portSetting = `${server}.port or WATCHWORD_${server.toUpperCase()}__PORT`;
  return serve(known, { host, port, portSetting, tls, log, ownProcess: true });
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
        ...(server === 'ws' && { 'make-api-key': { type: 'boolean', default: false } }),
        help: { type: 'boolean', short: 'h', default: false },
        version: { type: 'boolean', short: 'v', default: false },
      },
    });
    const { config, check, help, version } = values;
    return { config, check, help, version, makesApiKey: values['make-api-key'] === true };
  } catch (cause) {
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

Usage: ${command.name} --config FILE [--check]${commandUsage(command)}

  -c, --config FILE  the configuration, YAML; settings can also come from WATCHWORD_… variables
      --check        only check the configuration${command.server === 'ws' ? keyUsage : ''}
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
