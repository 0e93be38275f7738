/** Lifts lockouts and blocks of a user in the store, without the directory: the shared part of the break-glass commands. */
import { type Dn, ServiceError } from '@watchword/core/foundation';
import { releaseUser } from '@watchword/core/operator';
import type { Installation } from './installation.ts';

interface Lifted {
  /** The directory answers, and has no such entry. */
  readonly isNobody?: boolean;
  /** The part that could not be done, in a sentence. */
  readonly left?: string;
}

/** Ends what blocks a user. @throws ServiceError what the directory throws, if it answers */
export async function lift(dn: Dn, installation: Installation): Promise<Lifted> {
  const core = installation.core();
  const directory = core.server.service;
  try {
    await releaseUser(dn, core);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.reason === 'unavailable')
      return {
        left: `the directory did not answer (${error.message}), so wrong codes of what ${dn} has are still counted: unblock it once more when it does`,
      };
    // A deactivated user has no codes.
    return { isNobody: (await directory.read(dn, ['1.1'])) === undefined };
  }
  return {};
}
