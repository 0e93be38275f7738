/** The life of a bundled server: options read, configuration checked, engines opened, signals obeyed. */
import {
  ConfigError,
  createCore,
  type ServerConfig,
  serviceSettings,
  type Vocabulary,
  vocabularyOf,
} from '@watchword/core';
import { StartError, version } from '@watchword/core/foundation';
import {
  administratorWarning,
  descriptionsOf,
  directoriesOf,
  type Finding,
  foreignSecrets,
  ineffectiveSettings,
  inspectInstallation,
  lockoutWarning,
  newApiKey,
  newSmsAccount,
  openServiceWarnings,
  type ServedApplications,
  secretCollections,
  trustWarnings,
} from '@watchword/core/operator';
import type { Engines, Log } from '@watchword/core/ports';
import {
  folderWarnings,
  holdsState,
  loadEngines,
  type OpenedEngines,
  openDirectory,
  openEngines,
} from '@watchword/engines/installation';
import {
  collectGarbageWhenIdle,
  createLog,
  disablePretenuring,
  LogFile,
  systemRandom,
} from '@watchword/node';
import { runCommand, type Tools } from './commands/command.ts';
import { judgeFiles, readNamedConfiguration } from './configuration.ts';
import { checkInstallation } from './findings/check.ts';
import { missingPackage } from './launch.ts';
import { type Options, type Program, readOptions, type ServerCommand, usage } from './program.ts';
import { watchCertificates } from './serving/certificate-watch.ts';
import { startConfigured } from './serving/configured-servers.ts';
import { HangUp } from './serving/hang-up.ts';
import type { ReloadOptions } from './serving/reload.ts';
import { closingOnError } from './serving/servers.ts';
import type { Surroundings } from './surroundings.ts';

/** Runs a server until it is asked to end. @returns the exit code: 0, or 1 with a sentence on what is wrong */
export async function runServer(
  command: ServerCommand,
  around: Surroundings,
  applications: ServedApplications,
): Promise<number> {
  try {
    return await run({ ...command, applications }, around);
  } catch (error) {
    around.printError(whyNot(command, error));
    return 1;
  }
}

async function run(command: Program, around: Surroundings): Promise<number> {
  const [first = '-'] = around.arguments;
  if (!first.startsWith('-')) {
    await runCommand(command, toolsOf(command.applications, around), around);
    return 0;
  }
  const options = readOptions(command, around.arguments);
  if (options.help || options.version) {
    around.print(options.help ? usage(command) : version);
    return 0;
  }
  const vocabulary = vocabularyOf(command.applications);
  if (options.makesApiKey) return makeApiKey(options, vocabulary, around);
  if (options.makesSmsAccount) {
    around.print(newSmsAccount(systemRandom));
    return 0;
  }
  const read = async () => {
    const loaded = readNamedConfiguration(options.config, around.environment, vocabulary);
    const { config, warnings } = loaded;
    await loadEngines(config);
    return { ...loaded, warnings: [...warnings, ...(await warningsOf(config, command))] };
  };
  const loaded = await read();
  const { config, warnings: known } = loaded;
  const init = `watchword-manager init --config ${options.config ?? 'FILE'}`;
  return options.check
    ? check({ config, known, init }, command, { around, isOffline: options.offline })
    : serveUntilAsked({ config, known, init, loaded, read }, command, around);
}

/** Warns of what needs no open engine. @throws StartError if a named file is no good */
async function warningsOf(
  config: ServerConfig,
  { server, applications }: Program,
): Promise<readonly string[]> {
  const open =
    server === 'ws' ? [...openServiceWarnings(config, applications), ...trustWarnings(config)] : [];
  return [...(await judgeFiles(config)), ...folderWarnings(config), ...open];
}

const toolsOf = (applications: ServedApplications, { environment, logTo }: Surroundings): Tools => ({
  readConfiguration: (path) => readNamedConfiguration(path, environment, vocabularyOf(applications)),
  openEngines: (config) => openEngines(config, createLog(config.log, logTo), { older: true, applications }),
  holdsState,
  describe: (config) => descriptionsOf(config, applications),
  createCore: (config, engines) => createCore(serviceSettings(config), engines, applications),
});

function makeApiKey(
  { config }: Options,
  vocabulary: Vocabulary,
  { print, environment }: Surroundings,
): number {
  const taken =
    config === undefined ? {} : readNamedConfiguration(config, environment, vocabulary).config.api_keys;
  print(newApiKey(Object.keys(taken), systemRandom));
  return 0;
}

interface Configured {
  readonly config: ServerConfig;
  /** Warnings that need no look at anything else: whole sentences. */
  readonly known: readonly string[];
  /** The command that makes the first administrator. */
  readonly init: string;
}

async function check(
  { config, known, init }: Configured,
  { server, applications }: Program,
  { around, isOffline }: { readonly around: Surroundings; readonly isOffline: boolean },
): Promise<number> {
  const ineffective = ineffectiveSettings(config, vocabularyOf(applications));
  for (const warning of [...known, ...ineffective]) around.printError(`Warning: ${warning}`);
  // What is wrong is among the findings, in words for people.
  const log = createLog({ ...config.log, level: 'error' }, around.logTo);
  const findings = isOffline ? [] : await checkInstallation({ config, server, init, log, openDirectory });
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
  { loaded, read, ...configured }: Configured & Pick<ReloadOptions, 'loaded' | 'read'>,
  command: Program,
  around: Surroundings,
): Promise<number> {
  const { config, known } = configured;
  const { asked } = around;
  const file = config.log.file === undefined ? undefined : new LogFile(config.log.file, around.logTo);
  const log = createLog(config.log, file ?? around.logTo);
  if (file) reopenAtHangUp(file, log, around);
  const hangUp = new HangUp(around);
  const warn = (warning: string) => {
    log.warn(warning, { program: command.name });
    // A log for errors only is not where people look for what they have to mend.
    if (!['info', 'warn'].includes(config.log.level)) around.printError(`Warning: ${warning}`);
  };
  for (const warning of known) warn(warning);
  const { applications } = command;
  const engines = await openUnlessAsked(config, { log, asked, applications });
  if (!engines) return 0;
  await closingOnError(engines, () => warnAtOnce(configured, { command, engines, warn }));
  const options = { log, program: command.name, applications, loaded, read };
  const { running, reload } = await startConfigured([command], engines, options);
  const listening = `${command.name} ${version} listens on ${running.listeners[0]?.url}`;
  around.print(listening);
  log.info(listening, { program: command.name, version, url: running.listeners[0]?.url });
  for (const { url } of running.doors) around.print(`${command.name} takes LDAP binds at ${url}`);
  let isOver = false;
  const looking = warnLater(configured, { command, engines, warn, isOver: () => isOver });
  disablePretenuring();
  const endCollecting = collectGarbageWhenIdle();
  const { clock } = engines;
  const endWatch = watchCertificates({ running, clock, log, program: command.name });
  hangUp.take(reload);
  const signal = await asked;
  isOver = true;
  endWatch();
  endCollecting();
  await reload.settled();
  log.info('stopping', { signal });
  await running.close();
  await looking;
  return 0;
}

/** Opens the log file again at each SIGHUP: a rotation has moved it. A configuration that is wrong does not keep it from that. */
function reopenAtHangUp(file: LogFile, log: Log, { onHangUp }: Surroundings): void {
  onHangUp?.(async () => {
    try {
      file.reopen();
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      log.error(`${error.message} Lines go to the file before.`);
    }
  });
}

/** Undefined: the server was asked to end while it waited for what it is kept in. @throws StartError */
async function openUnlessAsked(
  config: ServerConfig,
  { log, asked, applications }: Pick<Surroundings, 'asked'> & { log: Log; applications: ServedApplications },
): Promise<OpenedEngines | undefined> {
  const waiting = new AbortController();
  void asked.then(() => waiting.abort());
  try {
    return await openEngines(config, log, { applications, signal: waiting.signal });
  } catch (error) {
    if (waiting.signal.aborted && error instanceof Error && error.name === 'AbortError') return undefined;
    throw error;
  }
}

interface Starting {
  readonly command: ServerCommand;
  readonly engines: Engines;
  readonly warn: (sentence: string) => unknown;
}

/** Warns by the data folder. */
async function warnAtOnce(
  { config, init }: Configured,
  { command: { server }, engines, warn }: Starting,
): Promise<void> {
  const lockout = server === 'manager' ? await lockoutWarning(config, engines) : undefined;
  const lacking = await administratorWarning({ config, command: init }, engines.directory.service);
  for (const warning of [lockout, lacking]) if (warning !== undefined) warn(warning);
}

/** Warns by the directories, without delaying the start. @param isOver the server stops: no further finding is reported */
async function warnLater(
  { config, init }: Configured,
  { command: { server }, engines, warn, isOver }: Starting & { readonly isOver: () => boolean },
): Promise<void> {
  const { directory, store, keys, log, clock } = engines;
  try {
    if (directoriesOf(config).some(({ settings }) => settings.type !== 'embedded'))
      for (const { level, text } of await inspectInstallation({
        config,
        server,
        directory,
        init,
        store,
        clock,
      }))
        if (level !== 'found' && !isOver()) warn(`${text}.`);
    if (isOver()) return;
    const places = secretCollections({ ...engines, config });
    const foreign = await foreignSecrets(places, { keys, file: config.keys_file });
    if (foreign && !isOver()) warn(`${foreign.text}.`);
  } catch (error) {
    // Whatever it is, it is no reason to stop a server that listens.
    if (!isOver()) log.error('the directories could not be looked at', { error });
  }
}

/** Returns one sentence for a known fault; else the stack. */
function whyNot({ name }: ServerCommand, error: unknown): string {
  const missing = missingPackage(error);
  if (missing !== undefined) return `${name}: ${missing}`;
  if (error instanceof StartError || error instanceof ConfigError) return `${name}: ${error.message}`;
  return `${name} could not start: ${error instanceof Error ? error.stack : String(error)}`;
}
