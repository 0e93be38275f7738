/**
 * The methods Make_API_Key, Renew_API_Key and Revoke_API_Key. Each is a change of the settings at run time: a new version with its author, in
 * force at the next request on every node. A key is shown once; the settings have its digest.
 */
import type { ConfigSettings } from '../../../config/runtime-settings.ts';
import { isMap } from '../../../config/schema-node.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import { formatTimestamp, parseTimestamp } from '../../../foundation/text/timestamp.ts';
import type { Random } from '../../../ports/random.ts';
import { endlessSeconds, type Store } from '../../../ports/store/store.ts';
import {
  assertChanges,
  type ConfigurationContext,
  setConfiguration,
} from '../../configuration/run-time-configuration.ts';
import { readCurrent } from '../../configuration/versions.ts';
import { newSecret } from './key-form.ts';
import { removeKeyUse } from './key-uses.ts';
import { keysIn } from './listed-keys.ts';

export interface ChangingKeys extends ConfigurationContext {
  readonly random: Random;
}

/** The settings of a key to make. */
export interface WantedKey {
  readonly owner: string;
  readonly services: readonly string[] | undefined;
  readonly clients: readonly string[] | undefined;
  readonly client: string | undefined;
  /** Milliseconds since 1970; undefined: no end. */
  readonly expires: number | undefined;
  readonly comment: string | undefined;
}

/** A key that is shown once. */
export interface ShownKey {
  readonly id: string;
  /** The key, for the header `X-API-Key`. */
  readonly key: string;
  /** The version of the settings at run time that has it. */
  readonly version: number;
}

/** A renewed key, and the end of the one before in milliseconds since 1970; undefined: it has ended. */
export interface RenewedKey extends ShownKey {
  readonly until: number | undefined;
}

/** The attempts at a change while others change the configuration. */
const mostAttempts = 10;

/** The first number of a key that is made here: those of `watchword-ws --make-api-key` begin at 1. */
const firstId = 1001;

/** The highest number that a key was made with. A number is never used again: known sources and the audit name the key by it. */
const lastIdKey = 'api-key:last-id';

/** Makes a key. @throws ServiceError as `setConfiguration` */
export async function makeKey(
  { expires, comment, ...row }: WantedKey,
  call: ChangingKeys,
): Promise<ShownKey> {
  const { file } = assertChanges(call);
  assertEnd(expires, call);
  const { settings } = await readCurrent(call);
  const id = await claimId({ ...keysIn(file), ...keysIn(settings) }, call);
  const { secret, sha256 } = newSecret(call.random);
  const given = { sha256, ...row, expires: expires === undefined ? undefined : formatTimestamp(expires) };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const patch = { api_keys: { [id]: set } };
  const change = { patch, comment: comment ?? `API key ${id} made` };
  const { number } = await retried(() => setConfiguration(change, call));
  return { id, key: `${id}_${secret}`, version: number };
}

interface WantedRenewal {
  readonly id: string;
  /** The seconds for which the key before is valid as well. */
  readonly overlap: number;
  /** Milliseconds since 1970; undefined: the end stays. */
  readonly expires: number | undefined;
  readonly comment: string | undefined;
}

/** Renews a key: a renewal within an overlap ends the oldest key. @throws ServiceError `not_found`; as `setConfiguration` */
export function renewKey(
  { id, overlap, expires, comment = `API key ${id} renewed` }: WantedRenewal,
  call: ChangingKeys,
): Promise<RenewedKey> {
  return retried(async () => {
    const { seen, row } = await readOwn(id, call);
    const before = parseTimestamp(row.expires);
    assertEnd(expires ?? before, call);
    const until = endOfOverlap(overlap, before, call);
    const { secret, sha256 } = newSecret(call.random);
    const renewed = {
      sha256,
      // A patch keeps what it does not name: null ends the key before.
      previous: until === undefined ? null : { sha256: row.sha256, until: formatTimestamp(until) },
      ...(expires !== undefined && { expires: formatTimestamp(expires) }),
    };
    const patch: ConfigSettings = { api_keys: { [id]: renewed } };
    const { number } = await setConfiguration({ patch, seen, comment }, call);
    return { id, key: `${id}_${secret}`, version: number, until };
  });
}

/** Returns the end of the key before, which is never later than the end that it had; undefined: it has ended. */
function endOfOverlap(overlap: number, end: number | undefined, { clock }: ChangingKeys): number | undefined {
  const now = clock.now();
  const until = Math.min(now + overlap * 1000, end ?? Number.POSITIVE_INFINITY);
  return until > now ? until : undefined;
}

/** Revokes a key. @returns the version without it @throws ServiceError `not_found`; as `setConfiguration` */
export async function revokeKey(
  { id, comment = `API key ${id} revoked` }: { readonly id: string; readonly comment: string | undefined },
  call: ChangingKeys,
): Promise<number> {
  const { number } = await retried(async () => {
    const { seen } = await readOwn(id, call);
    return setConfiguration({ patch: { api_keys: { [id]: null } }, seen, comment }, call);
  });
  // The key is revoked: a last use that stays ends with its time.
  await removeKeyUse(id, call).catch(() => {});
  return number;
}

/** The settings of a key at run time that a change needs. */
interface OwnKey {
  /** The version that has them. */
  readonly seen: number;
  readonly row: { readonly sha256: unknown; readonly expires: string | undefined };
}

/** Reads a key that was made at run time. @throws ServiceError `invalid_params` for one of the file; `not_found` */
async function readOwn(id: string, call: ChangingKeys): Promise<OwnKey> {
  const { file } = assertChanges(call);
  if (Object.hasOwn(keysIn(file), id))
    throw new ServiceError('invalid_params', {
      detail: `API key ${id} is in the configuration file: change api_keys.${id} there, and reload`,
    });
  const { number, settings } = await readCurrent(call);
  const keys = keysIn(settings);
  const row = Object.hasOwn(keys, id) ? keys[id] : undefined;
  if (!isMap(row)) throw new ServiceError('not_found', { detail: `there is no API key ${id}` });
  const { sha256, expires } = row;
  return { seen: number, row: { sha256, expires: typeof expires === 'string' ? expires : undefined } };
}

/** Claims the number of a new key, once over all nodes. */
async function claimId(
  taken: Readonly<Record<string, unknown>>,
  { store }: { readonly store: Pick<Store, 'claim' | 'claimed'> },
): Promise<string> {
  let id = Math.max(firstId, ((await store.claimed(lastIdKey)) ?? 0) + 1);
  while (Object.hasOwn(taken, String(id)) || !(await store.claim(lastIdKey, id, endlessSeconds))) id += 1;
  return String(id);
}

/** @throws ServiceError `invalid_params` for an end that is past */
function assertEnd(expires: number | undefined, { clock }: ChangingKeys): void {
  if (expires !== undefined && expires <= clock.now())
    throw new ServiceError('invalid_params', {
      detail: `the key would have ended at ${formatTimestamp(expires)}: name a later end in expires`,
    });
}

/** Tries a change again after a concurrent one. @throws ServiceError `already_exists` after the last attempt */
async function retried<T>(change: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await change();
    } catch (error) {
      const isConcurrent = error instanceof ServiceError && error.reason === 'already_exists';
      if (!isConcurrent || attempt === mostAttempts) throw error;
    }
  }
}
