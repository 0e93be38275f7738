/** The settings of self-service and of the help desk. */
import { sshKeyTypes } from '../../administration/policy/self/settings.ts';
import {
  dayInSeconds,
  enumSetting,
  flagSetting,
  harmless,
  integerSetting,
  noAsksMore,
  ordered,
  preset,
  settingsOf,
  textSetting,
  unsupported,
  withheld,
  yearInDays,
  yesAsksMore,
} from '../../table/setting-row.ts';

/** Nobody who calls for a user changes them. */
const may = (what: string) =>
  withheld(ordered(flagSetting(`The user may ${what} on the page of their own.`, 'Yes'), noAsksMore));
const lists = { now: ['TOTP', 'HOTP'] as const };
const firstType = () =>
  harmless(
    preset(enumSetting('The type of a token of an app or a device that is offered first.', lists), 'TOTP'),
  );

/** The length in characters from which no other rule is needed (NIST SP 800-63B-4 §3.1.1.2: a password that is the only factor). */
export const longEnough = 15;

/** The words of a setting that is a list, in capitals. */
export const listedWords = (text: string): readonly string[] =>
  text.split(',').map((one) => one.trim().toUpperCase());

/** A list of words, without regard to case. */
const wordList = (summary: string) =>
  withheld(
    ordered(
      textSetting(`${summary}, with commas between; left out: all.`, (text) =>
        /^ *[A-Za-z0-9]+(?: *, *[A-Za-z0-9]+)* *$/.test(text) ? undefined : 'is not a list of words',
      ),
      'any',
    ),
  );

const tokenTypes = () =>
  wordList(
    'Which of TOTP, HOTP, FIDO2, LIST and APPKEY the user may register: an authenticator app by time or by counter, a security key, a printed list, passwords for applications',
  );

const sshKeyTypeList = () =>
  withheld(
    ordered(
      textSetting(
        `Which of ${sshKeyTypes.join(', ')} an SSH key of the user may be, with commas between them; left out: all.`,
        (text) =>
          listedWords(text).every((word) => (sshKeyTypes as readonly string[]).includes(word))
            ? undefined
            : `is not a list of ${sshKeyTypes.join(', ')}`,
      ),
      'any',
    ),
  );

/** Rows that two applications have: emergency passwords, types of codes. @param because why neither acts */
const codeRows = (because: string) => ({
  AllowOTPTypes: unsupported(wordList('Ways of codes that may be chosen'), because),
  EmergencyExpire: unsupported(
    integerSetting('Seconds of an emergency password.', { min: 300, max: dayInSeconds }, 3600),
    because,
  ),
  EmergencyMaxUse: unsupported(
    integerSetting('Uses of an emergency password; 0: no limit.', { min: 0, max: 500 }, 0),
    because,
  ),
});

/** @param certificates, keys why no row acts */
const certificateRows = (certificates: string) => ({
  CertValidity: unsupported(
    integerSetting('Days of a certificate.', { min: 1, max: 10 * yearInDays }, 365),
    certificates,
  ),
  KeyPasswordLength: unsupported(
    integerSetting('Characters of the password of a private key.', { min: 4, max: 64 }, 8),
    'a private key is handed out without a password; ssh-keygen -p sets one',
  ),
});

const notOnPage = 'the page of a user has nothing of it';

export const selfdeskSettings = settingsOf('SelfDesk', {
  AllowOtp: may('see tokens, printed lists and security keys, and put them right'),
  AllowSshKey: may('see the SSH key, and remove it'),
  AllowPKI: unsupported(may('have certificates'), notOnPage, ['No']),
  AllowPassword: may('change the password'),
  AllowRegister: may('register what the settings of its application let them (`Otp.SelfRegister`)'),
  AllowUserInfos: may('see what the directory says of them'),
  AllowTokenTypes: tokenTypes(),
  DefaultTokenType: withheld(firstType()),
  AllowSSHKeyTypes: sshKeyTypeList(),
  AllowBadging: unsupported(may('badge in'), notOnPage, ['No']),
  AllowSign: unsupported(may('sign files'), notOnPage, ['No']),
  ...codeRows(notOnPage),
  ...certificateRows(notOnPage),
});

const byRoles = 'what support staff may do is in their role; set roles';

const support = (what: string) =>
  unsupported(withheld(flagSetting(`Support staff may ${what}.`, 'Yes')), byRoles);

export const helpdeskSettings = settingsOf('HelpDesk', {
  AllowOtp: support('see to tokens'),
  AllowSshKey: support('see to SSH keys'),
  AllowPKI: support('see to certificates'),
  AllowPassword: support('set passwords'),
  AllowRegister: support('register tokens'),
  AllowUserInfos: support('see what the directory says of users'),
  AllowUnlock: support('open what is locked'),
  AllowUserActivation: support('activate users'),
  AllowTokenTypes: unsupported(wordList('Types of tokens'), byRoles),
  DefaultTokenType: unsupported(firstType(), byRoles),
  AllowSSHKeyTypes: unsupported(wordList('Types of SSH keys'), byRoles),
  ...codeRows(byRoles),
  SendPin: unsupported(flagSetting('Send PINs by SMS.', 'No'), 'no PIN is sent'),
  SendPinMessage: unsupported(textSetting('The text of that SMS.'), 'no PIN is sent'),
  MaxTokens: unsupported(
    integerSetting('Tokens of a user.', { min: 1, max: 10 }, 10),
    'a user has ten slots; set AllowTokenTypes for what users register',
  ),
  UserSearchAttrs: unsupported(
    textSetting('Attributes that users are searched by.'),
    'the search of the portal goes by schema.login_attributes, names and addresses',
  ),
  UserSearchScopes: unsupported(
    textSetting('Where users are searched.'),
    'a search finds what the role of the administrator reaches; set the subtrees of the role',
  ),
});

/** The preset way of a link to the user. */
const linkRows = () => ({
  LinkMode: withheld(
    preset(
      enumSetting('How a link goes to the user; NONE: not at all, whoever asked for it has it.', {
        now: ['MAIL', 'SMS', 'MAILSMS', 'NONE'],
      }),
      'MAIL',
    ),
  ),
  SMSType: withheld(
    harmless(
      preset(
        enumSetting('How an SMS with a link is shown: Flash at once, and not kept by the phone.', {
          now: ['Normal', 'Flash'],
        }),
        'Normal',
      ),
    ),
  ),
  SecureMail: withheld(
    ordered(
      flagSetting('Encrypt links by mail for the certificate of the user, where the entry has one.', 'No'),
      yesAsksMore,
    ),
  ),
});

export const selfregSettings = settingsOf('SelfReg', {
  AllowRegister: withheld(
    ordered(flagSetting('The user may register something by a link.', 'Yes'), noAsksMore),
  ),
  AllowTokenTypes: tokenTypes(),
  AllowSSHKeyTypes: sshKeyTypeList(),
  DefaultTokenType: withheld(
    harmless(
      preset(
        enumSetting('What a link to register a token makes of it: by time, or by counter.', lists),
        'TOTP',
      ),
    ),
  ),
  ...linkRows(),
  LinkTime: withheld(
    ordered(
      integerSetting('Seconds that a link is good for.', { min: 300, max: 7 * dayInSeconds }, dayInSeconds),
      'smaller',
    ),
  ),
  ...certificateRows('no link is made for a certificate'),
});

const wantsOne = (what: string) =>
  withheld(ordered(flagSetting(`A password that is set by a link has ${what} in it.`, 'No'), yesAsksMore));

export const pwresetSettings = settingsOf('PwReset', {
  AllowUnlock: unsupported(
    flagSetting('The user may unlock the account of the directory by a link.', 'No'),
    'no link unlocks an account; a lockout ends, and an administrator ends it at once',
  ),
  ...linkRows(),
  LinkTime: withheld(
    ordered(integerSetting('Hours that a link is good for.', { min: 1, max: 720 }, 1), 'smaller'),
  ),
  PasswordMinLength: withheld(
    ordered(
      integerSetting(
        'Characters that a password that is set by a link has at least.',
        { min: 0, max: 128 },
        8,
      ),
      'larger',
    ),
  ),
  PasswordMaxLength: withheld(
    ordered(
      integerSetting('Characters that it has at most; 0: no limit but ours, 1024.', { min: 0, max: 1024 }, 0),
      'longer',
    ),
  ),
  PasswordStrength: withheld(
    ordered(
      integerSetting(
        'Bits that it has at least: its characters times the logarithm to base 2 of how many characters there are of its kinds. A character that repeats the one before counts for nothing.',
        { min: 0, max: 100 },
        0,
      ),
      'larger',
    ),
  ),
  PasswordByLength: withheld(
    ordered(
      flagSetting(
        `A password of ${longEnough} characters or more needs no particular kinds of characters.`,
        'No',
      ),
      noAsksMore,
    ),
  ),
  PasswordAlpha: wantsOne('a letter'),
  PasswordNumeric: wantsOne('a digit'),
  PasswordSymbol: wantsOne('a character that is neither letter nor digit'),
  PasswordCase: wantsOne('a small and a capital letter'),
});
