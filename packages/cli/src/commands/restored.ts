/**
 * The command `restored`, for a data folder that was restored from a copy. It invalidates credentials that may have been used since the
 * copy, and reports what it cannot know.
 */

import { Dn, formatTimestamp, isReason, ServiceError, StartError } from '@watchword/core/foundation';
import {
  directoriesOf,
  endRestore,
  momentOf,
  type Plan,
  type RestoreView,
  reportOf,
  restore,
  type SettingSources,
  widestRules,
} from '@watchword/core/operator';
import type { Command, Task } from './command.ts';
import { auditCommand, confirm, type Installation, refuseEmpty, withBothLayers } from './installation.ts';
import { readRevocations } from './revocations-file.ts';

export const restored: Command = {
  name: 'restored',
  does: 'closes, in a data folder that was put back from a copy, what may have been used since',
  options: {
    taken: {
      value: 'TIME',
      says: 'when the copy was taken, as "2026-11-20 03:00:00" (UTC); else it says so itself',
    },
    crl: { value: 'FILE', says: 'a list of revoked certificates that was published since (GET /crl)' },
    'hotp-uses': { value: 'N', says: 'the most codes of one HOTP token that may have been used since' },
    'with-directories': { says: 'the LDAP directories were put back as well' },
    moved: { says: 'the folder was only moved, and no server has run meanwhile: nothing is closed' },
    'dry-run': { says: 'say what would be done, and write nothing' },
    yes: { says: 'do not ask' },
  },
  run: async (task) => {
    const { config } = task.readConfiguration(task.config);
    // An operator who names a moment may have lost all that was kept.
    if (task.given.taken === undefined) await refuseEmpty(config, task);
    await withBothLayers(task, (installation) =>
      task.switches.has('moved') ? move(task, installation) : close(task, installation),
    );
  },
};

async function close(task: Task, installation: Installation): Promise<void> {
  const core = installation.core();
  const { engines } = installation;
  const taken = await momentOf({ taken: task.given.taken, print: task.around.print, engines }, core);
  if (taken === undefined) return;
  const plan = await planOf(task, installation, { core, taken });
  const foreseen = { ...plan, writes: false };
  const report = reportOf(foreseen, await readable(restore(foreseen, engines), installation));
  if (task.switches.has('dry-run')) return task.around.print(report);
  await confirm(task, report, 'Lists and emergency passwords do not come back');
  const done = await restore(plan, engines);
  const text = `restored: what may have been used since ${formatTimestamp(taken)} is closed, of ${done.users} users`;
  await auditCommand(task, installation, { text });
  await endRestore(plan, engines);
  task.around.print(reportOf(plan, done));
}

/** Nothing is written before all of it was read once. */
async function readable<T>(reading: Promise<T>, { config }: Installation): Promise<T> {
  try {
    return await reading;
  } catch (cause) {
    if (!(cause instanceof ServiceError) || !isReason(cause, 'internal')) throw cause;
    throw new StartError(
      `What the folder keeps of its users cannot be read with the keys in ${config.keys_file} (${cause.detail}); put back the key file that belongs to the copy, and type this again.`,
      { cause },
    );
  }
}

/** A HOTP token that is used more often on a day is in the hands of a machine. */
const usesOfADay = 25;
const dayMilliseconds = 86_400_000;

async function planOf(
  task: Task,
  installation: Installation,
  { core, taken }: { readonly core: RestoreView & SettingSources; readonly taken: number },
): Promise<Plan> {
  const { config, engines } = installation;
  const { given, around } = task;
  const { timeWindow, lookAhead } = widestRules(core);
  const now = engines.clock.now();
  const days = Math.max(1, Math.ceil((now - taken) / dayMilliseconds));
  return {
    ...{ view: core, path: config.data, writes: true },
    ...{ taken, now, window: timeWindow },
    // One use alone may have been as far ahead as the window is wide.
    uses: Math.max(lookAhead, namedUses(task) ?? days * usesOfADay),
    withDirectories: task.switches.has('with-directories'),
    bases: directoriesOf(config).map(({ base }) => base),
    revocationList: given.crl === undefined ? undefined : await readRevocations(given.crl, engines),
    tell: (dn, { tokens, lists, emergencies }) =>
      auditCommand(task, installation, {
        dn: Dn.parse(dn),
        text: `restored: ${tokens} HOTP tokens raised, ${lists} lists and ${emergencies} emergency passwords removed`,
      }),
    progress: (entries) => around.printError(`${entries} entries`),
  };
}

function namedUses({ given }: Task): number | undefined {
  const text = given['hotp-uses'];
  if (text === undefined) return undefined;
  if (/^[0-9]{1,7}$/.test(text)) return Number(text);
  throw new StartError(`"${text.slice(0, 32)}" is not a number of codes.`);
}

/** The same folder in another place: its database is in another file, and knows everything. */
async function move(task: Task, installation: Installation): Promise<void> {
  const { folder } = installation.engines;
  const { copied, restoring, turnedBack } = folder.state();
  if (copied !== undefined || restoring || turnedBack || (await folder.stateOfRun()) === 'older')
    throw new StartError(
      `The data folder ${folder.path} was not only moved: it is a copy, and servers may have run since it was taken. Leave --moved out.`,
    );
  await auditCommand(task, installation, {
    text: 'restored: the data folder was moved, and nothing is closed',
  });
  const file = await folder.file();
  await folder.change(({ run: _, ...before }) => ({ ...before, ...(file !== undefined && { file }) }));
  task.around.print(`The data folder ${folder.path} goes on where it is now.`);
}
