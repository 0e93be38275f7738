import { describe, expect, it } from 'vitest';
import { applications } from '../applications.ts';
import { Names } from '../dialect.ts';
import { parseOptions, parseRequestSettings } from './request-settings.ts';

const core = { applications, names: new Names({ Otp: 'ExampleOTP' }) };
const read = (text: string | undefined) => Object.fromEntries(parseRequestSettings(text, core));

describe('parseRequestSettings', () => {
  it.each([
    [undefined, {}],
    ['', {}],
    ['  ', {}],
    ['LoginMode=OTP', { 'Otp.LoginMode': 'OTP' }],
    ['Otp.LoginMode=OTP,MaxTries=3', { 'Otp.LoginMode': 'OTP', 'Otp.MaxTries': '3' }],
    ['ExampleOTP.LoginMode=LDAP', { 'Otp.LoginMode': 'LDAP' }],
    [' LoginMode=OTP , EnableLogin=true ', { 'Otp.LoginMode': 'OTP', 'Otp.EnableLogin': 'Yes' }],
    ['ReplyData=a, b,LoginMode=OTP', { 'Otp.ReplyData': 'a, b', 'Otp.LoginMode': 'OTP' }],
    ['ReplyData=Class=1, 2 and 3', { 'Otp.ReplyData': 'Class=1, 2 and 3' }],
    ['LoginMode=OTP,LoginMode=LDAP', { 'Otp.LoginMode': 'LDAP' }],
  ])('reads %j', (text, settings) => {
    expect(read(text)).toEqual(settings);
  });

  it('takes names without an application for those of the one that asks', () => {
    expect(parseRequestSettings('EnableLogin=No', core, 'SshKey')).toEqual(
      new Map([['SshKey.EnableLogin', 'No']]),
    );
  });

  it.each([
    'LoginMode',
    'LoginMode=SESAME',
    'LoginMood=OTP',
    'Otp.LoginMode.x=OTP',
    'constructor=1',
    '__proto__.polluted=1',
    'MaxTries=-1',
    'MaxTries=',
    '=OTP',
    'ReplyData=a,b=c',
    'LoginMode=OTP,',
    `ReplyData=${'x'.repeat(5000)}`,
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
