/** Settings of authenticators and their codes, read by `read(settings, codeSettings.X)`. */
import {
  enumSetting,
  flagSetting,
  harmless,
  integerSetting,
  needing,
  ordered,
  preset,
  settingsOf,
  textSetting,
  withheld,
  yesAsksMore,
} from '../table/setting-row.ts';

/** Sources of one-time passwords; the later ones need services that are to come. */
const sources = { now: ['TOKEN', 'LIST', 'SMS', 'MAIL'], later: ['PROXY', 'VOICE', 'LASTOTP'] } as const;
const gateways = { SMS: 'sms', MAIL: 'mail' } as const;
/** The shortest and the longest time step, in seconds. */
export const timeSteps = { min: 2, max: 86_400 };

const longestIssuer = 64;

/** Returns why a text is no issuer. A colon would end the issuer in a label. */
function wrongIssuer(text: string): string | undefined {
  const isName =
    text !== '' && text.length <= longestIssuer && text.trim() === text && !/[:\p{Cc}]/u.test(text);
  return isName ? undefined : `is not a name of 1 to ${longestIssuer} characters without a colon`;
}

export const codeSettings = settingsOf('Otp', {
  OTPType: {
    ...preset(needing(enumSetting('Where the one-time password comes from.', sources), gateways), 'TOKEN'),
    // A mail is read where a password is; a phone number moves to another card.
    laxer: { TOKEN: ['LIST', 'SMS', 'MAIL'], LIST: ['SMS', 'MAIL'], SMS: ['MAIL'] },
  },
  OTPFallback: needing(enumSetting('What a user without the first kind falls back to.', sources), gateways),
  OTPLength: withheld(
    ordered(
      integerSetting(
        'Digits of a one-time password; a token or a list keeps those that it was registered with.',
        { min: 6, max: 10, only: [6, 8, 10] },
        6,
      ),
      'larger',
    ),
  ),
  OTPPrefix: withheld(
    ordered(
      flagSetting('A PIN precedes the codes of tokens and lists, once one is registered for the user.', 'No'),
      yesAsksMore,
    ),
  ),
  LastOTPTime: withheld(
    ordered(
      integerSetting(
        'Seconds after a login in which the same user may log in with the same code of a token again, from the same caller and `source` only; 0: never.',
        { min: 0, max: 3600 },
        0,
      ),
      'smaller',
    ),
  ),
  HOTPLookAheadWindow: withheld(
    ordered(integerSetting('Counters that a HOTP token may be ahead.', { min: 0, max: 1000 }, 10), 'smaller'),
  ),
  TOTPTimeStep: withheld(
    ordered(
      integerSetting(
        'Seconds of a TOTP time step; a token keeps those that it was registered with.',
        timeSteps,
        30,
      ),
      'smaller',
    ),
  ),
  TOTPTimeOffsetWindow: withheld(
    ordered(
      integerSetting('Seconds that a TOTP token may be off, either way.', { min: 0, max: 3600 }, 60),
      'smaller',
    ),
  ),
  Issuer: {
    ...harmless(
      textSetting(
        'Who the QR code of a token says that the account is with; its label is `Issuer:name`. If it is not set: the name of relying_party, else the host of ws_url; in the deployed dialect the application, and the name alone is the label.',
        wrongIssuer,
      ),
    ),
    isIndifferent: true,
  },
  SecureMail: ordered(
    flagSetting('Encrypt codes by mail for the certificate of the user, where the entry has one.', 'No'),
    yesAsksMore,
  ),
  SMSType: {
    ...harmless(
      preset(
        enumSetting('How an SMS code is shown: Flash at once, and not kept by the phone.', {
          now: ['Normal', 'Flash'],
        }),
        'Normal',
      ),
    ),
    isIndifferent: true,
  },
});
