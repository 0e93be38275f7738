/** The row of the setting LoginMode, which client modes change; it also belongs to the settings of one-time passwords. */
import { enumSetting, needing, ordered, preset, settingsOf } from '../../table/setting-row.ts';

const loginModes = ['LDAP', 'OTP', 'LDAPOTP', 'LDAPU2F', 'LDAPMFA'] as const;

/** The password, and a code, a device or either. */
export type TwoFactorMode = Exclude<(typeof loginModes)[number], 'LDAP' | 'OTP'>;

export const isLoginMode = (word: string): boolean => loginModes.some((one) => one === word);

export const modeRows = {
  LoginMode: {
    // A code can be phished, an assertion of a device cannot.
    laxer: { LDAPU2F: ['LDAPOTP', 'LDAPMFA'] },
    ...ordered(
      preset(
        needing(
          enumSetting(
            'Which factors a login needs: LDAPU2F the password and a FIDO2 device, LDAPMFA the password and a code or a device.',
            { now: loginModes },
          ),
          { LDAPU2F: 'relying_party' },
        ),
        'LDAPOTP',
      ),
      { LDAPOTP: ['LDAP', 'OTP'], LDAPU2F: ['LDAP', 'OTP'], LDAPMFA: ['LDAP', 'OTP'] },
    ),
  },
} as const;

export const modeSettings = settingsOf('Otp', modeRows);
