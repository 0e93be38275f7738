/** Whether an application lets a user in at all, and when: which of its settings say so. */
import type { Clock } from '../../ports/clock.ts';
import { read } from '../../table/setting.ts';
import type { FlagRow, MomentRow, Setting } from '../../table/setting-row.ts';
import { loginSettings } from '../settings.ts';

export interface Gate {
  readonly isOpen: Setting<FlagRow>;
  readonly from: Setting<MomentRow>;
  readonly to: Setting<MomentRow>;
}

/** Of one-time passwords. */
export const loginGate: Gate = {
  isOpen: loginSettings.EnableLogin,
  from: loginSettings.ValidFrom,
  to: loginSettings.ValidTo,
};

/** Why nobody comes in under these settings at this moment; undefined: whoever has them may. */
export function whyClosed(
  settings: Pick<ReadonlyMap<string, string>, 'get'>,
  gate: Gate,
  clock: Pick<Clock, 'now'>,
): string | undefined {
  if (!read(settings, gate.isOpen)) return 'the login is switched off for the user';
  const from = read(settings, gate.from);
  if (from !== undefined && !(clock.now() >= from)) return 'the user may not log in yet';
  const to = read(settings, gate.to);
  if (to !== undefined && !(clock.now() < to)) return 'the user may not log in any more';
  return undefined;
}
