/** An update of one entry as data, so that it can be weighed, and made by another process. */

import type { Attributes, Dn } from '@watchword/core/foundation';
import type { Change, Rename } from '@watchword/core/ports';
import type { Environment } from '../storage/environment.ts';
import type { Tables } from '../storage/snapshot.ts';
import { type Transaction, withinTransaction } from '../storage/transaction.ts';
import { type Access, assertMayWrite } from './access.ts';
import type { Author } from './stamps.ts';
import { addEntry, modifyEntry, removeEntry, renameEntry } from './updates.ts';

/** RFC 4511 §4.6–4.9. Passwords in it are hashed. */
export type Update =
  | { readonly kind: 'add'; readonly dn: Dn; readonly attributes: Attributes }
  | { readonly kind: 'modify'; readonly dn: Dn; readonly changes: readonly Change[] }
  | { readonly kind: 'rename'; readonly dn: Dn; readonly to: Rename }
  | { readonly kind: 'remove'; readonly dn: Dn };

/** An update, and in whose name it is made. */
export interface Order {
  readonly update: Update;
  readonly access: Access;
  readonly author: Author;
}

/** Where the entries are. */
export interface Place {
  readonly environment: Environment;
  readonly tables: Tables;
  readonly base: Dn;
}

/** Makes an update in a transaction of its own. @throws ServiceError as `Directory` says, and nothing is changed */
export async function makeUpdate(
  { environment, tables, base }: Place,
  { update, access, author }: Order,
): Promise<void> {
  await environment.write(() =>
    withinTransaction(tables, base, (transaction) => {
      assertMayWrite(transaction, access);
      apply(transaction, update, author);
    }),
  );
}

function apply(transaction: Transaction, update: Update, author: Author): void {
  const { kind, dn } = update;
  if (kind === 'add') addEntry(transaction, dn, { attributes: update.attributes, author });
  else if (kind === 'modify') modifyEntry(transaction, dn, { changes: update.changes, author });
  else if (kind === 'rename') renameEntry(transaction, dn, { to: update.to, author });
  else removeEntry(transaction, dn, author);
}
