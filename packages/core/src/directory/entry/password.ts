/** Passwords of users, set and checked. */

import { ServiceError } from '../../foundation/errors/errors.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { AttemptResult } from '../../limits/limits-attempt.ts';
import type { Directory, DirectoryServer } from '../../ports/directory/directory.ts';
import type { BoundView } from '../view.ts';
import { onEntry, readExisting } from './entry.ts';
import { judgeForAdministrator, type TrialView } from './judged.ts';

/** Sets a password. @throws ServiceError `not_found`; `password_refused` with the message of the policy */
export async function setPassword(
  dn: Dn,
  { password, mustChange }: { password: string; mustChange: boolean },
  { directory }: BoundView,
): Promise<void> {
  await onEntry('update', dn, async () => {
    if (password === '') return refuseEmpty(dn, directory);
    await directory.setPassword(dn, password, { mustChange });
  });
}

/** Refuses an empty password: directories treat it differently, and may generate a password (RFC 3062 §2). */
async function refuseEmpty(dn: Dn, directory: Directory): Promise<never> {
  await readExisting(directory, dn, ['1.1']);
  throw new ServiceError('password_refused', { detail: 'the password is empty' });
}

/** Passwords that an administrator tries. */
export interface PasswordTrial extends TrialView, BoundView {
  readonly server: Pick<DirectoryServer, 'authenticate'>;
}

/**
 * Returns whether the directory accepts a password of a user now: also one that must be changed at the next login, but none that has expired
 * or of a locked account. Failures count as those of logins, so that administrators cannot guess passwords.
 * @throws ServiceError `not_found`; `too_many_attempts`
 */
export async function checkPassword(dn: Dn, password: string, call: PasswordTrial): Promise<boolean> {
  const { directory, administrator } = call;
  const user = Dn.parse((await readExisting(directory, dn, ['1.1'])).dn);
  const requester = { caller: `administrator:${administrator.key}`, isKnown: true };
  const judge = async (): Promise<AttemptResult & { readonly answer: boolean }> => {
    const { granted } = await call.server.authenticate(user, password, { requester });
    // A success resets no failures of the user.
    return granted ? { answer: true, end: 'granted' } : { answer: false, end: 'failed', wrongPasswords: 1 };
  };
  return judgeForAdministrator(user, { withoutPassword: { password: true, codes: [] }, judge }, call);
}
