/** `backup`: a consistent copy of the data folder, while servers may run. The key ring is not in it, on purpose. */

import { StartError } from '../../errors/start-error.ts';
import type { Command } from './command.ts';
import { refuseEmpty } from './installation.ts';

export const backup: Command = {
  name: 'backup',
  does: 'copies the data folder, without the key ring, into a new FOLDER',
  operand: 'FOLDER',
  options: {},
  run: async (task) => {
    const { config } = task.readConfiguration(task.config);
    const { operand } = task;
    if (operand === undefined) throw new StartError('backup needs a FOLDER that is not there yet.');
    await refuseEmpty(config, task);
    const { copyData } = await import('../restoring/data-copy.ts');
    await copyData(config, operand);
    task.around.print(
      `${operand} holds a copy of ${config.data}. The key ring is not in it: keep a copy of ${config.keys_file} in another place.`,
    );
  },
};
