/** When failures block a user, and for how long: the settings `MaxTries` and `BlockTime` (concepts.md §4, 7). */
import type { Core } from '../core.ts';
import { presetSettings } from '../directory/settings.ts';
import type { Subject } from '../throttle.ts';
import type { Account } from './account.ts';

/** `BlockTime` 0, and a block without an end: until an administrator unblocks. */
export const untilUnblocked = 100 * 365 * 86_400;

/** @param account undefined: nobody's, who is counted like anybody */
export function blockOf(
  account: Pick<Account, 'settings'> | undefined,
  core: Core,
): Pick<Subject, 'failures' | 'windowSeconds' | 'blockSeconds'> {
  const settings = account?.settings ?? presetSettings(core);
  const blockSeconds = Number(settings.get('Otp.BlockTime') ?? 300) || untilUnblocked;
  return {
    failures: Math.max(1, Number(settings.get('Otp.MaxTries') ?? 5)),
    windowSeconds: blockSeconds,
    blockSeconds,
  };
}
