/**
 * The floor under the group layer of administrators: an administrator of a group decides for its members, and no group
 * takes an account with administrative rights below the installation's own policy.
 */
import type { Entry } from '../../ports/directory/directory.ts';
import { findSetting, type SettingTables } from '../../table/setting.ts';
import { fallsBelow } from '../../table/stricter.ts';
import type { Settings } from './layers.ts';

/** Tells accounts with administrative rights from others. */
export interface AdministratorCheck {
  /** @param user as `Memberships.of` takes it @throws ServiceError `unavailable` */
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
