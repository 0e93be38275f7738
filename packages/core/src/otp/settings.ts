/** The settings of one-time passwords and login (concepts.md §4): those that a login goes by, and those of administration. */
import { listAlgorithms } from '../authenticators/list/list.ts';
import { codeSettings } from '../authenticators/settings.ts';
import { usualSuite, wrongSuite } from '../authenticators/token/ocra-token.ts';
import { badgingSettings } from '../badging/settings.ts';
import { loginSettings } from '../login/settings.ts';
import { phoneSettings } from '../phone/settings.ts';
import { otpSelfSettings } from '../policy/self/settings.ts';
import {
  dayInSeconds,
  flagSetting,
  integerSetting,
  kept,
  preset,
  settingsOf,
  textSetting,
  withheld,
  wordSetting,
  yearInDays,
} from '../table/setting-row.ts';

/** A code is good for the session that asked for it: none is sent before. */
const onDemand = { now: ['Ondemand'], later: ['Prefetch'] } as const;

export const otpSettings = {
  ...loginSettings,
  ...codeSettings,
  ...phoneSettings,
  ...badgingSettings,
  ...otpSelfSettings,
  ...settingsOf('Otp', {
    ListSize: integerSetting('Codes on a printed list.', { min: 1, max: 100 }, 20),
    ListAlgorithm: preset(
      wordSetting('How long the secret of a printed list is: as long as a digest of this algorithm.', {
        now: listAlgorithms,
      }),
      'SHA1',
    ),
    OCRASuite: preset(textSetting('The OCRA suite of new tokens, RFC 6287.', wrongSuite), usualSuite),
    TokenExpire: withheld(
      integerSetting('Days after which a token expires; 0: never.', { min: 0, max: 10 * yearInDays }, 0),
    ),
    MailMode: kept(
      preset(wordSetting('When a mail code is sent: when it is asked for.', onDemand), 'Ondemand'),
    ),
    SMSMode: kept(
      preset(wordSetting('When an SMS code is sent: when it is asked for.', onDemand), 'Ondemand'),
    ),
    PushLogin: kept(flagSetting('Ask the user by push.', 'No'), 'fixed'),
    LastOTPPerIP: kept(flagSetting('`LastOTPTime` is about logins from the same place.', 'Yes'), 'fixed'),
    ListChallengeMode: kept(textSetting('Which code of a printed list is asked for: any is taken.'), 'fixed'),
    LockTimer: kept(
      integerSetting('Seconds until a lock ends by itself.', { min: 0, max: dayInSeconds }, 0),
      'fixed',
    ),
    MaxIdle: kept(
      integerSetting(
        'Days without a login after which a user is locked; 0: none.',
        { min: 0, max: yearInDays },
        0,
      ),
      'fixed',
    ),
    MaxWeak: kept(
      integerSetting(
        'Logins with one factor that are granted; 0: any number.',
        { min: 0, max: 1_000_000 },
        0,
      ),
      'fixed',
    ),
    WeakNotify: kept(flagSetting('Tell the user by mail of logins with one factor.', 'No'), 'fixed'),
    OfflineExpire: kept(
      integerSetting(
        'Days for which a system may log somebody in without us.',
        { min: 0, max: yearInDays },
        0,
      ),
      'fixed',
    ),
    PrefetchExpire: kept(
      integerSetting(
        'Days for which a code is good that was sent before it was asked for.',
        { min: 0, max: yearInDays },
        0,
      ),
      'fixed',
    ),
    PasswordCheck: kept(textSetting('What is looked at of a password beside whether it is right.'), 'fixed'),
    PushCommit: kept(flagSetting('A push message is to be acknowledged.', 'No'), 'fixed'),
    PushVoice: kept(flagSetting('A voice print stands beside a push message.', 'No'), 'fixed'),
    RecordEvents: kept(flagSetting('Logins are in the event log: all are.', 'Yes'), 'fixed'),
    U2FPINMode: kept(
      preset(
        wordSetting('Whether a FIDO2 device asks for its PIN.', {
          now: ['Preferred', 'Required', 'Discouraged'],
        }),
        'Preferred',
      ),
      'fixed',
    ),
  }),
};
