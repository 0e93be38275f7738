/** The `Otp` application: one-time passwords and login. */
import { application, flagSetting, integerSetting, textSetting, wordSetting } from '../application.ts';
import { otpMethods } from './methods.ts';
import { answerMobile, answerShortAddress } from './mobile-door.ts';
import { otpOperations } from './operations.ts';

/** Slots 2–10 carry their number in the key: `Token2State`. */
const slots = ['', '2', '3', '4', '5', '6', '7', '8', '9', '10'];
const tokenData = ['Type', 'State', 'ID', 'Serial', 'Model', 'Shape', 'Enabled', 'Expires'];

export const otp = application({
  name: 'Otp',
  service: 'otp',
  publicData: ['LastLogin', ...slots.flatMap((slot) => tokenData.map((key) => `Token${slot}${key}`))],
  settings: {
    EnableLogin: flagSetting('The user may log in.', 'Yes'),
    LoginMode: wordSetting(
      'Which factors a login needs.',
      ['LDAP', 'OTP', 'LDAPOTP', 'LDAPU2F', 'LDAPMFA'],
      'LDAPOTP',
    ),
    OTPType: wordSetting(
      'Where the one-time password comes from.',
      ['TOKEN', 'SMS', 'MAIL', 'LIST', 'PROXY', 'VOICE', 'LASTOTP'],
      'TOKEN',
    ),
    OTPFallback: wordSetting('What a user without the first kind falls back to.', [
      'TOKEN',
      'SMS',
      'MAIL',
      'LIST',
      'PROXY',
      'VOICE',
      'LASTOTP',
    ]),
    OTPLength: integerSetting('Digits of a one-time password.', 6),
    OTPPrefix: flagSetting('A PIN stands before the one-time password.', 'No'),
    LastOTPTime: integerSetting('Seconds for which the last one-time password stays good.'),
    ListSize: integerSetting('Codes on a printed list.', 20),
    HOTPLookAheadWindow: integerSetting('Counters that a HOTP token may be ahead.', 25),
    TOTPTimeStep: integerSetting('Seconds of a TOTP time step.', 30),
    TOTPTimeOffsetWindow: integerSetting('Seconds that a TOTP token may be off, either way.', 120),
    OCRASuite: textSetting('The OCRA suite of new tokens, RFC 6287.', 'OCRA-1:HOTP-SHA1-6:QN06-T1M'),
    TokenExpire: integerSetting('Days after which a token expires.'),
    ChallengeMode: flagSetting(
      'A login whose code is missing is asked for it; `No`: it is refused, for systems that know no challenge.',
      'Yes',
    ),
    ChallengeTimeout: integerSetting('Seconds in which a challenge is to be answered.', 90),
    MobileTimeout: integerSetting('Seconds in which a mobile session is to be confirmed.', 300),
    MaxTries: integerSetting('Failures that block a user.', 5),
    BlockTime: integerSetting(
      'Seconds for which a user stays blocked; 0: until an administrator unblocks.',
      300,
    ),
    BlockNotify: flagSetting('Tell the user of a block by mail.', 'No'),
    ExpireNotify: flagSetting('Tell the user of a token that expires by mail.', 'No'),
    MailMode: wordSetting('When a mail code is sent.', ['Ondemand', 'Prefetch'], 'Ondemand'),
    SMSMode: wordSetting('When an SMS code is sent.', ['Ondemand', 'Prefetch'], 'Ondemand'),
    SMSType: wordSetting('How an SMS code is shown.', ['Normal', 'Flash'], 'Normal'),
    SecureMail: flagSetting('Encrypt mails to users who have a certificate.', 'No'),
    PasswordReset: flagSetting('The user may reset the password with a second factor.', 'No'),
    PushLogin: flagSetting('Ask the user by push.', 'No'),
    SelfRegister: flagSetting('The user may register tokens.', 'No'),
    ReplyData: textSetting('What a successful login answers in `data`.'),
    ValidFrom: textSetting('The user may log in from `YYYY-MM-DD HH:MM:SS` on.'),
    ValidTo: textSetting('The user may log in until `YYYY-MM-DD HH:MM:SS`.'),
  },
  methods: otpMethods,
  operations: otpOperations,
  pages: { mobile: answerMobile, qruri: answerShortAddress },
});
