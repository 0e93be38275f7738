/**
 * The command `init`: makes the first administrator of an embedded directory, and a configuration if there is none. Administrator rights
 * are granted last, so that an interrupted run can be repeated and makes nothing twice.
 */
import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Dn, isReason, StartError } from '@watchword/core/foundation';
import {
  ensureAbove,
  ensureEntry,
  ensurePerson,
  findAdministrators,
  lockoutWarning,
} from '@watchword/core/operator';
import { type Directory, Leases } from '@watchword/core/ports';
import { createFileExclusively, whyUnreadable } from '@watchword/node';
import { firstConfiguration } from '../first-configuration.ts';
import { type AdministratorPlace, placeAdministrator, placeOptions } from './administrator-place.ts';
import type { Command, Task } from './command.ts';
import { auditCommand, type Installation, readEmbedded, withInstallation } from './installation.ts';
import {
  askPassword,
  originOf,
  passwordOption,
  readPasswordFile,
  refuseUnattended,
  refuseWeak,
} from './new-password.ts';

export const init: Command = {
  name: 'init',
  does: 'makes the first administrator, and the configuration if there is none',
  options: {
    base: { value: 'DN', says: 'of a new configuration: the base of the directory, as dc=example,dc=com' },
    data: { value: 'FOLDER', says: 'of a new configuration: the data folder; else data beside it' },
    ...placeOptions,
    ...passwordOption,
  },
  run: async (task) => {
    const fromFile = readPasswordFile(task);
    if (fromFile === undefined) refuseUnattended(task);
    await ensureConfiguration(task);
    const config = readEmbedded(
      task,
      'Name an entry of that directory in super_admins, and give it the right to write (docs/guide/directories.md).',
    );
    await withInstallation(config, task, (installation) => makeFirst(task, installation, fromFile));
  },
};

async function makeFirst(
  task: Task,
  installation: Installation,
  fromFile: string | undefined,
): Promise<void> {
  const { config, engines } = installation;
  const { program, around } = task;
  await refuseSecond(task, installation);
  const place = await placeAdministrator(task, { config, server: engines.directory });
  if (fromFile !== undefined) refuseWeak(task, fromFile, [place.name]);
  const password = fromFile ?? (await askPassword(task, [place.name]));
  // Of two that run at once, one is the first: what is asked of people was asked before, and takes its time.
  await new Leases(engines.store, engines.clock).run('lease:init', async () => {
    await refuseSecond(task, installation);
    await make(installation, place, password);
  });
  await auditCommand(task, installation, { dn: place.dn, text: 'init: the first administrator' });
  around.print(
    `${place.dn} is the administrator, and logs in to the Manager as ${place.login}.${originOf(task)}\nStart the server: ${program} --config ${task.config ?? 'FILE'}`,
  );
  const lockout = await lockoutWarning(config, engines);
  if (lockout !== undefined) around.printError(`Warning: ${lockout}`);
}

/** @throws StartError with the first */
async function refuseSecond(
  { program, config: path }: Task,
  { config, engines }: Installation,
): Promise<void> {
  const [first] = await findAdministrators(config, engines.directory.service);
  if (!first) return;
  throw new StartError(
    `${first} is an administrator already; for a new password type: ${program} reset-admin --config ${path ?? 'FILE'}`,
  );
}

async function make(
  { config, engines }: Installation,
  { dn, name, group }: AdministratorPlace,
  password: string,
): Promise<void> {
  const { service: directory } = engines.directory;
  const base = Dn.parse(config.directory.base);
  for (const made of group ? [dn, group] : [dn]) {
    const lacking = await ensureAbove(directory, made, base);
    if (lacking)
      throw new StartError(
        `${lacking} is not there, and what kind of entry it is cannot be told; make it first.`,
      );
  }
  const person = { classes: ['inetOrgPerson'], uid: name, cn: name, sn: name };
  await ensurePerson(directory, dn, { person, password });
  if (group) await ensureMember(directory, group, dn);
}

async function ensureMember(directory: Directory, group: Dn, dn: Dn): Promise<void> {
  const member = [dn.format()];
  if (!(await directory.read(group, ['1.1'])))
    return ensureEntry(directory, group, { objectClass: ['groupOfNames'], member });
  try {
    await directory.modify(group, [{ operation: 'add', attribute: 'member', values: member }]);
  } catch (error) {
    if (!isReason(error, 'value_exists')) throw error;
  }
}

/** @throws StartError */
async function ensureConfiguration(task: Task): Promise<void> {
  const { config: path, given, around } = task;
  if (path === undefined) return;
  const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
  if (isThere) return refuseForNew(task);
  const base = await askBase(task);
  const data = given.data === undefined ? 'data' : resolve(given.data);
  if (!writeNew(path, firstConfiguration({ author: `${task.program} init`, base, data })))
    throw new StartError(
      `${path} is a link to nothing, or somebody has made it just now; look at it, and begin again.`,
    );
  around.print(`Made ${path}, with the data in ${resolve(dirname(path), data)}.`);
}

function writeNew(path: string, text: string): boolean {
  try {
    return createFileExclusively(path, text);
  } catch (cause) {
    throw new StartError(`${path} cannot be written (${whyUnreadable(cause)}).`, { cause });
  }
}

/** The same words again are no mistake: that is how a run that was cut short is repeated. */
function refuseForNew(task: Task): void {
  const { given, config: path } = task;
  if (given.base === undefined && given.data === undefined) return;
  const { config } = task.readConfiguration(task.config);
  const base = given.base === undefined ? undefined : Dn.tryParse(given.base);
  const holds = {
    base: base?.equals(Dn.parse(config.directory.base)) ?? false,
    data: given.data !== undefined && resolve(given.data) === resolve(config.data),
  };
  for (const [name, key] of [
    ['base', 'directory.base'],
    ['data', 'data'],
  ] as const) {
    if (given[name] !== undefined && !holds[name])
      throw new StartError(
        `--${name} is for a new configuration, and ${path} is there; what holds is ${key} in it.`,
      );
  }
}

const usualBase = 'dc=example,dc=org';

/** The base cannot be changed later, so it is never chosen in silence. */
async function askBase({ given, config, streams: { terminal } }: Task): Promise<Dn> {
  const typed =
    given.base ??
    ((await terminal?.ask(`Base of the new directory, for good [${usualBase}]`)) || (terminal && usualBase));
  if (typed === undefined)
    throw new StartError(
      `There is no ${config}; for a new installation say its base: --base dc=example,dc=com`,
    );
  const dn = Dn.tryParse(typed);
  const { isBaseName } = await import('@watchword/embedded');
  if (dn && isBaseName(dn)) return dn;
  throw new StartError(
    `"${typed.slice(0, 256)}" is not a valid base: write a DN that begins with dc, o, ou, l or c and a value of that attribute, as dc=example,dc=com.`,
  );
}
