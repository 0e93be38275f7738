/** The inventory methods of administrators: import, search and change items. */
import type { ServiceConfig } from '../../config/config.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  addItem,
  changeItem,
  findItem,
  type InventoryItem,
  type InventoryView,
  type ItemName,
  type ItemStatus,
  itemsOf,
  removeItem,
} from './item.ts';
import { assertTakes, type OwningView } from './owning.ts';

export interface ImportView extends InventoryView {
  readonly clock: Pick<Clock, 'now'>;
}

export interface NewItem extends ItemName {
  readonly description: string;
  readonly data: ReadonlyMap<string, Uint8Array>;
  readonly active: boolean;
  readonly status: ItemStatus;
}

/** Longest values in characters; of data: the names, and bytes of all values. */
const longest = { type: 64, reference: 128, description: 1000, name: 64, data: 65_536 };
const mostData = 64;

/** @throws ServiceError `invalid_params`; `already_exists` */
export async function importItem({ data, ...item }: NewItem, view: ImportView): Promise<void> {
  for (const name of ['type', 'reference', 'description'] as const) checkText(name, item[name]);
  checkData(data);
  const texts = Array.from(data, ([name, value]) => [name, Buffer.from(value).toString('base64')] as const);
  const kept = { ...item, data: Object.fromEntries(texts), imported: view.clock.now() };
  if (await addItem(kept, view)) return;
  throw new ServiceError('already_exists', {
    detail: `Duplicate entry '${item.type}-${item.reference}' for key 'PRIMARY'`,
  });
}

const wrong = (detail: string): ServiceError => new ServiceError('invalid_params', { detail });

function checkText(name: 'type' | 'reference' | 'description', text: string): void {
  const most = longest[name];
  if (text.length > most || /\p{Cc}/u.test(text) || (name !== 'description' && text.trim() === ''))
    throw wrong(`Parameter ${name} is not a text of up to ${most} characters`);
}

function checkData(data: NewItem['data']): void {
  const isNamed = [...data.keys()].every((name) => /^[\w.-]+$/.test(name) && name.length <= longest.name);
  if (!isNamed || data.size > mostData)
    throw wrong(`Parameter data has more than ${mostData} names, or a malformed one`);
  const bytes = [...data.values()].reduce((sum, { length }) => sum + length, 0);
  if (bytes > longest.data) throw wrong(`Parameter data has more than ${longest.data} bytes`);
}

/** Which items are meant. Optional; default: all. */
export interface ItemChoice {
  readonly type: string;
  /** A reference with `*` as a wildcard. */
  readonly filter?: string | undefined;
  readonly linked?: boolean | undefined;
  readonly active?: boolean | undefined;
  readonly status?: ItemStatus | undefined;
  /** `YYYY-MM-DD HH:MM:SS` in UTC: imported after it. */
  readonly start?: number | undefined;
  /** ... and before it. */
  readonly stop?: number | undefined;
}

export interface ItemSearchView extends InventoryView {
  readonly config: { readonly limits: Pick<ServiceConfig['limits'], 'search_entries'> };
}

/** Searches items, in the order of their import. @throws ServiceError `invalid_params`; `too_large` */
export async function searchItems(
  wanted: ItemChoice,
  view: ItemSearchView,
): Promise<readonly InventoryItem[]> {
  const isMeant = matcher(wanted);
  const most = view.config.limits.search_entries;
  const found: InventoryItem[] = [];
  for await (const page of itemsOf(wanted.type, view)) {
    found.push(...page.map(({ item }) => item).filter(isMeant));
    if (found.length > most)
      throw new ServiceError('too_large', { detail: `more than ${most} items; name fewer by filter` });
  }
  return found.sort((one, other) => one.imported - other.imported || compare(one, other));
}

const compare = ({ reference: one }: InventoryItem, { reference: other }: InventoryItem): number =>
  one < other ? -1 : 1;

function matcher({ filter, linked, active, status, start: after, stop: before }: ItemChoice) {
  const isNamed = filter === undefined ? () => true : glob(filter);
  return (item: InventoryItem): boolean =>
    isNamed(item.reference) &&
    (linked === undefined || linked === (item.owner !== undefined)) &&
    (active === undefined || active === item.active) &&
    (status === undefined || status === item.status) &&
    (after === undefined || item.imported > after) &&
    (before === undefined || item.imported < before);
}

/** Looks once along the text, whatever the pattern; capitals make no difference. */
export function glob(pattern: string): (text: string) => boolean {
  const folded = (text: string) => text.normalize('NFC').toLowerCase();
  const [first = '', ...rest] = folded(pattern).split('*');
  const last = rest.pop();
  return (text) => {
    const whole = folded(text);
    if (last === undefined) return whole === first;
    if (!whole.startsWith(first)) return false;
    let at = first.length;
    for (const part of rest) {
      const found = whole.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return whole.length >= at + last.length && whole.endsWith(last);
  };
}

export interface ItemUpdate extends Pick<ItemChoice, 'type' | 'filter' | 'linked'> {
  /** The new values. Optional; default: unchanged. */
  readonly active?: boolean | undefined;
  readonly status?: ItemStatus | undefined;
}

/** @returns how many are meant, whether they were so before or not */
export async function updateItems(
  { type, filter, linked, active, status }: ItemUpdate,
  view: InventoryView,
): Promise<number> {
  const isMeant = matcher({ type, filter, linked });
  const changed = (item: InventoryItem) => ({
    ...item,
    ...(active !== undefined && { active }),
    ...(status !== undefined && { status }),
  });
  let meant = 0;
  for await (const page of itemsOf(type, view)) {
    for (const { item } of page.filter((one) => isMeant(one.item))) {
      meant += 1;
      const { active: wasActive, status: before } = item;
      const after = changed(item);
      if (after.active !== wasActive || after.status !== before) await changeItem(item, changed, view);
    }
  }
  return meant;
}

/** Ours: what is known of an item, without the secrets. @throws ServiceError `not_found` */
export async function lookAtItem(name: ItemName, view: InventoryView): Promise<InventoryItem> {
  return (await findItem(name, view)).item;
}

/** Ours. Tokens that were registered from it stay. @throws ServiceError `not_found`, `permission_denied` */
export async function dropItem(name: ItemName, call: OwningView): Promise<void> {
  const { owner } = (await findItem(name, call)).item;
  if (owner) await assertTakes(owner, call);
  await removeItem(name, call);
}
