import { describe, expect, it } from 'vitest';
import { bundled } from '../../applications/index.ts';
import { application } from '../../table/application.ts';
import { Names } from '../../table/dialect.ts';
import { settingsOf, textSetting } from '../../table/setting-row.ts';
import { parseOptions, parseRequestSettings } from './request-settings.ts';
import { settle } from './strictness.ts';

const own = application({
  ...{ name: 'Own', service: 'own', publicData: [], methods: {}, operations: {} },
  settings: settingsOf('Own', { Words: textSetting('Any text.') }),
});
const core = {
  applications: { ...bundled, Own: own },
  names: new Names({ Otp: 'ExampleOTP' }),
  application: bundled.Otp,
};
const anything = () => true;
const read = (text: string | undefined) =>
  Object.fromEntries(parseRequestSettings(text, core, anything).free);
const ignored = (text: string) =>
  settle(
    parseRequestSettings(text, core, anything),
    { settings: new Map(), mode: 'default', isRaised: false },
    core,
  ).ignored;

describe('parseRequestSettings', () => {
  it.each([
    [undefined, {}],
    ['', {}],
    ['  ', {}],
    ['LoginMode=OTP', { 'Otp.LoginMode': 'OTP' }],
    ['Otp.LoginMode=OTP,ListSize=3', { 'Otp.LoginMode': 'OTP', 'Otp.ListSize': '3' }],
    ['ExampleOTP.LoginMode=LDAP', { 'Otp.LoginMode': 'LDAP' }],
    [' LoginMode=OTP , PushLogin=0 ', { 'Otp.LoginMode': 'OTP', 'Otp.PushLogin': 'No' }],
    ['Own.Words=a, b,LoginMode=OTP', { 'Own.Words': 'a, b', 'Otp.LoginMode': 'OTP' }],
    ['Own.Words=Class=1, 2 and 3', { 'Own.Words': 'Class=1, 2 and 3' }],
    ['OCRASuite=OCRA-1:HOTP-SHA1-6:QN08', { 'Otp.OCRASuite': 'OCRA-1:HOTP-SHA1-6:QN08' }],
    ['LoginMode=OTP,LoginMode=LDAP', { 'Otp.LoginMode': 'LDAP' }],
  ])('reads %j', (text, settings) => {
    expect(read(text)).toEqual(settings);
  });

  it.each([
    ['LoginMood=OTP', ['LoginMood']],
    ['Sesame=Open,Other.Sesame=Open', ['Sesame', 'Other.Sesame']],
    ['LoginMode', ['(no name)']],
    ['=OTP', ['(no name)']],
    ['Otp.LoginMode.x=OTP', ['Otp.LoginMode.x']],
    ['constructor=1', ['constructor']],
    ['__proto__.polluted=1', ['__proto__.polluted']],
    [`${'x'.repeat(100)}=1`, ['x'.repeat(64)]],
    ['a\u0007b\u202ec=1', ['a b c']],
    [Array.from({ length: 20 }, () => 'x=1').join(), Array(8).fill('x')],
  ])('ignores %.40j, and says so', (text, names) => {
    expect([read(`${text},LoginMode=OTP`), ignored(text)]).toEqual([{ 'Otp.LoginMode': 'OTP' }, names]);
  });

  it.each(
    [
      ...['EnableLogin=Yes', 'ValidFrom=2000-01-01 00:00:00', 'ValidTo=2099-01-01 00:00:00', 'ReplyData=x'],
      ...['MaxTries=9', 'BlockTime=1', 'TOTPTimeStep=60', 'TOTPTimeOffsetWindow=9', 'HOTPLookAheadWindow=9'],
      ...['OTPLength=8', 'OTPPrefix=No', 'TokenExpire=1', 'LastOTPTime=9', 'BlockNotify=No'],
      ...['PasswordReset=Yes', 'SelfRegister=Yes', 'MaxTries=of no kind'],
    ].flatMap((text) => [text, `Otp.${text}`, `ExampleOTP.${text}`]),
  )('ignores %s, which no request may set', (text) => {
    expect([read(text), ignored(text)]).toEqual([{}, [text.slice(0, text.indexOf('='))]]);
  });

  it.each([
    'LoginMode=SESAME',
    'OTPType=VOICE',
    'OTPType=VOICE',
    'OTPFallback=PROXY',
    'PushLogin=Yes',
    'ChallengeTimeout=0',
    'ListSize=101',
    'LoginMode=OTP,',
    'ListSize=-1',
    'ListSize=',
    'ChallengeTimeout=soon',
    `x=${'x'.repeat(5000)}`,
  ])('refuses %.40s', (text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ reason: 'invalid_params' }));
  });
});

describe('parseOptions', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['-LDAP', ['-LDAP']],
    ['-ldap,LdapDN', ['-LDAP', 'LDAPDN']],
    [' -LDAP  -U2F , X ', ['-LDAP', '-U2F', 'X']],
  ])('reads %j', (text, flags) => {
    expect([...parseOptions(text)]).toEqual(flags);
  });

  it('refuses a text without end', () => {
    expect(() => parseOptions('x,'.repeat(3000))).toThrow(
      expect.objectContaining({ reason: 'invalid_params' }),
    );
  });
});
