/** The settings of SSH keys and sessions. */

import { sshkeySelfSettings } from '../../administration/policy/self/settings.ts';
import { posixSettings } from '../../directory/posix-settings.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { gateRows } from '../../login/settings.ts';
import {
  flagSetting,
  harmless,
  integerSetting,
  noAsksMore,
  ordered,
  settingsOf,
  textSetting,
  unsupported,
  withheld,
  yesAsksMore,
} from '../../table/setting-row.ts';
import { wrongEnvironment } from './lines/environment.ts';
import { wrongLines, wrongSudoers } from './lines/line-texts.ts';
import { wrongAddresses, wrongCommand, wrongForwards } from './lines/restrictions.ts';
import { wrongCommands } from './lines/sudo-commands.ts';

const wrongGroup = (text: string): string | undefined =>
  Dn.tryParse(text) ? undefined : 'is not the DN of a group';

/** `No` is an option of the line that sshd reads. */
const closable = (summary: string) => withheld(ordered(flagSetting(summary, 'Yes'), noAsksMore));

const ownRows = settingsOf('SshKey', {
  ...gateRows('over SSH'),
  AllowedGroup: withheld(
    ordered(textSetting('Only members of this group, a DN, may log in over SSH.', wrongGroup), 'any'),
  ),
  EnvVariables: textSetting(
    'Environment variables of a session, as `NAME=value,NAME=value` or one a line: sshd sets them where its `PermitUserEnvironment` allows them.',
    wrongEnvironment,
  ),
  KeyExpire: ordered(
    integerSetting('Days after which a new key expires; 0: never.', { min: 0, max: 360 }, 0),
    'shorter',
  ),
  KeyMaxUse: ordered(
    integerSetting('Sessions after which a new key is used up; 0: no limit.', { min: 0, max: 500 }, 0),
    'shorter',
  ),
  LockSessionTime: ordered(
    integerSetting(
      'Seconds without input after which a session is locked; 0: never.',
      { min: 0, max: 86_400 },
      0,
    ),
    'shorter',
  ),
  MaxSessionTime: ordered(
    integerSetting(
      'Seconds after which a session ends; 0: a week after it was last heard of.',
      { min: 0, max: 604_800 },
      0,
    ),
    'shorter',
  ),
  RecordSessions: ordered(
    flagSetting('Keep what is shown in a session, as `ssh_recordings` says how much and how long.', 'No'),
    yesAsksMore,
  ),
  RecordAuditLogs: ordered(
    flagSetting('Keep the audit logs of a session in the event log, a line for an event.', 'No'),
    yesAsksMore,
  ),
  AuditRule: withheld(
    textSetting(
      'Rules of audit for a system, as auditctl(8) has them, one a line: `auditd` of a session whose audit logs are kept; left out: `Yes`.',
      wrongLines,
    ),
  ),
  WelcomeMessage: harmless(textSetting('What a system shows when a session begins: `welcome`.', wrongLines)),
  CreateAccount: withheld(
    ordered(
      flagSetting('A system makes the account of the user where it has none: `create` of a session.', 'No'),
      noAsksMore,
    ),
  ),
  OfflineLogin: withheld(
    ordered(
      flagSetting(
        'A system may let the user in by what it remembers while no server answers: `offline` of a session.',
        'No',
      ),
      noAsksMore,
    ),
  ),
  RequireMFA: ordered(
    flagSetting(
      'A session is unlocked by the password with a one-time password behind it; `No`: by the password.',
      'No',
    ),
    yesAsksMore,
  ),
  SudoCommands: withheld(
    textSetting(
      'Commands that sudo allows, as sudoers(5) writes them: `/usr/bin/id,NOPASSWD: /usr/bin/less *` or one a line.',
      wrongCommands,
    ),
  ),
  SudoAdvanced: withheld(
    textSetting(
      'Lines of sudoers(5) as they are, beside the commands: `sudoAdvanced`. They may give any right; nothing is included by them.',
      wrongSudoers,
    ),
  ),
  PasswordChange: ordered(flagSetting('The user may change the password in a session.', 'No'), noAsksMore),
  AddressFilter: withheld(
    ordered(
      textSetting(
        'Addresses, networks and patterns that the user may come from, with commas between them: `from` of sshd.',
        wrongAddresses,
      ),
      'any',
    ),
  ),
  ForwardFilter: withheld(
    ordered(
      textSetting(
        'Where to ports may be forwarded, `host:port,host:port`: `permitopen` of sshd.',
        wrongForwards,
      ),
      'any',
    ),
  ),
  RemoteCommand: withheld(
    textSetting('What is run, whatever the user asks for: `command` of sshd.', wrongCommand),
  ),
  AgentForwarding: closable('The user may forward an agent.'),
  PortForwarding: closable('The user may forward ports.'),
  X11Forwarding: closable('The user may forward X11.'),
  PTYAllocation: closable('The user gets a terminal.'),
  SessionBadgeOut: ordered(
    flagSetting('The user logs in over SSH only while badged in, and badging out ends the sessions.', 'No'),
    yesAsksMore,
  ),
  AllowedTags: unsupported(
    textSetting('Tags of systems that the user may log in to.'),
    'systems have no tags; set settings in the client policy of a system',
  ),
  AllowKeyFiles: unsupported(
    flagSetting('Keys of files on the system count.', 'No'),
    'sshd itself decides about its files; AuthorizedKeysFile of sshd_config names them',
  ),
  AllowUserCerts: unsupported(
    flagSetting('Certificates of SSH count.', 'No'),
    'sshd itself decides about certificates; TrustedUserCAKeys of sshd_config names their authority',
  ),
  GuestAccount: unsupported(
    textSetting('The account of users who have none.'),
    'nobody logs in with the account of another one',
  ),
  OTPType: unsupported(
    textSetting('Where the one-time password of a session comes from.'),
    'Otp.OTPType says it of SSH as well',
  ),
  OTPTypeNI: unsupported(
    textSetting('The same of sessions without a terminal.'),
    'Otp.OTPType says it of SSH as well',
  ),
  ExpireNotify: unsupported(
    flagSetting('Tell the user by mail when the key expires soon.', 'No'),
    'no mail is sent of keys that expire',
  ),
});

export const sshkeySettings = { ...ownRows, ...posixSettings, ...sshkeySelfSettings };
