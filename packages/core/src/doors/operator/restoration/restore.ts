/**
 * The restore of a data folder from a copy (command `restored`): invalidates credentials that may have been used since the copy was made.
 * Each step is idempotent, so that an interrupted restore is repeated from its start. Until it has ended, no server opens the folder.
 */

import { openAgain, raiseTimeFloor } from '../../../authenticators/claim-keys.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import type { Engines } from '../../../ports/ports.ts';
import { type ClosedEntries, closeEntries } from './entries.ts';
import { dropFamily, type RestoreRun, raisedFamily } from './restore-run.ts';
import { keepRevocations, type NamedRevocationList } from './revocations.ts';
import { type Ended, endUnderWay } from './under-way.ts';

export interface Plan extends RestoreRun {
  /** The start of the restore, in milliseconds since 1970. */
  readonly now: number;
  /** Seconds that a TOTP token may be off. */
  readonly window: number;
  /** The bases of the directories. */
  readonly bases: readonly Dn[];
  readonly revocationList: NamedRevocationList | undefined;
  /** The data folder. */
  readonly path: string;
}

export interface Done extends ClosedEntries, Ended {
  /** The end of the time in which TOTP codes are refused, in milliseconds since 1970. */
  readonly totpFrom: number;
  readonly revocations: number;
}

/** Invalidates credentials. @throws ServiceError as the engines do; the restore is then repeated */
export async function restore(plan: Plan, engines: Engines): Promise<Done> {
  const { taken, now, window, writes, bases, revocationList: list } = plan;
  const floor = { moment: now, window };
  if (writes) {
    const restoring = { taken, began: now };
    await engines.folder.change((before) => ({ ...before, restoring }));
    await raiseTimeFloor(floor, engines.store);
  }
  const entries = await closeEntries(bases, plan);
  const ended = await endUnderWay(plan);
  const revocations = list ? await keepRevocations(list, engines, plan) : 0;
  return { ...entries, ...ended, revocations, totpFrom: openAgain(floor) };
}

/** Ends the restore: servers may open the folder, and the directories accept its store as their own. */
export async function endRestore(
  { taken, now, view }: Plan,
  { folder }: Pick<Engines, 'folder'>,
): Promise<void> {
  for (const base of view.domains.bases) await view.storeBindings.adopt(base);
  const file = await folder.file();
  await folder.change(() => ({
    ...(file !== undefined && { file }),
    restored: { taken, began: now },
  }));
  await dropFamily(raisedFamily, view, { writes: true });
}
