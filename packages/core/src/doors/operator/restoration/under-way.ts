/** Ends challenges and sessions that were open when the restored folder was copied. */

import { lastCodeFamily } from '../../../authenticators/last-code.ts';
import { challengeFamily } from '../../../login/challenge.ts';
import { waitingFamily } from '../../manager/portal/waiting-credentials.ts';
import { portalFamily, sessionFamily } from '../../manager/session/session-record.ts';
import { retryFamily } from '../../web/idempotency-cache.ts';
import { dropFamily, type RestoreRun } from './restore-run.ts';

export interface Ended {
  readonly challenges: number;
  readonly sessions: number;
}

/** Codes that were good a while longer, registrations that wait for a scan, and answers that are given again, too. */
export async function endUnderWay(restoring: RestoreRun): Promise<Ended> {
  const drop = (family: string) => dropFamily(family, restoring.view, restoring);
  const applications = Object.values(restoring.view.applications);
  for (const { underWay = [] } of applications) for (const family of underWay) await drop(family);
  for (const family of [lastCodeFamily, retryFamily, waitingFamily]) await drop(family);
  const sessions = (await drop(sessionFamily)) + (await drop(portalFamily));
  return { challenges: await drop(challengeFamily), sessions };
}
