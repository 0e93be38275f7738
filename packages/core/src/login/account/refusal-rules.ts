/** What an account says of when it is refused (concepts.md §7, 2). */
import { onceFor } from '../../directory/data/layers.ts';
import type { RefusalRules } from '../../limits/lockout.ts';
import { read } from '../../table/setting.ts';
import { loginSettings } from '../settings.ts';

/** @param settings without those of a client policy or a request, which change neither of the two */
export const refusalRules = onceFor(
  (settings): RefusalRules => ({
    maxTries: read(settings, loginSettings.MaxTries),
    blockTime: read(settings, loginSettings.BlockTime),
  }),
);
