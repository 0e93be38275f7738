/** `config`: the settings at run time, their versions, and the way back where a change has shut everybody out. */
import { ConfigError } from '@watchword/core';
import { StartError } from '@watchword/core/foundation';
import {
  type ConfigSettings,
  changedSettings,
  keepSecrets,
  listVersions,
  mergeLayers,
  putVersion,
  readRuntimeSettings,
  readVersion,
  runtimeProblems,
  withoutSecrets,
} from '@watchword/core/operator';
import { readNamed } from '@watchword/engines/installation';
import { stringify } from 'yaml';
import { readYaml } from '../config-file/yaml-source.ts';
import type { Command, Task } from './command.ts';
import { auditCommand, type Installation, refuseEmpty, withInstallation } from './installation.ts';

export const config: Command = {
  name: 'config',
  does: 'shows the settings at run time and their versions, or goes back to version NUMBER',
  options: {
    history: { says: 'show the versions: when, who, and which settings' },
    restore: { value: 'NUMBER', says: 'put version NUMBER in force again, 0 for none of the settings' },
  },
  run: (task) => {
    if (task.given.restore !== undefined) return restore(task.given.restore, task);
    return onInstallation(task, task.switches.has('history') ? showHistory : show);
  },
};

export const apply: Command = {
  name: 'apply',
  does: 'puts the settings of a YAML file in force at run time, in place of those before',
  operand: 'SETTINGS',
  options: {},
  run: (task) => {
    const { operand } = task;
    if (operand === undefined) throw new StartError('apply needs the path of a YAML file with settings.');
    const settings = settingsIn(readYaml(readNamed(operand, { isLenient: false }), operand).data, operand);
    return onInstallation(task, async (installation) => {
      const { settings: before } = await readRuntimeSettings(installation.engines);
      await put(keepSecrets(before, settings), { comment: 'apply', task, installation });
    });
  },
};

async function onInstallation(
  task: Task,
  work: (installation: Installation, task: Task) => Promise<void>,
): Promise<void> {
  const { config: settings } = task.readConfiguration(task.config);
  await refuseEmpty(settings, task);
  await withInstallation(settings, task, (installation) => work(installation, task));
}

async function show({ engines }: Installation, { streams }: Task): Promise<void> {
  const { number, settings } = await readRuntimeSettings(engines);
  const yaml = Object.keys(settings).length === 0 ? '' : stringify(withoutSecrets(settings));
  await streams.write(`# The settings at run time, version ${number}, without secrets.\n${yaml}`);
}

async function showHistory({ engines }: Installation, { around }: Task): Promise<void> {
  for (const { number, time, author, comment, changed } of await listVersions(engines)) {
    const at = new Date(time).toISOString();
    const why = comment === '' ? '' : ` (${comment})`;
    around.print(`${String(number).padStart(5)}  ${at}  ${author}${why}: ${changed.join(', ')}`);
  }
}

function restore(text: string, task: Task): Promise<void> {
  if (!/^\d{1,9}$/.test(text))
    throw new StartError(`--restore needs the number of a version, not "${text}".`);
  const number = Number(text);
  return onInstallation(task, async (installation) => {
    const settings = number === 0 ? {} : (await readVersion(number, installation.engines))?.settings;
    if (!settings)
      throw new StartError(`There is no version ${number}. "config --history" shows those that there are.`);
    await put(settings, { comment: `version ${number} restored`, task, installation });
  });
}

interface Putting {
  readonly comment: string;
  readonly task: Task;
  readonly installation: Installation;
}

/** Puts settings in force, as every running server serves them from its next request on. @throws ConfigError */
async function put(settings: ConfigSettings, { comment, task, installation }: Putting): Promise<void> {
  const problems = runtimeProblems(settings);
  if (problems.length > 0) throw new ConfigError(problems);
  const loaded = task.readConfiguration(task.config);
  const file = settingsIn(loaded.settings, 'the configuration');
  loaded.read(mergeLayers(file, settings), 'the settings at run time');
  const { engines } = installation;
  const before = await readRuntimeSettings(engines);
  const changed = changedSettings(before.settings, settings);
  if (changed.length === 0)
    return task.around.print(`Nothing changes: version ${before.number} stays in force.`);
  const author = `${task.streams.operator} at ${task.program}`;
  const number = await putVersion({ author, comment, changed, settings }, before.number, engines);
  await auditCommand(task, installation, { text: `config version=${number} changed=${changed.join(' ')}` });
  task.around.print(`Version ${number} is in force: ${changed.join(', ')}.`);
}

function settingsIn(data: unknown, name: string): ConfigSettings {
  if (typeof data === 'object' && data !== null && !Array.isArray(data))
    return Object.fromEntries(Object.entries(data));
  throw new StartError(`${name} holds no settings; write a map, as in "rest_get: false".`);
}
