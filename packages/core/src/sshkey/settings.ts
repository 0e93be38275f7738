/** The settings of SSH keys and sessions (concepts.md §4). */
import {
  flagSetting,
  integerSetting,
  kept,
  momentSetting,
  settingsOf,
  textSetting,
  withheld,
} from '../table/setting-row.ts';

export const sshkeySettings = settingsOf('SshKey', {
  EnableLogin: withheld(kept(flagSetting('The user may log in over SSH.', 'Yes'))),
  AllowedGroup: kept(textSetting('Only members of this group may log in.')),
  EnvVariables: kept(textSetting('Environment variables of a session.')),
  KeyExpire: integerSetting('Days after which a new key expires; 0: never.', { min: 0, max: 360 }, 0),
  KeyMaxUse: integerSetting(
    'Sessions after which a new key is used up; 0: no limit.',
    { min: 0, max: 500 },
    0,
  ),
  LockSessionTime: kept(
    integerSetting(
      'Seconds without input after which a session is locked; 0: never.',
      { min: 0, max: 86_400 },
      0,
    ),
  ),
  MaxSessionTime: kept(
    integerSetting('Seconds after which a session ends; 0: never.', { min: 0, max: 604_800 }, 0),
  ),
  RecordSessions: kept(flagSetting('Record what is shown.', 'No')),
  RecordAuditLogs: kept(flagSetting('Record audit logs.', 'No')),
  RequireMFA: kept(flagSetting('Ask for a second factor.', 'No')),
  SudoCommands: kept(textSetting('Commands that sudo allows.')),
  PasswordChange: kept(flagSetting('The user may change the password in a session.', 'No')),
  ValidFrom: withheld(kept(momentSetting('The user may log in from `YYYY-MM-DD HH:MM:SS` (UTC) on.'))),
  ValidTo: withheld(
    kept(momentSetting('The user may log in until `YYYY-MM-DD HH:MM:SS` (UTC).', 'ValidFrom')),
  ),
});
