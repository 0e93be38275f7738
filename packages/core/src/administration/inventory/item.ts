/**
 * The inventory: devices of an installation, mostly tokens and cards. An item is identified by type and reference, and may have an owner.
 * Items are sealed values of the store, because they hold secrets of tokens.
 */
import { hash } from 'node:crypto';
import { ServiceError } from '../../foundation/errors/errors.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { Store } from '../../ports/store/store.ts';

/** The key prefix of items. */
export const inventoryFamily = 'inventory';

export const statuses = ['Valid', 'Lost', 'Broken', 'Expired'] as const;
export type ItemStatus = (typeof statuses)[number];

export interface ItemOwner {
  /** The DN at the time of the link. */
  readonly dn: string;
  /** The permanent identifier of the entry. */
  readonly entry: string;
}

/** The identity of an item, in any case. */
export interface ItemName {
  readonly type: string;
  readonly reference: string;
}

export interface InventoryItem extends ItemName {
  readonly description: string;
  /** Its data by name, in base64. */
  readonly data: Readonly<Record<string, string>>;
  readonly active: boolean;
  readonly status: ItemStatus;
  /** Milliseconds since 1970. */
  readonly imported: number;
  readonly owner?: ItemOwner;
}

/** An item, and its stored value. */
export interface KeptItem {
  readonly key: string;
  readonly item: InventoryItem;
  readonly value: Uint8Array;
}

export interface InventoryView {
  readonly store: Pick<Store, 'get' | 'swap' | 'take' | 'family'>;
  readonly keys: Pick<KeyRing, 'seal' | 'open'>;
}

const digest = (text: string): string => hash('sha256', text.normalize('NFC').toLowerCase()).slice(0, 32);

const keysOfType = (type: string): string => `${inventoryFamily}:${digest(type)}.`;

const keyOf = ({ type, reference }: ItemName): string => `${keysOfType(type)}${digest(reference)}`;

/** In seconds, without end: until the item is removed. */
const forEver = 1000 * 366 * 86_400;

const sealed = (item: InventoryItem, key: string, { keys }: InventoryView): Uint8Array =>
  keys.seal(Buffer.from(JSON.stringify(item)), key);

function opened(key: string, value: Uint8Array, { keys }: InventoryView): KeptItem {
  return { key, value, item: JSON.parse(Buffer.from(keys.open(value, key)).toString('utf8')) };
}

/** Adds an item. @returns false if it exists */
export function addItem(item: InventoryItem, view: InventoryView): Promise<boolean> {
  const key = keyOf(item);
  return view.store.swap(key, { before: undefined, after: sealed(item, key, view), seconds: forEver });
}

/** @throws ServiceError `not_found` */
export async function findItem(name: ItemName, view: InventoryView): Promise<KeptItem> {
  const key = keyOf(name);
  const value = await view.store.get(key);
  if (!value) throw noItem(name);
  return opened(key, value, view);
}

const noItem = ({ type, reference }: ItemName): ServiceError =>
  new ServiceError('not_found', { detail: `Inventory item '${type}-${reference}' does not exist` });

/** Lists the items of a type in pages, in no order. */
export async function* itemsOf(type: string, view: InventoryView): AsyncIterable<readonly KeptItem[]> {
  const begin = keysOfType(type);
  for await (const page of view.store.family(inventoryFamily))
    yield page.filter(({ key }) => key.startsWith(begin)).map(({ key, value }) => opened(key, value, view));
}

/** Tries, each of which fails only because of a concurrent change. */
const tries = 100;

/**
 * Changes an item by compare-and-swap.
 * @param change returns the new item, or undefined for no change; called again after a concurrent change; may throw
 * @returns the present item
 * @throws ServiceError `not_found`; `unavailable`
 */
export async function changeItem(
  name: ItemName,
  change: (item: InventoryItem) => InventoryItem | undefined | Promise<InventoryItem | undefined>,
  view: InventoryView,
): Promise<InventoryItem> {
  for (let left = tries; left > 0; left -= 1) {
    const { key, item, value } = await findItem(name, view);
    const after = await change(item);
    if (!after) return item;
    const swap = { before: value, after: sealed(after, key, view), seconds: forEver };
    if (await view.store.swap(key, swap)) return after;
  }
  throw new ServiceError('unavailable', { detail: 'the item is being changed by others; try again' });
}

/** Removes an item. @returns the removed item @throws ServiceError `not_found` */
export async function removeItem(name: ItemName, view: InventoryView): Promise<InventoryItem> {
  const key = keyOf(name);
  const value = await view.store.take(key);
  if (!value) throw noItem(name);
  return opened(key, value, view).item;
}
