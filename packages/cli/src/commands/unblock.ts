/** The break-glass command `unblock`: ends all lockouts and blocks of a user, also for running servers, without the directory. */
import { Dn, StartError } from '@watchword/core/foundation';
import type { Command, Task } from './command.ts';
import { auditCommand, refuseEmpty, withInstallation } from './installation.ts';
import { lift } from './lift.ts';

export const unblock: Command = {
  name: 'unblock',
  does: 'lets the user DN in again, whatever blocks it, also without the directory',
  operand: 'DN',
  options: {},
  run: async (task) => {
    const dn = readUser(task);
    const { config } = task.readConfiguration(task.config);
    await refuseEmpty(config, task);
    await withInstallation(config, task, async (installation) => {
      const lifted = await lift(dn, installation);
      if (lifted.isNobody)
        throw new StartError(`the directory has no ${dn}, so nobody was unblocked; see that the DN is right`);
      await auditCommand(task, installation, { dn, text: 'unblock' });
      task.around.print(`${dn} is blocked no more, on running servers too.`);
      if (lifted.left !== undefined) task.around.printError(`${task.program}: ${lifted.left}`);
    });
  },
};

function readUser({ operand }: Task): Dn {
  if (operand === undefined) throw new StartError('unblock needs the DN of a user.');
  const dn = Dn.tryParse(operand);
  if (dn && !dn.isRoot) return dn;
  throw new StartError(
    `"${operand.slice(0, 256)}" is no DN; write for example uid=admin,ou=people,dc=example,dc=com`,
  );
}
