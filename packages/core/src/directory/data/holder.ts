/** The user or group that data are kept with: what is stored, and the settings in force, in one read. */

import type { Dn } from '../../foundation/text/dn.ts';
import type { Domains } from '../domain.ts';
import { readActive } from '../entry/active.ts';
import { idOf } from '../entry/entry.ts';
import { memberAttributes } from '../entry/group.ts';
import { findUser, type Login } from '../entry/user.ts';
import type { HolderView } from '../view.ts';
import { dataOf, type Holder, type StoredData } from './data.ts';
import { overlay, type Settings } from './layers.ts';
import { settingLayers } from './settings.ts';

export interface DataHolder extends Holder {
  /** In our words, decrypted when it is got. */
  readonly data: StoredData;
  /** What is in force, by full names in our words. */
  readonly settings: Settings;
  /** The groups of the user, in whose order their settings count. */
  readonly groups: readonly Dn[];
}

/** @throws ServiceError `not_found` */
export async function readHolder(dn: Dn, view: HolderView): Promise<DataHolder> {
  const { schema } = view.config;
  const { identifier } = await view.server.capabilities(dn);
  const attributes = [identifier, schema.data_attribute, schema.settings_attribute];
  const entry = await readActive(dn, [...attributes, ...memberAttributes(schema)], view);
  const { groups, layers } = await settingLayers(entry, view);
  const where = { dn, identifier, view };
  const settings = overlay([view.presets, ...layers]);
  return { dn, id: idOf(entry, where), data: dataOf(entry, where), settings, groups };
}

/**
 * The activated user who has a login name, as the service sees it.
 * @param login.domain left out: the one of logins without a domain
 * @throws ServiceError `not_found`: `Domain '<name>' not existing`, then `User not found <domain>\\<username>`
 */
export async function readNamedHolder(
  { username, whole, domain }: Pick<Login, 'username' | 'whole'> & { readonly domain?: string | undefined },
  view: Omit<HolderView, 'directory'> & { readonly domains: Domains },
): Promise<DataHolder> {
  const { domains, config, memberships } = view;
  const { service } = view.server;
  const named = { username, whole, domain: domain === undefined ? domains.preset : domains.get(domain) };
  const dn = await findUser(service, { ...named, schema: config.schema, memberships, isService: true });
  return readHolder(dn, { ...view, directory: service });
}
