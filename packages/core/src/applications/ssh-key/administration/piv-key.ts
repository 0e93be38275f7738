/** Registers the key of a PIV card of the inventory as an SSH key; its private key never leaves the card. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { findItem, type InventoryItem } from '../../../administration/inventory/item.ts';
import { type OwningView, takeItem } from '../../../administration/inventory/owning.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import { publicKeyOf } from '../public-key.ts';
import { type KeyView, takeKey } from './key-administration.ts';

export interface PivView extends KeyView, OwningView {
  readonly store: KeyView['store'] & OwningView['store'];
  readonly keys: KeyView['keys'];
  readonly server: KeyView['server'];
}

const type = 'PIV Device';

/**
 * The item belongs to the user from then on. How long and how often the key is good, the settings of the user say.
 * @throws ServiceError `not_found`; `invalid_params` if the item is another's, is not valid, or has no key that SSH takes
 */
export async function registerPiv(dn: Dn, serial: string, call: PivView): Promise<void> {
  const { item } = await findItem({ type, reference: serial.trim() }, call);
  await takeItem(item, dn, () => takeKey(dn, () => publicKeyOf(keyOf(item)), {}, call), call);
}

function keyOf({ reference, data }: InventoryItem): KeyObject {
  try {
    const key = Buffer.from(data.PublicKey ?? '', 'base64');
    return createPublicKey({ key, format: 'der', type: 'spki' });
  } catch (cause) {
    const detail = `Inventory item '${type}-${reference}' has no PublicKey, a DER SubjectPublicKeyInfo`;
    throw new ServiceError('invalid_params', { detail, cause });
  }
}
