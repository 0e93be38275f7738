/** The `SshKey` application: the SSH public key server. Here are its settings and data. */
import { application } from '../table/application.ts';
import {
  flagSetting,
  integerSetting,
  kept,
  momentSetting,
  settingsOf,
  textSetting,
  withheld,
} from '../table/setting-row.ts';

export const sshkey = application({
  name: 'SshKey',
  service: 'sshkey',
  publicData: ['PublicKey', 'KeyType'],
  settings: settingsOf('SshKey', {
    EnableLogin: withheld(kept(flagSetting('The user may log in over SSH.', 'Yes'))),
    AllowedGroup: kept(textSetting('Only members of this group may log in.')),
    EnvVariables: kept(textSetting('Environment variables of a session.')),
    KeyExpire: kept(integerSetting('Days after which a key expires; 0: never.', { min: 0, max: 360 }, 0)),
    KeyMaxUse: kept(
      integerSetting('Logins after which a key is used up; 0: no limit.', { min: 0, max: 500 }, 0),
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
  }),
  methods: {},
  operations: {},
});
