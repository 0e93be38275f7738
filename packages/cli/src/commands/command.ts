/** Commands of a program, beside the server that it is: `watchword-manager init --config FILE`. */
import { parseArgs } from 'node:util';
import type { Core, ServerConfig } from '@watchword/core';
import { ServiceError, StartError } from '@watchword/core/foundation';
import type { Engines } from '@watchword/core/ports';
import type { LoadedConfig } from '../config-file/config-file.ts';
import type { Streams } from '../streams.ts';
import type { Surroundings } from '../surroundings.ts';

export interface OptionRow {
  /** The value in capitals, as in `--config FILE`; left out: a switch. */
  readonly value?: string;
  /** One line for `--help`. */
  readonly says: string;
}

export interface Command {
  /** One word, or two: `audit verify`. */
  readonly name: string;
  /** One line, for the list of commands. */
  readonly does: string;
  /** The operand after the options, in capitals: `FOLDER`. */
  readonly operand?: string;
  /** The command works on no installation, and takes no `--config`. */
  readonly isAlone?: boolean;
  /** Besides `--config` and `--help`, which all of them have. */
  readonly options: Readonly<Record<string, OptionRow>>;
  /** @throws StartError, ConfigError, ServiceError */
  readonly run: (task: Task) => Promise<void>;
}

/** The tools of a program for its commands. */
export interface Tools {
  /** Reads the configuration that is named. @throws ConfigError, StartError */
  readonly readConfiguration: (path: string | undefined) => LoadedConfig;
  /** Opens everything, a data folder that was put back from a copy too. @throws StartError */
  readonly openEngines: (config: ServerConfig) => Promise<Engines>;
  /** False: the first start is still to come. */
  readonly holdsState: (config: ServerConfig) => Promise<boolean>;
  /** Description files of the interface, by their paths. */
  readonly describe: (config: ServerConfig) => ReadonlyMap<string, string>;
  /** Makes the parts of a service on these engines. @throws ConfigError, StartError */
  readonly createCore: (config: ServerConfig, engines: Engines) => Core;
}

/** The task of a command: its options and its surroundings. */
export interface Task extends Tools {
  /** The program, for sentences that say what to type. */
  readonly program: string;
  /** Path of the configuration. */
  readonly config: string | undefined;
  /** Options with a value that were given. */
  readonly given: Readonly<Record<string, string>>;
  /** Switches that were given. */
  readonly switches: ReadonlySet<string>;
  readonly operand: string | undefined;
  readonly around: Surroundings;
  readonly streams: Streams;
}

/** A command of two words is found by the first of them. */
function unknown(word: string, commands: readonly Pick<Command, 'name'>[]): StartError {
  const pairs = commands.filter(({ name }) => name.startsWith(`${word} `)).map(({ name }) => `"${name}"`);
  const said = `there is no command "${word}"`;
  return new StartError(pairs.length === 0 ? `${said}. Try --help.` : `${said}, but ${pairs.join(', ')}.`);
}

/** @throws StartError with one sentence if there is no such command, or it cannot do what it is for */
export async function runCommand(
  program: { readonly name: string; readonly commands?: readonly Command[] },
  tools: Tools,
  around: Surroundings,
): Promise<void> {
  const [word, second, ...others] = around.arguments;
  const named = (words: string) => program.commands?.find(({ name }) => name === words);
  const pair = named(`${word} ${second}`);
  const command = pair ?? named(`${word}`);
  if (!command) throw unknown(`${word}`, program.commands ?? []);
  const rest = pair || second === undefined ? others : [second, ...others];
  const read = readTask(command, rest);
  if (read.switches.has('help')) return around.print(usage(command, program.name));
  if (!around.streams) throw new StartError(`${command.name} needs standard input and output.`);
  try {
    await command.run({ ...read, ...tools, program: program.name, around, streams: around.streams() });
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    throw new StartError(`${cause.message}.`, { cause });
  }
}

/** The lines of `--help` of the program itself. */
export const listCommands = (commands: readonly Command[]): string =>
  commands.map(({ name, does }) => `  ${name.padEnd(15)} ${does}`).join('\n');

const common: Record<string, OptionRow> = {
  config: { value: 'FILE', says: 'the configuration, YAML' },
  help: { says: 'print this' },
};

const { config: _, ...alone } = common;

const rows = ({ options, isAlone }: Command): [string, OptionRow][] =>
  Object.entries({ ...options, ...(isAlone ? alone : common) });

function readTask(
  command: Command,
  args: readonly string[],
): Pick<Task, 'config' | 'given' | 'switches' | 'operand'> {
  const { values, positionals } = parsed(command, args);
  const [operand, unexpected] = positionals;
  const extra = command.operand === undefined ? operand : unexpected;
  if (extra !== undefined)
    throw new StartError(`${command.name} takes no "${extra}". Try ${command.name} --help.`);
  const entries = Object.entries(values);
  const given = Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
  const switches = new Set(entries.flatMap(([name, value]) => (value === true ? [name] : [])));
  return { config: given.config, given, switches, operand };
}

function parsed(command: Command, args: readonly string[]) {
  const options = Object.fromEntries(
    rows(command).map(([name, { value }]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string' } as const,
    ]),
  );
  const short = { config: 'c', help: 'h' };
  for (const [name, letter] of Object.entries(short)) Object.assign(options[name] ?? {}, { short: letter });
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split('.', 1)[0] : 'options';
    throw new StartError(`${command.name}: ${why}. Try ${command.name} --help.`, { cause });
  }
}

function usage(command: Command, program: string): string {
  const lines = rows(command).map(([name, { value, says }]) => {
    const option = `--${name}${value === undefined ? '' : ` ${value}`}`;
    return `  ${option.padEnd(22)} ${says}`;
  });
  const operand = command.operand === undefined ? '' : ` ${command.operand}`;
  const configuration = command.isAlone ? '' : ' --config FILE';
  return `Usage: ${program} ${command.name}${configuration} [options]${operand}

${command.does}

${lines.join('\n')}`;
}
