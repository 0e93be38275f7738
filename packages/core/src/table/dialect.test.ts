import { describe, expect, it } from 'vitest';
import { Names } from './dialect.ts';

describe('the words of an installation', () => {
  const names = new Names({ Otp: 'ExampleOTP', SshKey: 'ExampleKey', HelpDesk: 'Support' });

  it.each([
    ['Otp.LoginMode', 'ExampleOTP.LoginMode'],
    ['HelpDesk.AllowOtp', 'Support.AllowExampleOTP'],
    ['SelfDesk.AllowSshKey', 'SelfDesk.AllowExampleKey'],
    ['HelpDesk.AllowOTPTypes', 'Support.AllowOTPTypes'],
    ['HelpDesk.AllowPassword', 'Support.AllowPassword'],
  ])('map %s to %s', (ours, theirs) => {
    expect([names.theirsDotted(ours), names.oursDotted(theirs)]).toEqual([theirs, ours]);
  });
});
