/** The profile of a user or group: its data and effective settings, in one read. */

import type { Dn } from '../../foundation/text/dn.ts';
import type { Domains } from '../domain.ts';
import { readActive } from '../entry/active.ts';
import { idOf } from '../entry/entry.ts';
import { memberAttributes } from '../entry/group.ts';
import { findUser, type Login } from '../entry/user.ts';
import type { ProfileContext } from '../view.ts';
import { dataOf, type EntryRef, type StoredData } from './data.ts';
import { overlay, type Settings } from './layers.ts';
import { settingLayers } from './settings.ts';

export interface EntryProfile extends EntryRef {
  /** The data in our words, decrypted on access. */
  readonly data: StoredData;
  /** The settings in force, by full names in our words. */
  readonly settings: Settings;
  /** The groups of the user, in the order of their settings. */
  readonly groups: readonly Dn[];
}

/**
 * Reads a user or group that holds data: its data and the settings in force, in one read.
 * @param dn the DN of the entry
 * @param view the context of the method or operation
 * @returns the holder; its data are decrypted on access
 * @throws ServiceError `not_found`
 * @see docs/concepts/dialects-and-names.md#stored-data
 * @example
 * ```ts
 * import type { Dn } from '@watchword/core';
 * import { readProfile, type View } from '@watchword/core/application';
 *
 * export const plateOf = async (dn: Dn, call: View): Promise<string> => {
 *   const { data } = await readProfile(dn, call);
 *   return Buffer.from(data.get('Parking.Plate') ?? []).toString();
 * };
 * ```
 */
export async function readProfile(dn: Dn, view: ProfileContext): Promise<EntryProfile> {
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
 * Reads the activated user with a login name, as the service.
 * @param login the login name; the default domain where `domain` is left out
 * @param view the context of the operation
 * @returns the holder; its data are decrypted on access
 * @throws ServiceError `not_found`: `Domain '<name>' not existing`, then `User not found <domain>\\<username>`
 * @see docs/concepts/dialects-and-names.md#login-name
 * @example
 * ```ts
 * import { type OperationCall, readNamedProfile } from '@watchword/core/application';
 *
 * export const mayPark = async (username: string, call: OperationCall): Promise<boolean> =>
 *   (await readNamedProfile({ username }, call)).data.get('Parking.Plate') !== undefined;
 * ```
 */
export async function readNamedProfile(
  { username, whole, domain }: Pick<Login, 'username' | 'whole'> & { readonly domain?: string | undefined },
  view: Omit<ProfileContext, 'directory'> & { readonly domains: Domains },
): Promise<EntryProfile> {
  const { domains, config, memberships } = view;
  const { service } = view.server;
  const named = { username, whole, domain: domain === undefined ? domains.preset : domains.get(domain) };
  const dn = await findUser(service, { ...named, schema: config.schema, memberships, isService: true });
  return readProfile(dn, { ...view, directory: service });
}
