/** The `SshKey` application: the SSH public key server. Here are its settings and data. */
import { application, flagSetting, integerSetting, textSetting } from '../application.ts';

export const sshkey = application({
  name: 'SshKey',
  service: 'sshkey',
  publicData: ['PublicKey', 'KeyType'],
  settings: {
    EnableLogin: flagSetting('The user may log in over SSH.', 'Yes'),
    AllowedGroup: textSetting('Only members of this group may log in.'),
    EnvVariables: textSetting('Environment variables of a session.'),
    KeyExpire: integerSetting('Days after which a key expires.'),
    KeyMaxUse: integerSetting('Logins after which a key is used up.'),
    LockSessionTime: integerSetting('Seconds without input after which a session is locked.'),
    MaxSessionTime: integerSetting('Seconds after which a session ends.'),
    RecordSessions: flagSetting('Record what is shown.', 'No'),
    RecordAuditLogs: flagSetting('Record audit logs.', 'No'),
    RequireMFA: flagSetting('Ask for a second factor.', 'No'),
    SudoCommands: textSetting('Commands that sudo allows.'),
    PasswordChange: flagSetting('The user may change the password in a session.', 'No'),
    ValidFrom: textSetting('The user may log in from `YYYY-MM-DD HH:MM:SS` on.'),
    ValidTo: textSetting('The user may log in until `YYYY-MM-DD HH:MM:SS`.'),
  },
  methods: {},
  operations: {},
});
