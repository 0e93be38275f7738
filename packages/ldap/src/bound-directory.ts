/** The directory port over connections that are bound as one identity. */

import {
  type Attributes,
  type Dn,
  isPasswordAttribute,
  isReason,
  type Soon,
  soon,
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
import type { Cursors } from './children/cursors.ts';
import { givenBefore, markOf, type PagedContext, readPaged } from './children/paged.ts';
import { readRanges, type Scale, scales } from './children/ranges.ts';
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
  /** A connection besides those of the pool. */
  open(): Promise<Connection>;
  readonly cursors: Cursors;
  /** What kind of server it is. */
  facts(): Soon<ServerFacts>;
  readonly pageSize: number;
  /** Whether what is sent is encrypted on its way. */
  readonly encrypted: boolean;
  readonly log: Log;
  /** Ends the connections. */
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
    return soon(this.#options.facts(), ({ dialect, base }) => {
      const { pool, pageSize } = this.#options;
      // Below the root DSE there is nothing to search: what is meant is the naming context.
      const whole = request.base.isRoot && request.scope !== 'base';
      const search = whole ? { ...request, base } : request;
      return pool.run('read', (connection) => searchEntries(connection, search, { dialect, pageSize }));
    });
  }

  children(request: ChildrenRequest): Promise<ChildrenPage> {
    return soon(this.#options.facts(), ({ dialect }) => {
      const { identity } = this;
      const { pool, pageSize, cursors, open } = this.#options;
      const context = { dialect, pageSize, identity, cursors, open };
      return pool.run('read', (connection) => readChildren(connection, request, context));
    });
  }

  read(dn: Dn, attributes?: readonly string[]): Promise<Entry | undefined> {
    return soon(this.#options.facts(), ({ dialect }) =>
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

  /** Of whoever is bound. */
  async changePassword(passwords: PasswordChange): Promise<void> {
    await (await this.#passwords()).change(this.identity, passwords);
  }

  /**
   * LDAP has no question for it: a value that is not there is asked to be deleted and put back. Rights are judged
   * before values (RFC 4511 §4.6 leaves it open; OpenLDAP and Active Directory do), and all is done or nothing. Where
   * the schema has no such attribute, or one that takes no text, the description is asked instead.
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

/** Between the place in the ranges and that where paging has ended. */
const beyond = '~';

/**
 * A page costs a page: Active Directory has an index for ranges, other servers page. OpenLDAP may let nobody page so far: then ranges take
 * over, without what came by paging.
 */
async function readChildren(
  connection: Connection,
  asked: ChildrenRequest,
  context: PagedContext,
): Promise<ChildrenPage> {
  const { vendor } = context.dialect;
  const scale = scales[vendor];
  const isRange = vendor === 'active-directory' || asked.after?.includes('.');
  if (scale && isRange) return readBeyond(connection, asked, { ...context, scale });
  try {
    return await readPaged(connection, asked, context);
  } catch (error) {
    if (!scale || !isReason(error, 'too_large')) throw error;
    const after = asked.after === undefined ? undefined : `${beyond}${asked.after}`;
    return readBeyond(connection, { ...asked, after }, { ...context, scale });
  }
}

async function readBeyond(
  connection: Connection,
  asked: ChildrenRequest,
  context: PagedContext & { readonly scale: Scale },
): Promise<ChildrenPage> {
  const [range, paged] = asked.after?.split(beyond) ?? [];
  const after = range === '' && paged !== undefined ? undefined : range;
  const page = await readRanges(connection, { ...asked, after }, context);
  if (paged === undefined) return page;
  const given = await givenBefore(asked, paged, context);
  return {
    entries: page.entries.filter((entry) => !given.has(markOf(entry))),
    next: page.next === undefined ? undefined : `${page.next}${beyond}${paged}`,
  };
}
