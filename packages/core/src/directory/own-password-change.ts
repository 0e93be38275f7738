/** The change of a user's own password, under the policy and the rules of the directory. */
import { isReason, ServiceError } from '../foundation/errors/errors.ts';
import type { Dn } from '../foundation/text/dn.ts';
import type { BindRefusal, DirectoryServer, PasswordChange } from '../ports/directory/directory.ts';
import type { Log } from '../ports/log/log.ts';
import { type MissingRightView, missingRight } from './missing-right.ts';

export interface OwnChangeView extends MissingRightView {
  readonly server: MissingRightView['server'] & Pick<DirectoryServer, 'changePassword'>;
  readonly log: Pick<Log, 'error'>;
}

/**
 * Changes a password as its user. A missing right in the directory is logged with the cure.
 * @returns the refusal of the old password; undefined after a change
 * @throws ServiceError `password_refused` with the policy's message; `permission_denied` where users may not change passwords; `unavailable`
 */
export async function changeAsUser(
  dn: Dn,
  passwords: PasswordChange,
  view: OwnChangeView,
): Promise<BindRefusal | undefined> {
  try {
    return await view.server.changePassword(dn, passwords);
  } catch (error) {
    if (!isReason(error, 'permission_denied')) throw error;
    const right = 'the right to change the own password';
    const where = await missingRight(dn, { right, whose: 'users' }, view);
    view.log.error('the directory does not let a user change the password', { ...where, error });
    throw new ServiceError('permission_denied', {
      detail: 'the directory does not let users change their passwords',
      cause: error,
    });
  }
}
