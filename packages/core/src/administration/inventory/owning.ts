/** Assigns items of the inventory to an owner: at most one entry. */

import { onEntry } from '../../directory/entry/entry.ts';
import { entryIdentifier } from '../../directory/entry/identifier.ts';
import type { EntryView } from '../../directory/view.ts';
import { isReason, ServiceError } from '../../foundation/errors/errors.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { EffectiveRights } from '../access/effective-rights.ts';
import { assertSuperAdmin } from '../access/super-admin.ts';
import { changeItem, type InventoryItem, type InventoryView, type ItemName, type ItemOwner } from './item.ts';

/** Items, and entries as an administrator sees and changes them. */
export interface OwningView extends InventoryView, EntryView {
  readonly rights: Pick<EffectiveRights, 'isSuperAdmin'>;
}

/**
 * Gives an item to a user, or to none. To take it away the caller needs the right to change its owner.
 * @throws ServiceError `not_found` for the entry, then for the item; `permission_denied`
 */
export async function linkItem(name: ItemName, dn: Dn | undefined, call: OwningView): Promise<void> {
  const owner = dn && (await ownerAt(dn, call));
  await changeItem(
    name,
    async (item) => {
      const { owner: before, ...rest } = item;
      if (before && before.entry !== owner?.entry) await assertTakes(before, call);
      return owner ? { ...rest, owner } : rest;
    },
    call,
  );
}

/**
 * Somebody takes an item that nobody else has, and that is good, for what is done with it; where that fails, all is as before.
 * @throws ServiceError `not_found`, `invalid_params`
 */
export async function takeItem(
  name: ItemName,
  dn: Dn,
  use: () => Promise<void>,
  call: OwningView,
): Promise<void> {
  const owner = await ownerAt(dn, call);
  let wasOurs = false;
  await changeItem(
    name,
    (item) => {
      wasOurs = item.owner?.entry === owner.entry;
      if (item.owner && !wasOurs) throw refused(name, 'belongs to somebody else; unlink it first');
      if (!item.active) throw refused(name, 'is not active');
      if (item.status !== 'Valid') throw refused(name, `is ${item.status.toLowerCase()}`);
      return { ...item, owner };
    },
    call,
  );
  try {
    await use();
  } catch (error) {
    const given = ({ owner: now, ...rest }: InventoryItem) => (now?.entry === owner.entry ? rest : undefined);
    if (!wasOurs) await changeItem(name, given, call);
    throw error;
  }
}

const refused = ({ type, reference }: ItemName, why: string): ServiceError =>
  new ServiceError('invalid_params', { detail: `Inventory item '${type}-${reference}' ${why}` });

const ownerAt = async (dn: Dn, call: OwningView): Promise<ItemOwner> => ({
  dn: dn.format(),
  entry: await entryIdentifier(dn, call),
});

/** @throws ServiceError `permission_denied` */
export async function assertTakes({ dn, entry }: ItemOwner, call: OwningView): Promise<void> {
  const owner = Dn.parse(dn);
  try {
    if ((await entryIdentifier(owner, call)) === entry) {
      const { data_attribute: attribute } = call.config.schema;
      return await onEntry('update', owner, () => call.directory.assertWritable(owner, attribute));
    }
  } catch (error) {
    if (!isReason(error, 'not_found')) throw error;
  }
  assertSuperAdmin(call, 'take an inventory item from an owner who has gone');
}
