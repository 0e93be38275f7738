/** The settings of what people do for themselves, and of who helps them (catalogue.md §5). */
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

/** Nobody who calls for a user changes them. */
const may = (what: string) => withheld(flagSetting(`The user may ${what} on the page of their own.`, 'Yes'));
const lists = { now: ['TOTP', 'HOTP'] as const };
const firstType = () =>
  preset(wordSetting('The type of a token of an app or a device that is offered first.', lists), 'TOTP');

/** A list of words, without regard to case. */
const wordList = (summary: string) =>
  withheld(
    textSetting(`${summary}, with commas between; left out: all.`, (text) =>
      /^ *[A-Za-z0-9]+(?: *, *[A-Za-z0-9]+)* *$/.test(text) ? undefined : 'is not a list of words',
    ),
  );

const tokenTypes = () =>
  wordList(
    'Which of TOTP, HOTP, FIDO2, LIST and APPKEY the user may register: an authenticator app by time or by counter, a security key, a printed list, passwords for applications',
  );

/** Of who helps, and of who has a page of their own: emergency passwords, types of codes. */
const sharedRows = () => ({
  AllowOTPTypes: kept(wordList('Ways of codes that may be chosen')),
  EmergencyExpire: kept(
    integerSetting('Seconds of an emergency password.', { min: 300, max: dayInSeconds }, 3600),
  ),
  EmergencyMaxUse: kept(
    integerSetting('Uses of an emergency password; 0: no limit.', { min: 0, max: 500 }, 0),
  ),
});

const certificateRows = () => ({
  CertValidity: kept(integerSetting('Days of a certificate.', { min: 1, max: 10 * yearInDays }, 365)),
  KeyPasswordLength: kept(
    integerSetting('Characters of the password of a private key.', { min: 4, max: 64 }, 8),
  ),
});

export const selfdeskSettings = settingsOf('SelfDesk', {
  AllowOtp: may('see tokens, printed lists and security keys, and put them right'),
  AllowSshKey: may('see the SSH key, and remove it'),
  AllowPKI: kept(may('have certificates')),
  AllowPassword: may('change the password'),
  AllowRegister: may('register what the settings of its application let them (`Otp.SelfRegister`)'),
  AllowUserInfos: may('see what the directory says of them'),
  AllowTokenTypes: tokenTypes(),
  DefaultTokenType: withheld(firstType()),
  AllowSSHKeyTypes: kept(wordList('Types of SSH keys')),
  AllowBadging: kept(may('badge in')),
  AllowSign: kept(may('sign files')),
  ...sharedRows(),
  ...certificateRows(),
});

const support = (what: string) => kept(withheld(flagSetting(`Support staff may ${what}.`, 'Yes')));

export const helpdeskSettings = settingsOf('HelpDesk', {
  AllowOtp: support('see to tokens'),
  AllowSshKey: support('see to SSH keys'),
  AllowPKI: support('see to certificates'),
  AllowPassword: support('set passwords'),
  AllowRegister: support('register tokens'),
  AllowUserInfos: support('see what the directory says of users'),
  AllowUnlock: support('open what is locked'),
  AllowUserActivation: support('activate users'),
  AllowTokenTypes: kept(wordList('Types of tokens')),
  DefaultTokenType: kept(firstType()),
  AllowSSHKeyTypes: kept(wordList('Types of SSH keys')),
  ...sharedRows(),
  SendPin: kept(flagSetting('Send PINs by SMS.', 'No')),
  SendPinMessage: kept(textSetting('The text of that SMS.')),
  MaxTokens: kept(integerSetting('Tokens of a user.', { min: 1, max: 10 }, 10)),
  UserSearchAttrs: kept(textSetting('Attributes that users are looked for by.')),
  UserSearchScopes: kept(textSetting('Where users are looked for.')),
});

/** How a link goes to the user, where nobody says. */
const linkRows = () => ({
  LinkMode: withheld(
    preset(
      wordSetting('How a link goes to the user; NONE: not at all, whoever asked for it has it.', {
        now: ['MAIL', 'SMS', 'MAILSMS', 'NONE'],
      }),
      'MAIL',
    ),
  ),
  SMSType: withheld(
    preset(
      wordSetting('How an SMS with a link is shown: Flash at once, and not kept by the phone.', {
        now: ['Normal', 'Flash'],
      }),
      'Normal',
    ),
  ),
  SecureMail: withheld(
    flagSetting('Encrypt links by mail for the certificate of the user, where the entry has one.', 'No'),
  ),
});

export const selfregSettings = settingsOf('SelfReg', {
  AllowRegister: withheld(flagSetting('The user may register something by a link.', 'Yes')),
  AllowTokenTypes: tokenTypes(),
  AllowSSHKeyTypes: kept(wordList('Types of SSH keys')),
  DefaultTokenType: withheld(
    preset(
      wordSetting('What a link to register a token makes of it: by time, or by counter.', lists),
      'TOTP',
    ),
  ),
  ...linkRows(),
  LinkTime: withheld(
    integerSetting('Seconds that a link is good for.', { min: 300, max: 7 * dayInSeconds }, dayInSeconds),
  ),
  ...certificateRows(),
});

const wantsOne = (what: string) =>
  withheld(flagSetting(`A password that is set by a link has ${what} in it.`, 'No'));

export const pwresetSettings = settingsOf('PwReset', {
  AllowUnlock: kept(flagSetting('The user may unlock the account of the directory by a link.', 'No')),
  ...linkRows(),
  LinkTime: withheld(integerSetting('Hours that a link is good for.', { min: 1, max: 720 }, 1)),
  PasswordMinLength: withheld(
    integerSetting('Characters that a password that is set by a link has at least.', { min: 0, max: 128 }, 8),
  ),
  PasswordMaxLength: withheld(
    integerSetting('Characters that it has at most; 0: no limit but ours, 1024.', { min: 0, max: 1024 }, 0),
  ),
  PasswordStrength: kept(integerSetting('How strong it is.', { min: 0, max: 100 }, 0)),
  PasswordByLength: kept(flagSetting('A long one is strong enough.', 'No')),
  PasswordAlpha: wantsOne('a letter'),
  PasswordNumeric: wantsOne('a digit'),
  PasswordSymbol: wantsOne('a character that is neither letter nor digit'),
  PasswordCase: wantsOne('a small and a capital letter'),
});
