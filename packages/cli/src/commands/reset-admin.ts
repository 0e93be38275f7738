/**
 * The command `reset-admin`: restores access of an administrator of an embedded directory who has lost the password or is locked out.
 */

import { Dn, StartError } from '@watchword/core/foundation';
import { findAdministrators } from '@watchword/core/operator';
import type { Command, Task } from './command.ts';
import {
  auditCommand,
  type Installation,
  readEmbedded,
  refuseEmpty,
  withBothLayers,
} from './installation.ts';
import { lift } from './lift.ts';
import { askPassword, originOf, passwordOption, readPasswordFile, refuseWeak } from './new-password.ts';

export const resetAdmin: Command = {
  name: 'reset-admin',
  does: 'gives an administrator a new password, and lifts what locks or blocks it',
  options: {
    dn: { value: 'DN', says: 'its entry, where there are several' },
    ...passwordOption,
  },
  run: async (task) => {
    const config = readEmbedded(
      task,
      'The password is set there, with ldappasswd or as its administrators do it.',
    );
    await refuseEmpty(config, task);
    await withBothLayers(task, (installation) => reset(task, installation));
  },
};

async function reset(task: Task, installation: Installation): Promise<void> {
  const { engines } = installation;
  const dn = await chooseAdministrator(task, installation);
  const names = [String(dn.rdn[0]?.value)];
  const password = readPasswordFile(task) ?? (await askPassword(task, names));
  refuseWeak(task, password, names);
  const { service: directory } = engines.directory;
  await directory.setPassword(dn, password, { mustChange: false });
  await directory.modify(dn, [{ operation: 'replace', attribute: 'pwdAccountLockedTime', values: [] }]);
  await lift(dn, installation);
  await auditCommand(task, installation, { dn, text: 'reset-admin: a new password, and no lock' });
  task.around.print(`${dn} has the new password, from now on and on running servers too.${originOf(task)}`);
}

/** @throws StartError where there is none, or several and nobody says which */
async function chooseAdministrator(
  { given, streams, program, config: path }: Task,
  { config, engines }: Installation,
): Promise<Dn> {
  const found = await findAdministrators(config, engines.directory.service);
  const [only, ...others] = found;
  if (!only)
    throw new StartError(
      `There is no administrator yet; make one: ${program} init --config ${path ?? 'FILE'}`,
    );
  const all = found.join(' and ');
  if (given.dn === undefined && others.length === 0) return only;
  const wanted = given.dn ?? (await streams.terminal?.ask(`Which of ${all}`));
  if (wanted === undefined) throw new StartError(`There are ${all}; choose one with --dn.`);
  const named = Dn.tryParse(wanted);
  const chosen = found.find((dn) => named?.equals(dn));
  if (chosen) return chosen;
  throw new StartError(`${wanted.slice(0, 256)} is not an administrator here; there is ${all}.`);
}
