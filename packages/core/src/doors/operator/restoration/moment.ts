/** Finds the time at which the copy of a restored folder was made. */

import type { Domains } from '../../../directory/domain.ts';
import { isRefused } from '../../../directory/store-binding/state.ts';
import { findBindings } from '../../../directory/store-binding/store-bindings.ts';
import type { Words } from '../../../directory/view.ts';
import { StartError } from '../../../foundation/errors/start-error.ts';
import { formatTimestamp, isTimestamp, parseTimestamp } from '../../../foundation/text/timestamp.ts';
import type { DirectoryServer } from '../../../ports/directory/directory.ts';
import type { EventLog } from '../../../ports/event-log/event-log.ts';
import type { Engines } from '../../../ports/ports.ts';
import { signOfAge } from './older-folder.ts';

const example = '--taken "2026-11-20 03:00:00"';

/** The parts of a service that read store bindings. */
interface BindingsContext extends Omit<Parameters<typeof findBindings>[1], 'directory'> {
  readonly domains: Pick<Domains, 'bases'>;
  readonly server: DirectoryServer;
}

/** ... and the event logs. */
interface MarkedLogs extends BindingsContext, Words {
  readonly names: Words['names'];
  readonly events: Pick<EventLog, 'list'>;
}

interface Asked {
  /** The time that the operator names, in UTC; undefined: none. */
  readonly taken: string | undefined;
  readonly print: (text: string) => void;
  readonly engines: Pick<Engines, 'folder' | 'clock'>;
}

/** Milliseconds since 1970; undefined: it was closed before, which is said. @throws StartError */
export async function momentOf(
  { taken: given, print, engines: { folder, clock } }: Asked,
  view: MarkedLogs,
): Promise<number | undefined> {
  const { copied, restoring, restored } = folder.state();
  const named = namedMoment(given);
  const hasSign = (await signOfAge(folder)) !== undefined || (await directoriesKnowMore(view));
  if (!hasSign && restored && (named === undefined || named === restored.taken)) {
    print(
      `The data folder ${folder.path} was closed already to what was used after ${formatTimestamp(restored.taken)} UTC; there is nothing to do. If it was put back once more, say of which moment it is: ${example}.`,
    );
    return undefined;
  }
  if (!hasSign && named === undefined)
    throw new StartError(
      `Nothing says that the data folder ${folder.path} was put back from a copy. If it was, as with the disk of a whole machine, say of which moment it is: ${example}.`,
    );
  const now = clock.now();
  // A folder without any event is a new one, in front of a directory that another was used with.
  const taken = named ?? restoring?.taken ?? copied ?? (await lastEvent(view)) ?? now;
  if (now >= taken) return taken;
  throw new StartError(
    `The clock of this machine says ${formatTimestamp(now)} UTC, and the folder is of ${formatTimestamp(taken)} UTC. Set the clock first: what is closed goes by it.`,
  );
}

function namedMoment(taken: string | undefined): number | undefined {
  if (taken === undefined) return undefined;
  if (isTimestamp(taken)) return parseTimestamp(taken);
  throw new StartError(`"${taken.slice(0, 64)}" is not a time; write it in UTC, as ${example}.`);
}

/** A directory has seen another folder, or this one when it knew more. */
async function directoriesKnowMore(view: BindingsContext): Promise<boolean> {
  for (const base of view.domains.bases)
    if (isRefused((await findBindings(base, { ...view, directory: view.server })).state)) return true;
  return false;
}

/** A copy is not older than the last thing that it knows. */
async function lastEvent({ events, applications, names }: MarkedLogs): Promise<number | undefined> {
  const logs = ['Manager', ...Object.values(applications).map(({ name }) => names.theirs(name))];
  const last = await Promise.all(logs.map((application) => events.list({ application, max: 1 })));
  const times = last.flat().map(({ time }) => time);
  return times.length === 0 ? undefined : Math.max(...times);
}
