/** A bundled server as a command-line program: its name and its options. */
import { parseArgs } from 'node:util';
import type { ServerProgram } from '@watchword/core';
import { StartError, version } from '@watchword/core/foundation';
import type { ServedApplications } from '@watchword/core/operator';
import { type Command, listCommands } from './commands/command.ts';

export interface ServerCommand extends ServerProgram {
  /** Further commands of the program: `watchword-manager init`. */
  readonly commands?: readonly Command[];
}

/** A program, and the applications that it serves. */
export interface Program extends ServerCommand {
  readonly applications: ServedApplications;
}

export interface Options {
  readonly config: string | undefined;
  readonly check: boolean;
  readonly offline: boolean;
  readonly makesApiKey: boolean;
  readonly makesSmsAccount: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

/** @throws StartError */
export function readOptions({ server }: ServerCommand, args: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        config: { type: 'string', short: 'c' },
        check: { type: 'boolean', default: false },
        offline: { type: 'boolean', default: false },
        ...(server === 'ws' && {
          'make-api-key': { type: 'boolean', default: false },
          'make-sms-account': { type: 'boolean', default: false },
        }),
        help: { type: 'boolean', short: 'h', default: false },
        version: { type: 'boolean', short: 'v', default: false },
      },
    });
    const { config, check, offline, help, version } = values;
    if (offline && !check) throw new StartError('--offline is an option of --check. Try --help.');
    const makesApiKey = values['make-api-key'] === true;
    const makesSmsAccount = values['make-sms-account'] === true;
    return { config, check, offline, help, version, makesApiKey, makesSmsAccount };
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    const why = cause instanceof Error ? cause.message.split('.', 1)[0] : 'options';
    throw new StartError(`${why}. Try --help.`, { cause });
  }
}

/** Calling systems are the web services' business. */
const keyUsage = `
      --make-api-key make a key for a calling system; with --config, one with the next free number
      --make-sms-account
                     make a password, and its hash, for an account that sends SMS`;

const commandUsage = ({ name, commands = [] }: ServerCommand): string =>
  commands.length === 0 ? '' : `\n       ${name} COMMAND [--help]\n\n${listCommands(commands)}`;

export const usage = (command: ServerCommand): string => `${command.name} ${version}

Usage: ${command.name} --config FILE [--check [--offline]]${commandUsage(command)}

  -c, --config FILE  the configuration, YAML; settings can also come from WATCHWORD_… variables
      --check        try the configuration, the directory and the files, and say what is found
      --offline      with --check: look at the configuration only, and connect to nothing${command.server === 'ws' ? keyUsage : ''}
  -v, --version      print the version
  -h, --help         print this

The settings are in docs/reference/settings.md.`;
