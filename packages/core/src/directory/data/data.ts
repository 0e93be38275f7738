/**
 * Data that applications keep with a user (docs/concepts/dialects-and-names.md#stored-data): `App.Key=<base64>` in `webadmdata`, written in
 * the installation's words, and read in ours, too. All keys that are not public are encrypted (`{wcrypt}`), bound to the entry and the key.
 */

import { detailOf, isReason, ServiceError } from '../../foundation/errors/errors.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { Entry } from '../../ports/directory/directory.ts';
import { decodeBase64 } from '../../table/schema/base64.ts';
import { idOf, texts } from '../entry/entry.ts';
import type { DataWords, SchemaWords, StoredDataView, Words } from '../view.ts';
import { formatData, parseData } from './data-text.ts';
import { sealContext, sealedPrefix } from './sealed-data.ts';
import { swapValues } from './swap.ts';

export type UserData = ReadonlyMap<string, Uint8Array>;

/** An entry by the identifier that its data are bound to: UUID or GUID, which a move does not change. */
export interface EntryRef {
  readonly dn: Dn;
  readonly id: string;
}

/** Reads the data of an entry, in our words. @param entry read with its data and its identifier */
export function dataOf(
  entry: Entry,
  { dn, identifier, view }: { dn: Dn; identifier: string; view: DataWords & SchemaWords },
): StoredData {
  const stored = parseData(texts(entry, view.config.schema.data_attribute), view);
  if (stored.size === 0) return noData;
  return new SealedData(stored, { view, entry: idOf(entry, { dn, identifier }), dn });
}

/** Changes of data; null removes a key. */
export type DataChanges = ReadonlyMap<string, Uint8Array | null>;

/**
 * Changes data by compare-and-swap. An empty map of changes writes nothing.
 * @param holder the entry, of `readProfile`
 * @param next returns the changes of the stored data; called again after a concurrent change; an error ends the swap
 * @param view the context of the method or operation
 * @returns a promise that resolves when the change is written
 * @throws ServiceError as the directory refuses the change
 * @see docs/concepts/dialects-and-names.md#stored-data
 * @example
 * ```ts
 * import { type EntryRef, swapData, type View } from '@watchword/core/application';
 *
 * export const countUp = (user: EntryRef, call: View): Promise<void> =>
 *   swapData(
 *     user,
 *     (stored) => new Map([['Parking.Count', Uint8Array.of((stored.get('Parking.Count')?.[0] ?? 0) + 1)]]),
 *     call,
 *   );
 * ```
 */
export async function swapData(
  { dn, id }: EntryRef,
  next: (stored: StoredData) => DataChanges,
  view: StoredDataView,
): Promise<void> {
  const place = { view, entry: id, dn };
  const attribute = view.config.schema.data_attribute;
  await swapValues(
    view.directory,
    { dn, attribute },
    {
      next: (values) => changedValues(values, next, place),
      isSound: (values) => values.length <= 1,
    },
  );
}

/**
 * Returns the values of the attribute as {@link swapData} would write them; the same list for no change.
 * @param place the entry
 */
export function changedValues(
  values: readonly string[],
  next: (stored: StoredData) => DataChanges,
  place: DataEntry,
): readonly string[] {
  const stored = parseData(values, place.view);
  const changes = [...next(new SealedData(stored, place))];
  if (changes.length === 0) return values;
  const written = new Map(changes.map(([key, bytes]) => [key, bytes && write(key, bytes, place)]));
  return formatData(new Map<string, string | null>([...stored, ...written]), place.view);
}

/** Data of one entry, decrypted one by one. */
export interface StoredData {
  readonly keys: readonly string[];
  get(key: string): Uint8Array | undefined;
}

const noData: StoredData = { keys: [], get: () => undefined };

/** Reads the data in values of the attribute, in our words. */
export const storedIn = (values: readonly string[], place: DataEntry): StoredData =>
  new SealedData(parseData(values, place.view), place);

class SealedData implements StoredData {
  readonly #stored: ReadonlyMap<string, string>;
  readonly #place: DataEntry;
  #keys: readonly string[] | undefined;

  constructor(stored: ReadonlyMap<string, string>, place: DataEntry) {
    this.#stored = stored;
    this.#place = place;
  }

  get keys(): readonly string[] {
    this.#keys ??= [...this.#stored.keys()];
    return this.#keys;
  }

  get(key: string): Uint8Array | undefined {
    const value = this.#stored.get(key);
    return value === undefined ? undefined : read(key, value, this.#place);
  }
}

/** The entry that a secret is bound to. */
export interface DataEntry {
  readonly view: DataWords & SchemaWords;
  readonly entry: string;
  /** DN for errors; undefined: unknown. */
  readonly dn: Dn | undefined;
}

function write(key: string, bytes: Uint8Array, { view, entry }: DataEntry): string {
  if (isPublic(key, view)) return Buffer.from(bytes).toString('base64');
  return sealedPrefix + Buffer.from(view.keys.seal(bytes, sealContext(entry, key))).toString('base64');
}

/** Reads a value. @throws ServiceError `data_unreadable` naming the entry and the key */
function read(key: string, value: string, place: DataEntry): Uint8Array {
  const { view, entry } = place;
  try {
    if (!value.startsWith(sealedPrefix)) return decodeBase64(value, key);
    return view.keys.open(decodeBase64(value.slice(sealedPrefix.length), key), sealContext(entry, key));
  } catch (cause) {
    throw damaged(key, place, cause);
  }
}

function damaged(key: string, { view, entry, dn }: DataEntry, cause: unknown): ServiceError {
  const { data_attribute } = view.config.schema;
  const why = isReason(cause, 'invalid_params') ? 'it is not base64' : detailOf(cause);
  const detail = `${view.names.theirsDotted(key)} in ${data_attribute} of LDAP object '${dn ?? entry}': ${why}`;
  return new ServiceError('data_unreadable', { detail, cause });
}

/** Returns whether a datum is public, and so stored in clear. @param key in our words */
export function isPublic(key: string, { applications }: Pick<Words, 'applications'>): boolean {
  const [application = '', name = ''] = key.split('.', 2);
  return (
    Object.hasOwn(applications, application) && applications[application]?.publicData.includes(name) === true
  );
}
