/** The lockout rules of one user, from the settings in force. */
import { onceFor } from '../../directory/data/layers.ts';
import type { LockoutRules } from '../../limits/lockout.ts';
import { read } from '../../table/setting.ts';
import { lockoutSettings } from './settings.ts';

/** Reads how many failures begin a lockout, and how long it lasts. @param settings without those of a client policy or a request */
export const lockoutRules = onceFor(
  (settings): LockoutRules => ({
    maxTries: read(settings, lockoutSettings.MaxTries),
    blockTime: read(settings, lockoutSettings.BlockTime),
  }),
);
