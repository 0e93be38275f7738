/**
 * The floor of group settings (docs/decisions/0041-groups-do-not-weaken-administrators.md): no group weakens the policy of an account with
 * administrative rights.
 */
import type { Entry } from '../../ports/directory/directory.ts';
import { findSetting, type SettingTables } from '../../table/setting.ts';
import { fallsBelow } from '../../table/stricter.ts';
import type { Settings } from './layers.ts';

/** The check for administrative rights. */
export interface AdministratorCheck {
  /** Returns whether a user has administrative rights. @param user as for `Memberships.of` @throws ServiceError `unavailable` */
  isAdministrator(user: Entry): Promise<boolean>;
}

interface Floor {
  readonly presets: Settings;
  readonly applications: SettingTables;
}

/** Removes the settings of a layer that fall below the presets. @returns the same layer where none does */
export function aboveFloor(layer: Settings, { presets, applications }: Floor): Settings {
  const kept = [...layer].filter(([name, value]) => {
    const row = findSetting(applications, name);
    return !row || !fallsBelow(row, presets.get(name), value);
  });
  return kept.length === layer.size ? layer : new Map(kept);
}
