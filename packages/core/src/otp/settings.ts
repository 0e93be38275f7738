/** The settings of one-time passwords and login (concepts.md §4), and how each is read: `read(settings, otpSettings.X)`. */
import { modeRows } from '../policy/login-mode.ts';
import {
  flagSetting,
  integerSetting,
  kept,
  momentSetting,
  ordered,
  preset,
  settingsOf,
  textSetting,
  withheld,
  wordSetting,
} from '../table/setting.ts';

const year = 366;
const day = 86_400;
/** What a one-time password comes from; the later ones need senders and services that are to come. */
const sources = { now: ['TOKEN', 'LIST'], later: ['SMS', 'MAIL', 'PROXY', 'VOICE', 'LASTOTP'] } as const;
/** A mobile session ends by itself within a week. In seconds. */
export const longestSession = 7 * day;
/** The shortest and the longest time step, in seconds. */
export const timeSteps = { min: 2, max: day };

/** Of a flag whose `No` lets fewer in. */
const no = { No: ['Yes'] };

export const otpSettings = settingsOf('Otp', {
  EnableLogin: withheld(ordered(flagSetting('The user may log in.', 'Yes'), no)),
  ...modeRows,
  OTPType: preset(wordSetting('Where the one-time password comes from.', sources), 'TOKEN'),
  OTPFallback: wordSetting('What a user without the first kind falls back to.', sources),
  OTPLength: withheld(
    integerSetting(
      'Digits of a one-time password; a token or a list keeps those that it was registered with.',
      { min: 6, max: 10, only: [6, 8, 10] },
      6,
    ),
  ),
  OTPPrefix: withheld(
    ordered(
      flagSetting(
        'A PIN stands before the codes of tokens and lists, once one is registered for the user.',
        'No',
      ),
      { Yes: ['No'] },
    ),
  ),
  LastOTPTime: withheld(
    ordered(
      integerSetting(
        'Seconds after a login in which the same user may log in with the same code of a token again, from the same place (caller and `source`) only; 0: never.',
        { min: 0, max: 3600 },
        0,
      ),
      'smaller',
    ),
  ),
  ListSize: integerSetting('Codes on a printed list.', { min: 1, max: 100 }, 20),
  HOTPLookAheadWindow: withheld(
    ordered(integerSetting('Counters that a HOTP token may be ahead.', { min: 0, max: 1000 }, 10), 'smaller'),
  ),
  TOTPTimeStep: withheld(
    integerSetting(
      'Seconds of a TOTP time step; a token keeps those that it was registered with.',
      timeSteps,
      30,
    ),
  ),
  TOTPTimeOffsetWindow: withheld(
    ordered(
      integerSetting('Seconds that a TOTP token may be off, either way.', { min: 0, max: 3600 }, 60),
      'smaller',
    ),
  ),
  OCRASuite: kept(
    preset(textSetting('The OCRA suite of new tokens, RFC 6287.'), 'OCRA-1:HOTP-SHA1-6:QN06-T1M'),
  ),
  TokenExpire: withheld(
    integerSetting('Days after which a token expires; 0: never.', { min: 0, max: 10 * year }, 0),
  ),
  ChallengeMode: ordered(
    flagSetting(
      'A login whose code is missing is asked for it; `No`: it is refused, for systems that know no challenge.',
      'Yes',
    ),
    no,
  ),
  ChallengeTimeout: ordered(
    integerSetting('Seconds in which a challenge is to be answered.', { min: 1, max: day }, 90),
    'smaller',
  ),
  MobileTimeout: integerSetting(
    'Seconds in which a mobile session is to be confirmed, where its beginner names none.',
    { min: 1, max: longestSession },
    300,
  ),
  MaxTries: withheld(integerSetting('Failures that block a user.', { min: 1, max: 1_000_000 }, 5), 'client'),
  BlockTime: withheld(
    integerSetting(
      'Seconds for which a user stays blocked; 0: until an administrator unblocks.',
      { min: 0, max: year * day },
      300,
    ),
    'client',
  ),
  BlockNotify: withheld(kept(flagSetting('Tell the user of a block by mail.', 'No'))),
  ExpireNotify: kept(flagSetting('Tell the user of a token that expires by mail.', 'No')),
  MailMode: kept(
    preset(wordSetting('When a mail code is sent.', { now: ['Ondemand', 'Prefetch'] }), 'Ondemand'),
  ),
  SMSMode: kept(
    preset(wordSetting('When an SMS code is sent.', { now: ['Ondemand', 'Prefetch'] }), 'Ondemand'),
  ),
  SMSType: kept(preset(wordSetting('How an SMS code is shown.', { now: ['Normal', 'Flash'] }), 'Normal')),
  SecureMail: kept(flagSetting('Encrypt mails to users who have a certificate.', 'No')),
  PasswordReset: withheld(kept(flagSetting('The user may reset the password with a second factor.', 'No'))),
  PushLogin: kept(flagSetting('Ask the user by push.', 'No'), 'fixed'),
  SelfRegister: withheld(kept(flagSetting('The user may register tokens.', 'No'))),
  ReplyData: withheld({ ...textSetting('What a successful login answers in `data`.'), isIndifferent: true }),
  ValidFrom: withheld(
    ordered(momentSetting('The user may log in from `YYYY-MM-DD HH:MM:SS` (UTC) on.'), 'later'),
  ),
  ValidTo: withheld(
    ordered(momentSetting('The user may log in until `YYYY-MM-DD HH:MM:SS` (UTC).', 'ValidFrom'), 'earlier'),
  ),
});
