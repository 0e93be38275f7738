/** The password in an SSH session, which unlocks it, and its change. It is judged as by a login, with the limits. */

import { changeAsUser } from '../../../directory/own-password-change.ts';
import { isReason, ServiceError } from '../../../foundation/errors/errors.ts';
import { isSameSecret } from '../../../foundation/text/secret/same-secret.ts';
import { type AttemptInSession, attemptFor } from '../../../login/attempt.ts';
import type { PasswordChange } from '../../../ports/directory/directory.ts';
import { read } from '../../../table/setting.ts';
import { sshkeySettings } from '../settings.ts';
import { findSshUserAgain, type SshUser } from '../user.ts';
import { contextOf, findSession, type SessionCall } from './session.ts';

/**
 * Judges the user's password, with `RequireMFA` a one-time password after it.
 * @throws ServiceError `invalid_params`; `not_found` where the session has ended; `unavailable`
 */
export async function unlocking(
  {
    session: id,
    password,
  }: { readonly session?: string | undefined; readonly password?: string | undefined },
  call: SessionCall,
): Promise<AttemptInSession> {
  const session = await findSession(id, call);
  const user = await findSshUserAgain(session, contextOf(session, call), call);
  const isMfa = read(user.account.settings, sshkeySettings.RequireMFA);
  return attemptFor(user, { password, mode: isMfa ? 'LDAPOTP' : 'LDAP' }, call);
}

export interface ChangeRequest {
  readonly session?: string | undefined;
  readonly oldPassword?: string | undefined;
  readonly newPassword?: string | undefined;
}

/** A change, once the old password is judged right. */
export interface Changing {
  readonly attempt: AttemptInSession;
  /** @returns `wrong`: the old password is not right any more. `refused`: the policy does not take the new one, or it is the old one */
  change(): Promise<'changed' | 'wrong' | 'refused'>;
}

/**
 * The user’s own change of the password, under the policy of the directory.
 * @throws ServiceError `invalid_params`, also where the settings of the user do not allow it; `not_found` where the session has
 *   ended; `unavailable`; `permission_denied` where the directory does not let users change their passwords
 */
export async function changing(
  { session: id, oldPassword = '', newPassword = '' }: ChangeRequest,
  call: SessionCall,
): Promise<Changing> {
  const session = await findSession(id, call);
  const user = await findSshUserAgain(session, contextOf(session, call), call);
  if (!read(user.account.settings, sshkeySettings.PasswordChange))
    throw new ServiceError('invalid_params', {
      detail: 'the settings of the user do not allow to change the password',
    });
  const isNone = newPassword === '' || isSameSecret(newPassword, oldPassword);
  const passwords = { old: oldPassword, wanted: newPassword };
  return {
    attempt: attemptFor(user, { password: oldPassword, mode: 'LDAP' }, call),
    change: async () => (isNone ? 'refused' : setOwnPassword(user, passwords, call)),
  };
}

async function setOwnPassword(
  { account: { dn } }: SshUser,
  passwords: PasswordChange,
  call: SessionCall,
): Promise<'changed' | 'wrong' | 'refused'> {
  try {
    return (await changeAsUser(dn, passwords, call)) === undefined ? 'changed' : 'wrong';
  } catch (error) {
    if (isReason(error, 'password_refused')) return 'refused';
    throw error;
  }
}
