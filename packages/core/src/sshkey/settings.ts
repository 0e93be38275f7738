/** The settings of SSH keys and sessions (concepts.md §4). */
import { gateRows } from '../login/settings.ts';
import {
  flagSetting,
  integerSetting,
  kept,
  ordered,
  settingsOf,
  textSetting,
  withheld,
} from '../table/setting-row.ts';
import { Dn } from '../text/dn.ts';
import { wrongEnvironment } from './lines/environment.ts';
import { wrongCommands } from './lines/sudo-commands.ts';

const wrongGroup = (text: string): string | undefined =>
  Dn.tryParse(text) ? undefined : 'is not the DN of a group';

export const sshkeySettings = settingsOf('SshKey', {
  ...gateRows('over SSH'),
  AllowedGroup: withheld(textSetting('Only members of this group, a DN, may log in over SSH.', wrongGroup)),
  EnvVariables: textSetting(
    'Environment variables of a session, as `NAME=value,NAME=value` or one a line: sshd sets them where its `PermitUserEnvironment` allows them.',
    wrongEnvironment,
  ),
  KeyExpire: integerSetting('Days after which a new key expires; 0: never.', { min: 0, max: 360 }, 0),
  KeyMaxUse: integerSetting(
    'Sessions after which a new key is used up; 0: no limit.',
    { min: 0, max: 500 },
    0,
  ),
  LockSessionTime: integerSetting(
    'Seconds without input after which a session is locked; 0: never.',
    { min: 0, max: 86_400 },
    0,
  ),
  MaxSessionTime: integerSetting(
    'Seconds after which a session ends; 0: a week after it was last heard of.',
    { min: 0, max: 604_800 },
    0,
  ),
  RecordSessions: kept(flagSetting('Record what is shown.', 'No'), 'fixed'),
  RecordAuditLogs: flagSetting(
    'Keep the audit logs of a session in the event log, a line for an event.',
    'No',
  ),
  RequireMFA: ordered(
    flagSetting(
      'A session is unlocked by the password with a one-time password behind it; `No`: by the password.',
      'No',
    ),
    { Yes: ['No'] },
  ),
  SudoCommands: withheld(
    textSetting(
      'Commands that sudo allows, as sudoers(5) writes them: `/usr/bin/id,NOPASSWD: /usr/bin/less *` or one a line.',
      wrongCommands,
    ),
  ),
  PasswordChange: flagSetting('The user may change the password in a session.', 'No'),
});
