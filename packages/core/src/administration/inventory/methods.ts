/** The rows of the method table for the inventory; those for a single item are extensions of ours. */

import { formatTimestamp } from '../../foundation/text/timestamp.ts';
import { method } from '../../table/method.ts';
import {
  bytesByName,
  choice,
  count,
  dnOrNone,
  flag,
  optional,
  success,
  text,
  timestampOrNone,
  written,
} from '../../table/schema/index.ts';
import {
  dropItem,
  type ImportView,
  type ItemSearchView,
  importItem,
  lookAtItem,
  searchItems,
  updateItems,
} from './administration.ts';
import { type InventoryItem, type InventoryView, statuses } from './item.ts';
import { linkItem, type OwningView } from './owning.ts';

const alice = 'uid=alice,ou=people,dc=example,dc=org';
const type = 'OTP Token';
const name = { type, reference: '4711' };

const named = () => ({ type: text(), reference: text() });
const status = () => optional(choice(...statuses));
const flagged = () => optional(flag());

const references = written(
  { type: 'array', items: { type: 'string' } },
  (items: readonly InventoryItem[]): readonly string[] => items.map(({ reference }) => reference),
);

const plain = { type: 'string' };
const described = written(
  {
    type: 'object',
    properties: {
      ...{ type: plain, reference: plain, description: plain, active: { type: 'boolean' } },
      status: { enum: [...statuses] },
      imported: { ...plain, description: '`YYYY-MM-DD HH:MM:SS` in UTC.' },
      dn: {
        ...plain,
        description: 'Of its owner, as it was when the item was linked; left out: nobody has it.',
      },
      data: { type: 'array', items: plain, description: 'The names of what comes with it.' },
    },
  },
  ({ owner, data, imported, ...item }: InventoryItem) => ({
    ...{ ...item, imported: formatTimestamp(imported), data: Object.keys(data) },
    ...(owner && { dn: owner.dn }),
  }),
);

export const inventoryMethods = {
  Import_Inventory_Item: method({
    summary:
      'Takes a device into the inventory; an `OTP Token` comes with TokenType, TokenKey, TokenID, TokenState and TokenAlgorithm, a `PIV Device` with PublicKey (DER SubjectPublicKeyInfo).',
    on: 'nothing',
    params: {
      ...named(),
      ...{ description: text(), data: bytesByName(['TokenKey']), active: flagged(), status: status() },
    },
    example: {
      ...name,
      description: 'Hardware token, blue',
      data: { TokenType: 'SE9UUA==', TokenKey: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=' },
    },
    result: success(),
    permission: 'write',
    run: ({ active = true, status = 'Valid', ...item }, call: ImportView) =>
      importItem({ ...item, active, status }, call),
  }),
  Link_Inventory_Item: method({
    summary: 'Gives an item of the inventory to a user; without `dn` nobody has it any more.',
    on: 'dn',
    params: { ...named(), dn: dnOrNone() },
    example: { ...name, dn: alice },
    result: success(),
    permission: 'write',
    run: ({ dn, ...item }, call: OwningView) => linkItem(item, dn, call),
  }),
  Search_Inventory_Items: method({
    summary:
      'Finds items of a type that meet all that is given, the oldest first: `filter` is the whole reference, `*` standing for anything; `start` and `stop` are moments in UTC, `YYYY-MM-DD HH:MM:SS`.',
    on: 'nothing',
    params: {
      ...{ type: text(), filter: optional(text()), linked: flagged(), active: flagged(), status: status() },
      ...{ start: timestampOrNone(), stop: timestampOrNone() },
    },
    example: { type, filter: '47*', linked: false },
    result: references,
    permission: 'read',
    run: (wanted, call: ItemSearchView) => searchItems(wanted, call),
  }),
  Update_Inventory_Items: method({
    summary:
      'Sets `active` and `status` of all items of a type that `filter` and `linked` name; answers how many these are.',
    on: 'nothing',
    params: {
      ...{ type: text(), filter: optional(text()), linked: flagged(), active: flagged(), status: status() },
    },
    example: { type, filter: '4711', status: 'Lost' },
    result: count(),
    permission: 'write',
    run: (wanted, call: InventoryView) => updateItems(wanted, call),
  }),
  Get_Inventory_Item: method({
    summary:
      'Tells what is known of an item of the inventory, and who has it; its secrets stay where they are.',
    on: 'nothing',
    params: named(),
    example: name,
    result: described,
    permission: 'read',
    run: (item, call: InventoryView) => lookAtItem(item, call),
  }),
  Remove_Inventory_Item: method({
    summary: 'Takes an item out of the inventory; a token that was registered from it stays with its user.',
    on: 'nothing',
    params: named(),
    example: name,
    result: success(),
    permission: 'write',
    run: (item, call: OwningView) => dropItem(item, call),
  }),
} as const;
