/** The settings of phone transactions, which belong to the application `Otp`. */
import {
  flagSetting,
  integerSetting,
  noAsksMore,
  ordered,
  settingsOf,
  withheld,
} from '../../table/setting-row.ts';

/** The longest session of a phone, in seconds. */
export const longestSession = 7 * 86_400;

export const phoneSettings = settingsOf('Otp', {
  EnableConfirm: withheld(
    ordered(flagSetting('Sites may ask the user to confirm and to sign on the phone.', 'Yes'), noAsksMore),
  ),
  MobileTimeout: ordered(
    integerSetting(
      'Seconds in which a phone is to confirm something, where its beginner names none.',
      { min: 1, max: longestSession },
      300,
    ),
    'smaller',
  ),
});
