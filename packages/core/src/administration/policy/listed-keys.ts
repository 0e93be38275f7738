/**
 * The method List_API_Keys: the calling systems that have a key, and the services that it opens. Keys are not stored, and digests are not
 * shown.
 */

import type { ServiceConfig } from '../../config/config.ts';
import type { EffectiveRights } from '../access/effective-rights.ts';
import { assertSuperAdmin } from '../access/super-admin.ts';

export interface ListedKey {
  /** The number in front of the underscore, which is no secret. */
  readonly id: string;
  /** The path in the configuration. */
  readonly at: string;
  /** Services in the words of the configuration; null: all. */
  readonly services: readonly string[] | null;
  /** Addresses and networks that it is good from; none: everywhere. */
  readonly clients: readonly string[];
  /** The client policy of the key; null: the one that a request names. */
  readonly client: string | null;
}

export interface KeysView {
  readonly config: Pick<ServiceConfig, 'api_keys'>;
  readonly rights: Pick<EffectiveRights, 'isSuperAdmin'>;
}

/** @throws ServiceError `permission_denied` */
export function listKeys(call: KeysView): readonly ListedKey[] {
  assertSuperAdmin(call, 'see the API keys of calling systems');
  // What is not named here is not answered: the digest, and whatever a row may have one day.
  return Object.entries(call.config.api_keys).map(([id, { services, clients, client }]) => ({
    ...{ id, at: `api_keys.${id}`, services: services ?? null, clients, client: client ?? null },
  }));
}
