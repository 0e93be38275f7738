/** Which users may do something for themselves (catalogue.md §5): rows of the applications whose factors and passwords these are. */
import { flagSetting, settingsOf, withheld } from '../../table/setting-row.ts';

/** @param what it registers: `tokens` */
const selfRows = (what: string) => ({
  PasswordReset: withheld(flagSetting('The user may have a lost password reset by a link.', 'No')),
  SelfRegister: withheld(
    flagSetting(`The user may register ${what}: on the page of their own, or by a link.`, 'No'),
  ),
});

export const otpSelfSettings = settingsOf('Otp', selfRows('tokens, printed lists and security keys'));
export const sshkeySelfSettings = settingsOf('SshKey', selfRows('SSH keys'));
