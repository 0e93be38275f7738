/**
 * Strictness: which of two policies demands more of a user. Callers without credentials may only demand more
 * (docs/concepts/policies-and-settings.md#strictness). Where policies cannot be compared, the one in force stays.
 */
import type { ClientMode } from '../../config/config.ts';
import { overlay, type Settings } from '../../directory/data/layers.ts';
import { findSetting, type SettingTables } from '../../table/setting.ts';
import { asksMore } from '../../table/stricter.ts';
import { effective, loginModeOf } from './client-mode.ts';
import type { InForce } from './client-policy.ts';
import { modeSettings } from './login-mode.ts';
import type { RequestSettings } from './request-settings.ts';

/** Most names in a line of the log. */
const shownNames = 8;

/**
 * Lays over the settings in force those of `wanted` that demand more, or do not matter for a grant.
 * @param mode of the client: login modes are compared under it
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

/** The settings in force for one login, and the names of its request without effect, for the log. */
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
