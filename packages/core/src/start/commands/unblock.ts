/** `unblock`: breaking glass. Whoever is refused is let in again, by running servers too, and without the directory. */
import { serviceSettings } from '../../config/config.ts';
import { ServiceError } from '../../errors/errors.ts';
import { StartError } from '../../errors/start-error.ts';
import { releaseUser } from '../../login/account/block.ts';
import { createCore } from '../../service.ts';
import { Dn } from '../../text/dn.ts';
import { readNamedConfiguration } from '../configuration.ts';
import type { Command, Task } from './command.ts';
import { auditCommand, type Installation, refuseEmpty, withInstallation } from './installation.ts';

export const unblock: Command = {
  name: 'unblock',
  does: 'lets the user DN in again, whatever blocks it, also without the directory',
  operand: 'DN',
  options: {},
  run: async (task) => {
    const dn = readUser(task);
    const { config } = readNamedConfiguration(task.config, task.around.environment);
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
  if (dn && dn.rdns.length > 0) return dn;
  throw new StartError(
    `"${operand.slice(0, 256)}" is no DN; write for example uid=admin,ou=people,dc=example,dc=com`,
  );
}

interface Lifted {
  /** The directory answers, and has no such entry. */
  readonly isNobody?: boolean;
  /** What could not be done, in a sentence. */
  readonly left?: string;
}

/** Ends what blocks a user, also without the directory. @throws ServiceError what the directory throws, if it answers */
export async function lift(dn: Dn, { config, engines }: Installation): Promise<Lifted> {
  const core = createCore(serviceSettings(config), engines);
  const directory = core.server.service;
  try {
    await releaseUser(dn, core);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.reason === 'unavailable')
      return {
        left: `the directory did not answer (${error.message}), so wrong codes of what ${dn} has are still counted: unblock it once more when it does`,
      };
    // Who is not activated has no codes.
    return { isNobody: (await directory.read(dn, ['1.1'])) === undefined };
  }
  return {};
}
