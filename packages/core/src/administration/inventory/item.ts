/**
 * The inventory: devices that an installation owns before users have them, mostly tokens and cards. An item is identified by its type and
 * its reference (the number on the case); its owner is a user. Its data are sealed in the store, as they contain the secret.
 */
import { hash } from 'node:crypto';
import { ServiceError } from '../../foundation/errors/errors.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { Store } from '../../ports/store/store.ts';

/** The family of items in the store. */
export const inventoryFamily = 'inventory';

export const statuses = ['Valid', 'Lost', 'Broken', 'Expired'] as const;
export type ItemStatus = (typeof statuses)[number];

export interface ItemOwner {
  /** The DN that it had when the item was linked to it. */
  readonly dn: string;
  /** The identifier of the entry, which no move changes. */
  readonly entry: string;
}

/** The name of an item, regardless of case. */
export interface ItemName {
  readonly type: string;
  readonly reference: string;
}

export interface InventoryItem extends ItemName {
  readonly description: string;
  /** The data of the item by name, base64. */
  readonly data: Readonly<Record<string, string>>;
  readonly active: boolean;
  readonly status: ItemStatus;
  /** Milliseconds since 1970. */
  readonly imported: number;
  readonly owner?: ItemOwner;
}

/** An item with its stored value. */
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

/** The lifetime of an item in seconds: practically unlimited. */
const forEver = 1000 * 366 * 86_400;

const sealed = (item: InventoryItem, key: string, { keys }: InventoryView): Uint8Array =>
  keys.seal(Buffer.from(JSON.stringify(item)), key);

function opened(key: string, value: Uint8Array, { keys }: InventoryView): KeptItem {
  return { key, value, item: JSON.parse(Buffer.from(keys.open(value, key)).toString('utf8')) };
}

/** False: there is one of that name. */
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

/** Iterates all items of a type, in no order, a few at a time. */
export async function* itemsOf(type: string, view: InventoryView): AsyncIterable<readonly KeptItem[]> {
  const begin = keysOfType(type);
  for await (const page of view.store.family(inventoryFamily))
    yield page.filter(({ key }) => key.startsWith(begin)).map(({ key, value }) => opened(key, value, view));
}

/** Each that fails means that somebody else has changed the item in that moment. */
const tries = 100;

/**
 * Changes an item by compare-and-swap.
 * @param change returns the new item, undefined: no change; it may throw, and is called again after a concurrent change
 * @returns the item as it is now
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

/** @returns the item that was there @throws ServiceError `not_found` */
export async function removeItem(name: ItemName, view: InventoryView): Promise<InventoryItem> {
  const key = keyOf(name);
  const value = await view.store.take(key);
  if (!value) throw noItem(name);
  return opened(key, value, view).item;
}
