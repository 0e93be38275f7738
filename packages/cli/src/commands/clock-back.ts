/**
 * The command `clock-back`: removes times in the future that a clock left in the state while it was ahead. It is for use after the clock
 * was corrected.
 */

import { Dn, formatTimestamp } from '@watchword/core/foundation';
import {
  directoriesOf,
  type Lifted,
  type Lifting,
  liftAhead,
  openAgain,
  widestRules,
} from '@watchword/core/operator';
import type { Command, Task } from './command.ts';
import { auditCommand, confirm, type Installation, refuseEmpty, withBothLayers } from './installation.ts';

export const clockBack: Command = {
  name: 'clock-back',
  does: 'lifts, once a clock that was ahead is right again, what it has left in the future',
  options: {
    'dry-run': { says: 'say what would be done, and write nothing' },
    yes: { says: 'do not ask' },
  },
  run: async (task) => {
    const { config } = task.readConfiguration(task.config);
    await refuseEmpty(config, task);
    await withBothLayers(task, (installation) => lift(task, installation));
  },
};

async function lift(task: Task, installation: Installation): Promise<void> {
  const { config, engines } = installation;
  const view = installation.core();
  const floor = { moment: engines.clock.now(), window: widestRules(view).timeWindow };
  const bases = directoriesOf(config).map(({ base }) => base);
  const tell: Lifting['tell'] = (dn, tokens) =>
    auditCommand(task, installation, { dn: Dn.parse(dn), text: `clock-back: ${tokens} TOTP tokens` });
  const lifting: Lifting = { view, floor, bases, tell, writes: false };
  const report = reportOf(lifting, await liftAhead(lifting));
  if (task.switches.has('dry-run')) return task.around.print(report);
  await confirm(task, report, 'See that the time above is right');
  const writing = { ...lifting, writes: true };
  const lifted = await liftAhead(writing);
  const { tokens, logins, openings, hasFloor } = lifted;
  const text = `clock-back: ${tokens} TOTP tokens, ${logins} last logins, ${openings} openings${hasFloor ? ', the time floor of TOTP' : ''}`;
  await auditCommand(task, installation, { text });
  task.around.print(reportOf(writing, lifted));
}

function reportOf({ floor, writes }: Lifting, lifted: Lifted): string {
  const { tokens, hasFloor, unknown, logins, openings, silent } = lifted;
  return [
    `The clock says ${formatTimestamp(floor.moment)} UTC. ${writes ? 'What lay ahead of it is lifted:' : 'What lies ahead of it would be lifted; nothing was written:'}`,
    `  - TOTP tokens: ${tokens}. Their codes are good again from ${formatTimestamp(openAgain(floor))} UTC on; codes of before the leap stay used. Those of the time ahead are good again when that time comes.`,
    ...(hasFloor
      ? [
          '  - The time floor of TOTP, up to which `restored` refuses the codes of all users: set to the present.',
        ]
      : []),
    `  - Last logins: ${logins}, set to the present.`,
    `  - What was opened for a while (Cert_Auto_Confirm, Unlock_Application_Access): ${openings}, closed. Open what is still needed.`,
    ...(unknown > 0 ? [`Left: claims of ${unknown} TOTP tokens that no entry has.`] : []),
    ...silent.map((base) => `Left: the directory ${base} did not answer; type this again when it does.`),
  ].join('\n');
}
