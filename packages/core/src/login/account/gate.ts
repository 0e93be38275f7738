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

type Values = Pick<ReadonlyMap<string, string>, 'get'>;

/** Why nobody comes in under these settings at this moment; undefined: whoever has them may. */
export function whyClosed(settings: Values, gate: Gate, clock: Pick<Clock, 'now'>): string | undefined {
  const from = read(settings, gate.from);
  const isEarly = from !== undefined && !(clock.now() >= from);
  return whyOff(settings, gate, clock) ?? (isEarly ? 'the user may not log in yet' : undefined);
}

/** Returns why users with these settings are off: the login is switched off, or has ended; undefined: they may log in, now or later. */
export function whyOff(
  settings: Values,
  { isOpen, to }: Omit<Gate, 'from'>,
  clock: Pick<Clock, 'now'>,
): string | undefined {
  if (!read(settings, isOpen)) return 'the login is switched off for the user';
  const end = read(settings, to);
  return end !== undefined && !(clock.now() < end) ? 'the user may not log in any more' : undefined;
}
