/** Passwords of users, set and checked. */

import { ServiceError } from '../../foundation/errors/errors.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { AttemptResult } from '../../limits/limits-attempt.ts';
import type { Directory, DirectoryServer } from '../../ports/directory/directory.ts';
import type { BoundView } from '../view.ts';
import { onEntry, readExisting } from './entry.ts';
import { judgeForAdministrator, type TrialView } from './judged.ts';

/** @throws ServiceError `not_found`; `password_refused` with the words of the policy */
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

/** Directories differ in what they make of it, up to making a password up (RFC 3062 §2). */
async function refuseEmpty(dn: Dn, directory: Directory): Promise<never> {
  await readExisting(directory, dn, ['1.1']);
  throw new ServiceError('password_refused', { detail: 'the password is empty' });
}

/** Passwords that an administrator tries. */
export interface PasswordTrial extends TrialView, BoundView {
  readonly server: Pick<DirectoryServer, 'authenticate'>;
}

/**
 * The directory accepts this password for this user now. One that has to be changed at the next login is
 * right; one that has expired, or that of a locked account, is not. Failures count as those of a login do:
 * else an administrator with few rights could guess the password of one with all of them.
 * @throws ServiceError `not_found`; `too_many_attempts`
 */
export async function checkPassword(dn: Dn, password: string, call: PasswordTrial): Promise<boolean> {
  const { directory, administrator } = call;
  const user = Dn.parse((await readExisting(directory, dn, ['1.1'])).dn);
  const asker = { caller: `administrator:${administrator.key}`, isKnown: true };
  const judge = async (): Promise<AttemptResult & { readonly answer: boolean }> => {
    const { granted } = await call.server.authenticate(user, password, { asker });
    // It tells the administrator something, and gives nobody back what was lost by guessing.
    return granted ? { answer: true, end: 'granted' } : { answer: false, end: 'failed', wrongPasswords: 1 };
  };
  return judgeForAdministrator(user, { single: { password: true, codes: [] }, judge }, call);
}
