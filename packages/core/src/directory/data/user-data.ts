/** Data of users for administrators, including data that applications keep in the store. */

import { ServiceError } from '../../foundation/errors/errors.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { Store } from '../../ports/store/store.ts';
import { decodeBase64 } from '../../table/schema/base64.ts';
import { readActive } from '../entry/active.ts';
import { identifierOf, idOf, onEntry } from '../entry/entry.ts';
import type { DataWords, EntryView, Words } from '../view.ts';
import { dataOf, type EntryRef, isPublic, type StoredData, swapData, type UserData } from './data.ts';

const maxBytes = 65_536;

/** Merges data into the stored ones (`Set_User_Data`); null removes. @throws ServiceError `invalid_params` */
export async function setData(
  dn: Dn,
  wanted: ReadonlyMap<string, string | boolean | null>,
  call: EntryView & DataWords,
): Promise<void> {
  const entryRef = await findEntryRef(dn, call);
  const changes = new Map(Array.from(wanted, ([name, value]) => checkDatum(name, value, call)));
  await swapData(entryRef, () => changes, call);
}

/**
 * Reads decrypted data (`Get_User_Data`), all or by name, in the installation's words. A caller that may not read every secret gets only
 * data that it requests by name.
 * @throws ServiceError `permission_denied` for a requested secret that may not be read
 */
export async function readData(
  dn: Dn,
  names: readonly string[] | undefined,
  call: SecretReadingView,
): Promise<UserData> {
  const { identifier } = await call.server.capabilities(dn);
  const entry = await readActive(dn, [identifier, call.config.schema.data_attribute], call);
  const stored = dataOf(entry, { dn, identifier, view: call });
  const wanted = names && new Set(names.map((name) => call.names.oursDotted(name)));
  const isRead = (key: string) => isPublic(key, call) || call.readsSecret(Dn.parse(entry.dn), key);
  await onEntry('read', dn, async () => assertRead(wanted ?? new Set(), isRead, call));
  const id = identifierOf(entry, identifier);
  const live = id === undefined ? new Map<string, Uint8Array>() : await readLive(stored, id, call);
  const keys = [...new Set([...stored.keys, ...live.keys()])];
  const isAnswered = (key: string) =>
    wanted ? wanted.has(key) : isPublic(key, call) || call.rights.isSuperAdmin;
  const asked = keys.filter(isAnswered);
  const bytesOf = (key: string) => live.get(key) ?? stored.get(key) ?? new Uint8Array();
  return new Map(asked.map((key) => [call.names.theirsDotted(key), bytesOf(key)]));
}

function assertRead(
  wanted: ReadonlySet<string>,
  isRead: (key: string) => boolean,
  { names }: Pick<Words, 'names'>,
): void {
  const unread = [...wanted].find((key) => !isRead(key));
  if (unread === undefined) return;
  const detail = `you may not read ${names.theirsDotted(unread).slice(0, 64)} there: no role of yours names it in read`;
  throw new ServiceError('permission_denied', { detail });
}

/** The context of data in the store. */
interface LiveView extends Pick<Words, 'applications'> {
  readonly store: Store;
}

/** The context of all data of users. */
export interface LiveDataView extends EntryView, DataWords, LiveView {
  readonly applications: Words['applications'];
}

/** The context of data for a caller that may not read every secret. */
export interface SecretReadingView extends LiveDataView {
  /** @param name in our words */
  readonly readsSecret: (dn: Dn, name: string) => boolean;
  readonly rights: { readonly isSuperAdmin: boolean };
}

/** Reads data that applications keep in the store, by their names. */
async function readLive(stored: StoredData, id: string, view: LiveView): Promise<UserData> {
  const rows = Object.values(view.applications).flatMap(({ name, liveData = {} }) =>
    Object.entries(liveData).map(([key, live]) => [`${name}.${key}`, live] as const),
  );
  const found = await Promise.all(
    rows.map(async ([key, live]) => [key, await live(stored.get(key), id, view)] as const),
  );
  return new Map(found.flatMap(([key, bytes]) => (bytes ? [[key, bytes] as const] : [])));
}

/** Reads the reference to an entry with data, an activated user or group. @throws ServiceError `not_found` */
export async function findEntryRef(dn: Dn, view: EntryView): Promise<EntryRef> {
  const { identifier } = await view.server.capabilities(dn);
  const entry = await readActive(dn, [identifier], view);
  return { dn, id: idOf(entry, { dn, identifier }) };
}

function checkDatum(
  name: string,
  value: string | boolean | null,
  { names, applications }: Words,
): readonly [string, Uint8Array | null] {
  const key = names.oursDotted(name);
  const application = key.split('.', 1)[0] ?? '';
  if (!/^[A-Za-z][A-Za-z0-9]*\.[A-Za-z0-9]{1,64}$/.test(key) || !Object.hasOwn(applications, application)) {
    throw new ServiceError('invalid_params', {
      detail: `Parameter data: there is no key '${name.slice(0, 64)}'`,
    });
  }
  if (value === null) return [key, null];
  if (typeof value === 'boolean')
    throw new ServiceError('invalid_params', { detail: 'Parameter data not Base64' });
  const bytes = decodeBase64(value, 'data');
  if (bytes.length > maxBytes) {
    throw new ServiceError('too_large', {
      detail: `Parameter data: ${key} is longer than ${maxBytes} bytes`,
    });
  }
  return [key, bytes];
}
