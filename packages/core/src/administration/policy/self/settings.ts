/** The settings that decide what users may do in self-service, by application. */
import {
  enumSetting,
  flagSetting,
  noAsksMore,
  ordered,
  preset,
  settingsOf,
  withheld,
} from '../../../table/setting-row.ts';

/** Withheld from requests; `No` asks for more than `Yes`. */
const closing = <Row extends ReturnType<typeof flagSetting>>(row: Row) => withheld(ordered(row, noAsksMore));

/** @param what it registers: `tokens` */
const selfRows = (what: string) => ({
  PasswordReset: closing(flagSetting('The user may have a lost password reset by a link.', 'No')),
  SelfRegister: closing(
    flagSetting(`The user may register ${what}: on the page of their own, or by a link.`, 'No'),
  ),
});

export const otpSelfSettings = settingsOf('Otp', selfRows('tokens, printed lists and security keys'));

/** Types of SSH keys, as `SshKey.Key_Register` names them. */
export const sshKeyTypes = ['RSA', 'ECC', 'ED25519'] as const;

export const sshkeySelfSettings = settingsOf('SshKey', {
  ...selfRows('SSH keys'),
  KeyType: preset(
    enumSetting('The type of a key that is made for a user who registers one.', {
      now: sshKeyTypes,
      later: ['DSA'],
    }),
    'ED25519',
  ),
});
