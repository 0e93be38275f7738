/** The settings of a lockout: only administrators set them, neither a client policy nor a request. */
import { onceFor } from '../../directory/data/layers.ts';
import type { RefusalRules } from '../../limits/lockout.ts';
import { read } from '../../table/setting.ts';
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

const lockoutSettings = settingsOf('Otp', lockoutRows);

/** Reads the two. @param settings without those of a client policy or a request */
export const refusalRules = onceFor(
  (settings): RefusalRules => ({
    maxTries: read(settings, lockoutSettings.MaxTries),
    blockTime: read(settings, lockoutSettings.BlockTime),
  }),
);
