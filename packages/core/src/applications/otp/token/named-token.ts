/** The settings that apply to a token: of its user, or the presets if no user is known. */

import { type TokenRules, tokenRules } from '../../../authenticators/token.ts';
import { overlay, type Settings } from '../../../directory/data/layers.ts';
import { settingLayers } from '../../../directory/data/settings.ts';
import { memberAttributes } from '../../../directory/entry/group.ts';
import { readUser } from '../../../directory/entry/user.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { NamedView } from '../view.ts';

/**
 * Reads the user of a login name, with the settings in force.
 * @throws ServiceError `not_found`: `Domain '<name>' not existing`, then `User not found <domain>\\<username>`
 */
export async function readNamed(
  { username, domain }: { readonly username: string; readonly domain: string },
  view: NamedView,
): Promise<{ readonly dn: Dn; readonly settings: Settings }> {
  const { schema } = view.config;
  const named = { username, domain: view.domains.get(domain), schema, spelling: domain };
  const attributes = [schema.settings_attribute, ...memberAttributes(schema)];
  const entry = await readUser(view.directory, { ...named, memberships: view.memberships }, attributes);
  const dn = Dn.parse(entry.dn);
  const { layers } = await settingLayers(entry, view);
  return { dn, settings: overlay([view.presets, ...layers]) };
}

/** The rules where no user is known. */
export const presetRules = ({ presets }: Pick<NamedView, 'presets'>): TokenRules => tokenRules(presets);

/** The moment that ends a number of days, in milliseconds since 1970. */
export const inDays = (days: number, clock: Clock): number => clock.now() + days * 86_400_000;
