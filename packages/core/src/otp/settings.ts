/** The settings of one-time passwords and login (concepts.md §4): those that a login goes by, and those of administration. */
import { codeSettings } from '../authenticators/settings.ts';
import { usualSuite, wrongSuite } from '../authenticators/token/ocra-token.ts';
import { loginSettings } from '../login/settings.ts';
import { phoneSettings } from '../phone/settings.ts';
import {
  flagSetting,
  integerSetting,
  kept,
  preset,
  settingsOf,
  textSetting,
  withheld,
  wordSetting,
} from '../table/setting-row.ts';

const year = 366;
/** A code is good for the session that asked for it: none is sent before. */
const onDemand = { now: ['Ondemand'], later: ['Prefetch'] } as const;

export const otpSettings = {
  ...loginSettings,
  ...codeSettings,
  ...phoneSettings,
  ...settingsOf('Otp', {
    ListSize: integerSetting('Codes on a printed list.', { min: 1, max: 100 }, 20),
    OCRASuite: preset(textSetting('The OCRA suite of new tokens, RFC 6287.', wrongSuite), usualSuite),
    TokenExpire: withheld(
      integerSetting('Days after which a token expires; 0: never.', { min: 0, max: 10 * year }, 0),
    ),
    MailMode: kept(
      preset(wordSetting('When a mail code is sent: when it is asked for.', onDemand), 'Ondemand'),
    ),
    SMSMode: kept(
      preset(wordSetting('When an SMS code is sent: when it is asked for.', onDemand), 'Ondemand'),
    ),
    PasswordReset: withheld(kept(flagSetting('The user may reset the password with a second factor.', 'No'))),
    PushLogin: kept(flagSetting('Ask the user by push.', 'No'), 'fixed'),
    SelfRegister: withheld(kept(flagSetting('The user may register tokens.', 'No'))),
  }),
};
