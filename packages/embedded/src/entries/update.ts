/** Updates of entries as data, which another process can make. */

import type { Attributes, Dn } from '@watchword/core/foundation';
import type { Change, Rename } from '@watchword/core/ports';
import type { Environment } from '../storage/environment.ts';
import type { Tables } from '../storage/snapshot.ts';
import { type Transaction, withinTransaction } from '../storage/transaction.ts';
import { type Access, assertMayWrite } from './access.ts';
import type { ChangeContext } from './stamps.ts';
import { addEntry, modifyEntry, removeEntry, renameEntry } from './updates.ts';

/** An update of RFC 4511 §4.6–4.9. Its passwords are hashed. */
export type Update =
  | { readonly kind: 'add'; readonly dn: Dn; readonly attributes: Attributes }
  | { readonly kind: 'modify'; readonly dn: Dn; readonly changes: readonly Change[] }
  | { readonly kind: 'rename'; readonly dn: Dn; readonly to: Rename }
  | { readonly kind: 'remove'; readonly dn: Dn };

/** An update with the access and author of its identity. */
export interface UpdateRequest {
  readonly update: Update;
  readonly access: Access;
  readonly author: ChangeContext;
}

export interface DirectoryTables {
  readonly environment: Environment;
  readonly tables: Tables;
  readonly base: Dn;
}

/** Makes an update in a transaction of its own. @throws ServiceError as the methods of `Directory` do */
export async function makeUpdate(
  { environment, tables, base }: DirectoryTables,
  { update, access, author }: UpdateRequest,
): Promise<void> {
  await environment.write(() =>
    withinTransaction(tables, base, (transaction) => {
      assertMayWrite(transaction, access);
      apply(transaction, update, author);
    }),
  );
}

function apply(transaction: Transaction, update: Update, author: ChangeContext): void {
  const { kind, dn } = update;
  if (kind === 'add') addEntry(transaction, dn, { attributes: update.attributes, author });
  else if (kind === 'modify') modifyEntry(transaction, dn, { changes: update.changes, author });
  else if (kind === 'rename') renameEntry(transaction, dn, { to: update.to, author });
  else removeEntry(transaction, dn, author);
}
