/**
 * Which of two policies asks for more of whoever logs in. Callers who have shown nothing may say what asks for more, and
 * nothing else (docs/concepts/policies-and-settings.md#strictness); where nobody can say which of two does, it is what is in force already.
 */
import type { ClientMode } from '../../config/config.ts';
import { overlay, type Settings } from '../../directory/data/layers.ts';
import { findSetting, type SettingTables } from '../../table/setting.ts';
import { asksMore } from '../../table/stricter.ts';
import { effective, loginModeOf } from './client-mode.ts';
import type { InForce } from './client-policy.ts';
import { modeSettings } from './login-mode.ts';
import type { RequestSettings } from './request-settings.ts';

/** As many names as a line of the log may show. */
const shownNames = 8;

/**
 * What is in force, and over it what of `wanted` asks for more, or makes no difference to whether a login is granted.
 * @param mode of the client: of login modes, what it makes of them is compared
 */
export function tighten(
  inForce: Settings,
  wanted: Settings,
  { mode, applications }: { readonly applications: SettingTables } & { readonly mode: ClientMode },
): Settings {
  const has = (name: string, value: string): boolean => {
    const row = findSetting(applications, name);
    if (!row) return false;
    const now = inForce.get(name);
    if (row.unsupported || row.isIndifferent) return true;
    if (name !== modeSettings.LoginMode.name) return asksMore(row, now, value);
    return asksMore(row, now === undefined ? now : effective(now, mode), effective(value, mode));
  };
  return overlay([inForce, new Map([...wanted].filter(([name, value]) => has(name, value)))]);
}

/** What is in force for one login, and what of its request had no effect, for the log. */
export interface Settled extends InForce {
  readonly ignored: readonly string[];
}

/** Lays the settings of a request over what is in force without them. */
export function settle(
  { free, stricter, ignored }: RequestSettings,
  { settings: below, mode, isRaised }: InForce,
  { applications }: { readonly applications: SettingTables },
): Settled {
  if (free.size + stricter.size + ignored.length === 0) return { settings: below, mode, isRaised, ignored };
  const wide = overlay([below, free]);
  const settings = tighten(wide, stricter, { mode, applications });
  const lax = [...stricter].filter(([name, value]) => settings.get(name) !== value).map(([name]) => name);
  const raises = loginModeOf({ settings, mode }) !== loginModeOf({ settings: wide, mode });
  const names = [...ignored, ...lax].slice(0, shownNames);
  return { settings, mode, isRaised: isRaised || raises, ignored: names };
}
