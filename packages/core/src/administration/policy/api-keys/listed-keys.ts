/**
 * The method List_API_Keys: the API keys of calling systems, the services that each opens, and its last use. Keys are not stored, and digests
 * are not shown.
 */
import type { ServiceConfig } from '../../../config/config.ts';
import { isMap } from '../../../config/schema-node.ts';
import { parseTimestamp } from '../../../foundation/text/timestamp.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { RuntimeConfiguration } from '../../../ports/runtime-configuration.ts';
import type { Store } from '../../../ports/store/store.ts';
import type { EffectiveRights } from '../../access/effective-rights.ts';
import { assertSuperAdmin } from '../../access/super-admin.ts';
import { type KeyUse, readKeyUses } from './key-uses.ts';

export interface ListedKey {
  /** The number in front of the underscore, which is no secret. */
  readonly id: string;
  /** The path in the configuration. */
  readonly at: string;
  readonly layer: 'file' | 'runtime';
  readonly owner: string | undefined;
  /** Services in the words of the configuration; undefined: all. */
  readonly services: readonly string[] | undefined;
  /** Addresses and networks from which the key is valid; empty: all. */
  readonly clients: readonly string[];
  /** The client policy of the key; undefined: the one that a request names. */
  readonly client: string | undefined;
  /** The end of the key, `YYYY-MM-DD HH:MM:SS` in UTC; undefined: none. */
  readonly expires: string | undefined;
  /** `renewed`: the key before is valid as well, until {@link overlap}. */
  readonly state: 'valid' | 'renewed' | 'expired';
  /** The end of the overlap of a renewed key. */
  readonly overlap: string | undefined;
  /** The last use within 400 days. */
  readonly used: KeyUse | undefined;
}

export interface KeysView {
  readonly config: Pick<ServiceConfig, 'api_keys'>;
  readonly configuration?: Pick<RuntimeConfiguration, 'file'> | undefined;
  readonly rights: Pick<EffectiveRights, 'isSuperAdmin'>;
  readonly store: Pick<Store, 'family'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** @throws ServiceError `permission_denied`, `unavailable` */
export async function listKeys(call: KeysView): Promise<readonly ListedKey[]> {
  assertSuperAdmin(call, 'see the API keys of calling systems');
  const uses = await readKeyUses(call);
  // A key of the configuration of a program has the layer of the file.
  const file = call.configuration ? keysIn(call.configuration.file) : call.config.api_keys;
  return Object.entries(call.config.api_keys).map(([id, row]) => {
    const { owner, services, clients, client, expires } = row;
    return {
      ...{ id, at: `api_keys.${id}`, layer: Object.hasOwn(file, id) ? 'file' : 'runtime' },
      ...{ owner, services, clients, client, expires, ...stateOf(row, call.clock.now()) },
      used: uses.get(id),
    };
  });
}

/** Returns the API keys of settings, before defaults. */
export const keysIn = ({
  api_keys: keys,
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => (isMap(keys) ? keys : {});

function stateOf(
  { expires, previous }: ServiceConfig['api_keys'][string],
  now: number,
): Pick<ListedKey, 'state' | 'overlap'> {
  const end = parseTimestamp(expires);
  if (end !== undefined && now >= end) return { state: 'expired', overlap: undefined };
  const isRenewed = previous !== undefined && now < (parseTimestamp(previous.until) ?? 0);
  return isRenewed ? { state: 'renewed', overlap: previous.until } : { state: 'valid', overlap: undefined };
}
