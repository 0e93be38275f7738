/** The methods of the self-service portal: identity, recent logins, password, and removal of factors. */

import type { LastingFactor } from '../../../administration/factor-name.ts';
import { deviceKey, type RelyingPartyContext, readDevices } from '../../../authenticators/device.ts';
import { listChanges, readList } from '../../../authenticators/lists.ts';
import { readTokens, tokenRemoval } from '../../../authenticators/token-data.ts';
import { type DataChanges, type StoredData, swapData } from '../../../directory/data/data.ts';
import { readProfile } from '../../../directory/data/profile.ts';
import { readExisting, texts } from '../../../directory/entry/entry.ts';
import { checkPassword, type PasswordTrial } from '../../../directory/entry/password.ts';
import { endSessions, type SessionEndingView } from '../../../directory/entry/sessions.ts';
import { changeAsUser, type OwnChangeView } from '../../../directory/own-password-change.ts';
import type { BoundView, ProfileContext } from '../../../directory/view.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import type { PasswordChange } from '../../../ports/directory/directory.ts';
import type { AuditEvent, EventLog } from '../../../ports/event-log/event-log.ts';
import type { Names } from '../../../table/dialect.ts';
import { read } from '../../../table/setting.ts';
import { madeKeyType } from '../registrable-types.ts';
import { selfdeskSettings } from '../settings.ts';
import { factorCount, partsOf, registrable } from './rights.ts';

export interface OverviewView extends ProfileContext, RelyingPartyContext {
  readonly config: ProfileContext['config'] & RelyingPartyContext['config'];
}

/** Reads a user's data, where the settings show it to the user. */
export async function overview(dn: Dn, view: OverviewView) {
  const { settings, data } = await readProfile(dn, view);
  const about = {
    ...{ dn: dn.format(), parts: partsOf(settings), factors: factorCount(data) },
    types: registrable(settings, view),
    sshKeyType: madeKeyType(settings, selfdeskSettings.AllowSSHKeyTypes),
  };
  if (!read(settings, selfdeskSettings.AllowUserInfos)) return about;
  const { mail_attributes, mobile_attributes } = view.config.schema;
  const attributes = ['displayName', 'cn', ...mail_attributes, ...mobile_attributes];
  const entry = await readExisting(view.directory, dn, attributes);
  const first = (names: readonly string[]) => names.flatMap((name) => texts(entry, name))[0] ?? '';
  const contact = { mail: first(mail_attributes), mobile: first(mobile_attributes) };
  return { ...about, name: first(['displayName', 'cn']), ...contact };
}

export interface LoginsView extends BoundView {
  readonly events: Pick<EventLog, 'list'>;
  readonly names: Names;
}

/** Logins of a user, the newest first: granted and refused, with the places that they came from. */
export async function recentLogins(dn: Dn, max: number, { events, names, directory }: LoginsView) {
  await readExisting(directory, dn, ['1.1']);
  const applications = ['Otp', 'SelfDesk', 'Sso'].map((name) => names.theirs(name));
  const found = await Promise.all(
    applications.map((application) => events.list({ application, dn: dn.format(), max })),
  );
  return found
    .flat()
    .toSorted((a: AuditEvent, b: AuditEvent) => b.time - a.time)
    .slice(0, max);
}

export interface OwnPasswordView extends PasswordTrial, SessionEndingView {
  readonly server: PasswordTrial['server'] & SessionEndingView['server'] & OwnChangeView['server'];
  readonly domains: OwnChangeView['domains'];
  readonly log: PasswordTrial['log'] & OwnChangeView['log'];
}

/**
 * The change of a password by its user, under the policy of the directory. All sessions end with it. False: the old one is wrong.
 * @throws ServiceError `password_refused`, `too_many_attempts`; `permission_denied` where the settings or the directory do not let the user
 */
export async function changeOwnPassword(
  dn: Dn,
  passwords: PasswordChange,
  view: OwnPasswordView & ProfileContext,
): Promise<void | false> {
  const { settings } = await readProfile(dn, view);
  if (!read(settings, selfdeskSettings.AllowPassword))
    throw new ServiceError('permission_denied', { detail: 'the settings of the user do not let it' });
  if (passwords.wanted === '')
    throw new ServiceError('password_refused', { detail: 'the password is empty' });
  if (!(await checkPassword(dn, passwords.old, view))) return false;
  if ((await changeAsUser(dn, passwords, view)) !== undefined) return false;
  await endSessions(dn, view);
}

/** Removes a second factor while another one stays; false if there was none. @throws ServiceError `permission_denied` for the last one */
export async function removeFactor(
  dn: Dn,
  { factor, slot }: LastingFactor,
  view: ProfileContext,
): Promise<void | false> {
  let isThere = false;
  await swapData(
    await readProfile(dn, view),
    (stored) => {
      const changes = removalOf({ factor, slot }, stored);
      isThere = changes !== undefined;
      if (changes && factorCount(stored) < 2)
        throw new ServiceError('permission_denied', {
          detail: 'the last second factor stays: register another one before',
        });
      return changes ?? new Map();
    },
    view,
  );
  return isThere ? undefined : false;
}

/** Undefined: there is none. */
function removalOf({ factor, slot }: LastingFactor, stored: StoredData): DataChanges | undefined {
  switch (factor) {
    case 'TOKEN':
      return readTokens(stored).some((token) => token.slot === slot) ? tokenRemoval(slot) : undefined;
    case 'FIDO2':
      return readDevices(stored).some((device) => device.slot === slot)
        ? new Map([[deviceKey(slot), null]])
        : undefined;
    case 'LIST':
      return readList(stored) ? listChanges(undefined) : undefined;
  }
}
