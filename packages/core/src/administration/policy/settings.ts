/** The settings of lockouts. Only administrators set them, neither a client policy nor a request. */
import { integerSetting, ordered, settingsOf, withheld } from '../../table/setting-row.ts';

const longest = 366 * 86_400;

/** Rows among the settings of one-time passwords. */
export const lockoutRows = {
  MaxTries: withheld(
    ordered(integerSetting('Failures that block a user.', { min: 1, max: 1_000_000 }, 5), 'smaller'),
    'client',
  ),
  BlockTime: withheld(
    ordered(
      integerSetting(
        'Seconds for which a user stays blocked; 0: until an administrator unblocks.',
        { min: 0, max: longest },
        300,
      ),
      'longer',
    ),
    'client',
  ),
};

export const lockoutSettings = settingsOf('Otp', lockoutRows);
