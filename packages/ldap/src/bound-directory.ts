/** The directory port over connections that are bound as an identity. */

import {
  type Attributes,
  type Dn,
  isPasswordAttribute,
  isReason,
  type MaybePromise,
  thenMaybe,
} from '@watchword/core/foundation';
import type {
  Change,
  ChildrenPage,
  ChildrenRequest,
  Directory,
  Entry,
  Log,
  PasswordChange,
  Rename,
  SearchRequest,
} from '@watchword/core/ports';
import type { CursorCache } from './children/cursor-cache.ts';
import { digestOf, type PagedContext, readBefore, readPaged } from './children/paged.ts';
import { type RangeKey, rangeKeys, readRanges } from './children/ranges.ts';
import type { Connection } from './connection/connection.ts';
import type { Pool } from './connection/pool.ts';
import { removeEntry, renameEntry } from './operations.ts';
import { adPasswords } from './passwords/ad-passwords.ts';
import { openldapPasswords } from './passwords/openldap-passwords.ts';
import type { VendorPasswords } from './passwords/vendor-passwords.ts';
import { expectSuccess } from './results.ts';
import type { ServerFacts } from './root-dse.ts';
import { readOne, searchEntries } from './searches.ts';
import { withRdnValues } from './wire/rdn-values.ts';

export interface BoundDirectoryOptions {
  readonly identity: Dn;
  readonly pool: Pool;
  /** Opens a connection outside the pool. */
  open(): Promise<Connection>;
  readonly cursors: CursorCache;
  facts(): MaybePromise<ServerFacts>;
  readonly pageSize: number;
  readonly encrypted: boolean;
  readonly log: Log;
  close(): Promise<void>;
}

export class BoundDirectory implements Directory {
  readonly identity: Dn;
  readonly #options: BoundDirectoryOptions;

  constructor(options: BoundDirectoryOptions) {
    this.identity = options.identity;
    this.#options = options;
  }

  search(request: SearchRequest): Promise<readonly Entry[]> {
    return thenMaybe(this.#options.facts(), ({ dialect, base }) => {
      const { pool, pageSize } = this.#options;
      // A search from the root means the naming context: the root DSE has no entries below it.
      const whole = request.base.isRoot && request.scope !== 'base';
      const search = whole ? { ...request, base } : request;
      return pool.run('read', (connection) => searchEntries(connection, search, { dialect, pageSize }));
    });
  }

  children(request: ChildrenRequest): Promise<ChildrenPage> {
    return thenMaybe(this.#options.facts(), ({ dialect }) => {
      const { identity } = this;
      const { pool, pageSize, cursors, open } = this.#options;
      const context = { dialect, pageSize, identity, cursors, open };
      return pool.run('read', (connection) => readChildren(connection, request, context));
    });
  }

  read(dn: Dn, attributes?: readonly string[]): Promise<Entry | undefined> {
    return thenMaybe(this.#options.facts(), ({ dialect }) =>
      this.#options.pool.run('read', (connection) => readOne(connection, { dn, attributes, dialect })),
    );
  }

  async add(dn: Dn, attributes: Attributes): Promise<void> {
    await (await this.#passwords()).add(dn, withRdnValues(dn, attributes));
  }

  async modify(dn: Dn, changes: readonly Change[]): Promise<void> {
    await (await this.#passwords()).modify(dn, changes);
  }

  async rename(dn: Dn, to: Rename): Promise<void> {
    expectSuccess(await renameEntry(this.#options.pool, dn, to));
  }

  async remove(dn: Dn): Promise<void> {
    expectSuccess(await removeEntry(this.#options.pool, dn));
  }

  async setPassword(
    dn: Dn,
    password: string,
    { mustChange }: { readonly mustChange: boolean },
  ): Promise<void> {
    await (await this.#passwords()).set(dn, password, mustChange);
  }

  /** Changes the password of the bound identity. */
  async changePassword(passwords: PasswordChange): Promise<void> {
    await (await this.#passwords()).change(this.identity, passwords);
  }

  /**
   * Tries to delete an absent value and to add it again, as LDAP has no operation to ask for rights. Servers check rights before values
   * (RFC 4511 §4.6 leaves it open). Without the attribute in the schema the description is tried instead.
   */
  async assertWritable(dn: Dn, attribute: string): Promise<void> {
    if (isPasswordAttribute(attribute)) return (await this.#passwords()).assertSettable(dn);
    try {
      await this.#tryToChange(dn, attribute);
    } catch (error) {
      if (!isReason(error, 'schema_refused')) throw error;
      await this.#tryToChange(dn, 'description');
    }
  }

  async #tryToChange(dn: Dn, attribute: string): Promise<void> {
    const values = ['no such value: may this entry be changed?'];
    try {
      await this.modify(dn, [
        { operation: 'delete', attribute, values },
        { operation: 'add', attribute, values },
      ]);
    } catch (error) {
      if (!isReason(error, 'value_missing')) throw error;
    }
  }

  close(): Promise<void> {
    return this.#options.close();
  }

  async #passwords(): Promise<VendorPasswords> {
    const { pool, encrypted, log } = this.#options;
    const { dialect } = await this.#options.facts();
    const context = { pool, dialect, encrypted, log };
    return dialect.vendor === 'active-directory' ? adPasswords(context) : openldapPasswords(context);
  }
}

/** Separates the token of ranges from that where paging has ended. */
const separator = '~';

/**
 * Reads a page by ranges on Active Directory, which has an index for them, and by a paged search elsewhere. If OpenLDAP limits paging, ranges
 * continue, without the entries of earlier pages.
 */
async function readChildren(
  connection: Connection,
  request: ChildrenRequest,
  context: PagedContext,
): Promise<ChildrenPage> {
  const { vendor } = context.dialect;
  const rangeKey = rangeKeys[vendor];
  const isRange = vendor === 'active-directory' || request.after?.includes('.');
  if (rangeKey && isRange) return readByRanges(connection, request, { ...context, rangeKey });
  try {
    return await readPaged(connection, request, context);
  } catch (error) {
    if (!rangeKey || !isReason(error, 'too_large')) throw error;
    const after = request.after === undefined ? undefined : `${separator}${request.after}`;
    return readByRanges(connection, { ...request, after }, { ...context, rangeKey });
  }
}

async function readByRanges(
  connection: Connection,
  request: ChildrenRequest,
  context: PagedContext & { readonly rangeKey: RangeKey },
): Promise<ChildrenPage> {
  const [range, paged] = request.after?.split(separator) ?? [];
  const after = range === '' && paged !== undefined ? undefined : range;
  const page = await readRanges(connection, { ...request, after }, context);
  if (paged === undefined) return page;
  const before = await readBefore(request, paged, context);
  return {
    entries: page.entries.filter((entry) => !before.has(digestOf(entry))),
    next: page.next === undefined ? undefined : `${page.next}${separator}${paged}`,
  };
}
