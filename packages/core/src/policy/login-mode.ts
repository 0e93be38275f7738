/** The setting that clients' modes act on: its row stands here, and among the settings of one-time passwords. */
import { ordered, preset, settingsOf, wordSetting } from '../table/setting-row.ts';

export const modeRows = {
  LoginMode: ordered(
    preset(
      wordSetting('Which factors a login needs.', {
        now: ['LDAP', 'OTP', 'LDAPOTP', 'LDAPMFA'],
        later: ['LDAPU2F'],
      }),
      'LDAPOTP',
    ),
    { LDAPOTP: ['LDAP', 'OTP'], LDAPMFA: ['LDAP', 'OTP'] },
  ),
} as const;

export const modeSettings = settingsOf('Otp', modeRows);
