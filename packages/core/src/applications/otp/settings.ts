/** The settings of one-time passwords and login, and those of their administration. */

import { badgingSettings } from '../../administration/badging/settings.ts';
import { otpSelfSettings } from '../../administration/policy/self/settings.ts';
import { usualSuite, wrongSuite } from '../../authenticators/ocra-token.ts';
import { codeSettings } from '../../authenticators/settings.ts';
import { algorithms } from '../../foundation/oath/hotp.ts';
import { loginSettings } from '../../login/settings.ts';
import {
  dayInSeconds,
  enumSetting,
  flagSetting,
  harmless,
  integerSetting,
  ordered,
  preset,
  settingsOf,
  textSetting,
  unsupported,
  withheld,
  yearInDays,
} from '../../table/setting-row.ts';
import { phoneSettings } from '../phone/settings.ts';

const sentWhen = (what: string) =>
  preset(enumSetting(`When ${what} is sent.`, { now: ['Ondemand', 'Prefetch'] }), 'Ondemand');
const sendsOnDemand = 'a code is good for the session that asked for it, so none is sent before';

export const otpSettings = {
  ...loginSettings,
  ...codeSettings,
  ...phoneSettings,
  ...badgingSettings,
  ...otpSelfSettings,
  ...settingsOf('Otp', {
    ListSize: harmless(integerSetting('Codes on a printed list.', { min: 1, max: 100 }, 20)),
    ListAlgorithm: {
      ...preset(
        enumSetting('How long the secret of a printed list is: as long as a digest of this algorithm.', {
          now: algorithms,
        }),
        'SHA1',
      ),
      laxer: { SHA512: ['SHA256', 'SHA1'], SHA256: ['SHA1'] },
    },
    OCRASuite: preset(textSetting('The OCRA suite of new tokens, RFC 6287.', wrongSuite), usualSuite),
    TokenExpire: withheld(
      ordered(
        integerSetting('Days after which a token expires; 0: never.', { min: 0, max: 10 * yearInDays }, 0),
        'shorter',
      ),
    ),
    MailMode: unsupported(sentWhen('a mail code'), sendsOnDemand),
    SMSMode: unsupported(sentWhen('an SMS code'), sendsOnDemand),
    PushLogin: unsupported(
      flagSetting('Ask the user by push.', 'No'),
      'a login asks for codes and security keys, not by push',
    ),
    LastOTPPerIP: unsupported(
      flagSetting('`LastOTPTime` is about logins from the same source.', 'Yes'),
      'LastOTPTime never counts for another source',
    ),
    ListChallengeMode: unsupported(
      textSetting('Which code of a printed list is asked for.'),
      'any code of a printed list is taken that was not used before',
    ),
    LockTimer: unsupported(
      integerSetting('Seconds until a lock ends.', { min: 0, max: dayInSeconds }, 0),
      'BlockTime says when a lockout ends',
    ),
    MaxIdle: unsupported(
      integerSetting(
        'Days without a login after which a user is locked; 0: none.',
        { min: 0, max: yearInDays },
        0,
      ),
      'no user is locked for having been away; set ValidTo',
    ),
    MaxWeak: unsupported(
      integerSetting(
        'Logins with one factor that are granted; 0: any number.',
        { min: 0, max: 1_000_000 },
        0,
      ),
      'logins with one factor are not counted; set LoginMode',
    ),
    WeakNotify: unsupported(
      flagSetting('Tell the user by mail of logins with one factor.', 'No'),
      'no mail is sent of logins with one factor; the event log has them',
    ),
    OfflineExpire: unsupported(
      integerSetting(
        'Days for which a system may log a user in without asking the service.',
        { min: 0, max: yearInDays },
        0,
      ),
      'no system is given what it needs for that',
    ),
    PrefetchExpire: unsupported(
      integerSetting(
        'Days for which a code is good that was sent before it was asked for.',
        { min: 0, max: yearInDays },
        0,
      ),
      sendsOnDemand,
    ),
    PasswordCheck: unsupported(
      textSetting('What is checked of a password beside whether it is right.'),
      'a login checks whether the password is right, and nothing else of it',
    ),
    PushCommit: unsupported(
      flagSetting('A push message is to be acknowledged.', 'No'),
      'a phone answers a push message or does not',
    ),
    PushVoice: unsupported(
      flagSetting('A voice print accompanies a push message.', 'No'),
      'this version verifies no voice',
    ),
    RecordEvents: unsupported(
      flagSetting('Logins are in the event log: all are.', 'Yes'),
      'every login is in the event log',
    ),
    U2FPINMode: unsupported(
      preset(
        enumSetting('Whether a FIDO2 device asks for its PIN.', {
          now: ['Preferred', 'Required', 'Discouraged'],
        }),
        'Preferred',
      ),
      'devices are asked for their PIN where they have one',
    ),
  }),
};
