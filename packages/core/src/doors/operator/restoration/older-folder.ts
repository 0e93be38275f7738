/**
 * Refuses to open a data folder that was restored from a copy, until `restored` has run: codes that were used after the copy would be
 * valid again.
 */
import { StartError } from '../../../foundation/errors/start-error.ts';
import { formatTimestamp } from '../../../foundation/text/timestamp.ts';
import type { Random } from '../../../ports/random.ts';
import type { DataFolder } from '../../../ports/store/data-folder.ts';

/** Returns the evidence that a folder is older than its directory, a sentence without a full stop; undefined: none. */
export async function signOfAge(folder: DataFolder): Promise<string | undefined> {
  const { path } = folder;
  const { copied, restoring, turnedBack, file } = folder.state();
  if (restoring) return `The restore of the data folder ${path} has begun, and not come to its end`;
  if (copied !== undefined)
    return `The data folder ${path} is a copy that was taken on ${formatTimestamp(copied)} UTC, and knows nothing of what was used since`;
  const older = `The database in the data folder ${path} is older than what the servers have written there: a copy was put back over it`;
  const run = await folder.stateOfRun();
  if (turnedBack || run === 'older') return older;
  if (file !== undefined && file !== ((await folder.file()) ?? file))
    return `The data folder ${path} was put back from a copy, or moved: its database is in another file than the one that the servers worked in (if it was only moved, and nothing has run meanwhile, add --moved to the command)`;
  return run === 'unnamed' ? `${older}, or its file run-… was removed` : undefined;
}

/** @throws StartError if what the folder kept has gone elsewhere: codes that were used there would be good again here */
export function refuseMoved({ path, state }: DataFolder): void {
  const { moved } = state();
  if (moved === undefined) return;
  throw new StartError(
    `What the data folder ${path} kept is in ${moved} now; set store in the configuration.`,
  );
}

/** @throws StartError that names the command, if the folder is older */
export async function refuseOlder(folder: DataFolder): Promise<void> {
  const sign = await signOfAge(folder);
  if (sign !== undefined)
    throw new StartError(`${sign}. Type this first: watchword-manager restored --config FILE`);
}

/** Marks a folder before logins are served: from now on a copy of its file is detected. @throws StartError as `refuseOlder` */
export async function enterFolder(folder: DataFolder, random: Random): Promise<void> {
  await refuseOlder(folder);
  await noteRun(folder, random);
}

/** The same for a quick start, which serves a copy as well. @returns what speaks for a copy, for a warning */
export async function noteFolder(folder: DataFolder, random: Random): Promise<string | undefined> {
  const sign = await signOfAge(folder);
  if (sign === undefined) await noteRun(folder, random);
  return sign;
}

async function noteRun(folder: DataFolder, random: Random): Promise<void> {
  await folder.beginRun(Buffer.from(random.bytes(16)).toString('hex'));
  if (folder.state().file !== undefined) return;
  const file = await folder.file();
  if (file !== undefined) await folder.change((before) => ({ ...before, file }));
}
