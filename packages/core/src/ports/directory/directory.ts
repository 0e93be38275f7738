/**
 * The directory port. A {@link DirectoryServer} is an LDAP directory, or the embedded one. A {@link Directory} is bound as one identity, so
 * that the access rules of the directory decide. Every engine passes the contract suite in `testing/contracts/directory`.
 */
import type { Dn, Rdn } from '../../foundation/text/dn.ts';
import type { Filter } from '../../foundation/text/filter.ts';
import type { BinaryAttributeNames } from '../../foundation/text/schema-definition.ts';
import type { Attributes, AttributeValue } from '../../foundation/text/value.ts';
import type { EnforcedPasswordPolicy } from './password-policy.ts';

export type { EnforcedPasswordPolicy, PasswordPolicy } from './password-policy.ts';

/** An entry as read: the DN as `Dn.format` writes it, in the directory's letter case; attribute names in lower case. */
export interface Entry {
  readonly dn: string;
  readonly attributes: Attributes;
}

/** The scope of a search (RFC 4511 §4.5.1.2): the base, its children, or the subtree with the base. */
export type SearchScope = 'base' | 'one' | 'sub';

export interface SearchRequest {
  readonly base: Dn;
  readonly scope: SearchScope;
  readonly filter: Filter;
  /** Attributes to return: all user attributes if left out, none for an empty list (`1.1`), operational ones by name. */
  readonly attributes?: readonly string[];
  /** The most entries; one more is `too_large`. */
  readonly limit?: number;
  /** Whether a search beyond the limit returns some entries, instead of `too_large`. */
  readonly partial?: boolean;
}

export type PagesRequest = Pick<SearchRequest, 'base' | 'filter' | 'attributes'>;

/** A request for a page of an entry's children. */
export interface ChildrenRequest extends Pick<SearchRequest, 'base' | 'filter' | 'attributes'> {
  /** The most entries of the page. */
  readonly limit: number;
  /** {@link ChildrenPage.next} of the page before; left out for the first page. */
  readonly after?: string | undefined;
}

export interface ChildrenPage {
  /** May be fewer than the limit, or none, with more on the next page. */
  readonly entries: readonly Entry[];
  /** An opaque text; undefined after the last page. */
  readonly next: string | undefined;
}

/**
 * A change of a modify (RFC 4511 §4.6). `replace` without values removes an attribute, existing or not. `delete` without values removes an
 * attribute, and fails with `value_missing` if it does not exist.
 */
export interface Change {
  readonly operation: 'add' | 'delete' | 'replace';
  readonly attribute: string;
  readonly values: readonly AttributeValue[];
}

export interface Rename {
  /** The new RDN; values of the old one are removed. */
  readonly rdn: Rdn;
  /** The new parent; unchanged if left out. */
  readonly parent?: Dn;
}

/**
 * A directory bound as one identity. Every call may throw a ServiceError, such as `not_found`, `permission_denied`, `schema_refused` or
 * `unavailable`. Its `detail` is the directory's message, without DNs. A modify is atomic, and is never a read with a later write.
 * @see docs/concepts/stores-and-nodes.md#engines
 * @example
 * ```ts
 * import { type Directory, Dn, equal } from '@watchword/core';
 *
 * export const findByMail = (directory: Directory, mail: string) =>
 *   directory.search({ base: Dn.parse('dc=example,dc=org'), scope: 'sub', filter: equal('mail', mail) });
 * ```
 */
export interface Directory {
  /** The bound identity. */
  readonly identity: Dn;

  /** Searches entries, in creation order, the base first. @throws `not_found` if the base does not exist */
  search(request: SearchRequest): Promise<readonly Entry[]>;

  /**
   * Reads a page of children, in an order of the directory. A child that exists all the time comes once. The cost of a page does not grow
   * with the pages before it.
   * @throws `not_found` if the base does not exist; `invalid_params` for an `after` that no page had
   */
  children(request: ChildrenRequest): Promise<ChildrenPage>;

  /** Reads an entry; undefined if it does not exist. @param attributes as in {@link SearchRequest} */
  read(dn: Dn, attributes?: readonly string[]): Promise<Entry | undefined>;

  /**
   * Adds an entry, atomically. Missing values of the RDN are added. A clear password is stored hashed, or set by the directory's password
   * operation; a hash (`{SCHEME}…`) is stored unchanged.
   * @throws `already_exists`; `not_found` if the parent does not exist; `schema_refused`; `password_refused`
   */
  add(dn: Dn, attributes: Attributes): Promise<void>;

  /**
   * Applies all changes or none. Clear passwords are treated as in {@link add}.
   * @throws `not_found`, `schema_refused`, `value_exists` (RFC 4511 result 20), `value_missing` (result 16)
   */
  modify(dn: Dn, changes: readonly Change[]): Promise<void>;

  /** Renames an entry, moves it, or both. @throws `not_found` (entry or new parent), `already_exists` */
  rename(dn: Dn, to: Rename): Promise<void>;

  /** Removes a leaf. @throws `not_found`; `schema_refused` if it has children */
  remove(dn: Dn): Promise<void>;

  /**
   * Sets a password as an administrator: by RFC 3062, `unicodePwd`, or a hash of ours.
   * @param options.mustChange whether the user has to change it at the next login
   * @throws `password_refused` with the policy's message; `not_found`
   */
  setPassword(dn: Dn, password: string, options: { readonly mustChange: boolean }): Promise<void>;

  /**
   * Checks whether this identity may change an attribute of an entry, and changes nothing. For data beside the entry, such as settings in
   * metadata mode, and for checks in advance. An attribute that the schema lacks is judged like `description`, a password attribute like
   * {@link setPassword}.
   * @throws `permission_denied`; `not_found`
   */
  assertWritable(dn: Dn, attribute: string): Promise<void>;

  /** Releases the connection. Further calls fail. */
  close(): Promise<void>;
}

/** The reason of a refused bind. `wrong_password` also means a user that does not exist. */
export type BindRefusal =
  | 'wrong_password'
  | 'account_disabled'
  | 'account_locked'
  | 'account_expired'
  | 'password_expired'
  | 'not_permitted_now';

export type BindResult =
  | {
      readonly granted: true;
      readonly directory: Directory;
      /** Whether the password is right, but has to be changed first. */
      readonly mustChange: boolean;
    }
  | { readonly granted: false; readonly refusal: BindRefusal };

/** The result of an authentication without a lasting connection. */
export type Authentication =
  | {
      readonly granted: true;
      readonly mustChange: boolean;
      /** Remaining grace logins of an expired password; left out if it has not expired. */
      readonly graceLogins?: number | undefined;
    }
  | { readonly granted: false; readonly refusal: BindRefusal };

export interface PasswordChange {
  readonly old: string;
  readonly wanted: string;
}

/**
 * The origin of a password check. Checks that wait are served in turn by caller, those of known users first. A check that has begun is
 * completed, so that a caller learns nothing about a password without a counted failure.
 */
export interface Requester {
  /** The caller, by key, certificate or address. */
  readonly caller: string;
  /** Whether the user has logged in from there before. */
  readonly isKnown: boolean;
  /** Aborted when the client has disconnected: a check that has not begun is dropped. */
  readonly signal?: AbortSignal | undefined;
}

export interface AuthenticateOptions {
  /** The entry as just read, with {@link Capabilities.mustChangeAttribute}, to save a read. */
  readonly entry?: Entry | undefined;
  /** Left out for the program itself, which is never refused. */
  readonly requester?: Requester | undefined;
}

/** The capabilities of a directory, read at the first contact. */
export interface Capabilities {
  readonly vendor: 'openldap' | 'active-directory' | 'embedded' | 'other';
  /** Whether the classes and attributes of `schema/` are installed (docs/concepts/dialects-and-names.md#schema-extension). */
  readonly accountSchema: boolean;
  /** The attribute that identifies an entry permanently: `entryuuid` or `objectguid`. */
  readonly identifier: string;
  /** The attribute that is `TRUE` while a password must be changed at the next login; undefined where a bind shows it. */
  readonly mustChangeAttribute: string | undefined;
  /** The identity of the service in the directory. */
  readonly service: Dn;
  /** The base of the directory. */
  readonly base: Dn;
  /** The policy of new passwords, where it is not in an entry; undefined where the directory does not publish it. */
  readonly passwords?: EnforcedPasswordPolicy | undefined;
}

/** The current connections to a directory. */
export interface ConnectionCounts {
  /** The base of the directory; empty where none is configured. */
  readonly base: string;
  /** The use of the connections. */
  readonly pool: 'service' | 'logins';
  readonly open: number;
  /** Connections with a request in flight. */
  readonly inUse: number;
  /** Requests that wait for a connection. */
  readonly waiting: number;
}

/** Schema definitions (RFC 4512 §4.2), in the notation of §4.1. */
export interface SchemaDefinitions {
  readonly objectClasses: readonly string[];
  readonly attributeTypes: readonly string[];
}

/**
 * The port of a directory: OpenLDAP, Active Directory, the embedded one, or one of the program.
 * @see docs/architecture.md#write-an-engine-of-a-port
 * @example
 * ```ts
 * import { type DirectoryServer, Dn } from '@watchword/core';
 *
 * export const isRight = async (server: DirectoryServer, user: string, password: string) =>
 *   (await server.authenticate(Dn.parse(user), password)).granted;
 * ```
 */
export interface DirectoryServer {
  /** The directory as the service, to find users before a login. Never used for an administrator. */
  readonly service: Directory;

  /**
   * Binds as an identity, on a connection of its own. An empty password is `wrong_password`, never anonymous.
   * @param requester left out for the program itself, which is never refused
   * @throws ServiceError as {@link authenticate} does
   */
  bind(dn: Dn, password: string, requester?: Requester): Promise<BindResult>;

  /**
   * Checks a password without keeping a connection. The time is the same whether the user exists or not.
   * @throws ServiceError `unavailable` with `retryAfter` where too many wait, or the client has disconnected before the check began
   */
  authenticate(dn: Dn, password: string, judging?: AuthenticateOptions): Promise<Authentication>;

  /**
   * Changes a password as its user, bound by the old one, under the policy of the directory. The caller counts the attempt first, as for a
   * bind.
   * @returns the refusal of the old password; undefined after a change
   * @throws `password_refused` with the policy's message; `permission_denied` where users may not change passwords; `unavailable`
   */
  changePassword(dn: Dn, passwords: PasswordChange): Promise<BindRefusal | undefined>;

  /**
   * Reads a value that changes with every change of the entry, its password or its locks. Read by the service, and never cached.
   * @returns undefined if the entry does not exist, or the directory has no such value
   */
  revision(dn: Dn): Promise<string | undefined>;

  /**
   * Searches the subtree as the service, in pages and in no order, with one page in memory. Concurrent changes of entries may show or not.
   * @throws as {@link Directory.search} does
   */
  pages(request: PagesRequest): AsyncIterable<readonly Entry[]>;

  /** Reads the capabilities of the directory of a DN. The same promise until the caches are cleared. */
  capabilities(dn: Dn): Promise<Capabilities>;

  /** Reads the schema of the directory of a DN; empty where the service may not read it. */
  schema(dn: Dn): Promise<SchemaDefinitions>;

  /**
   * Reads the attributes with a binary syntax, cached for a while; none where the service may not read the schema.
   * @throws ServiceError `unavailable`
   */
  binaryAttributes(dn: Dn): Promise<BinaryAttributeNames>;

  /**
   * Sets the users, and the groups, with the right to write everything. All other identities but the service only read. A directory with its
   * own access rules ignores it.
   */
  setWriters(writers: readonly Dn[]): void;

  /** Tests the directory. @throws ServiceError `unavailable` if it does not answer */
  probe(): Promise<void>;

  /** Returns the current connections; left out for a directory without connections. */
  connections?(): readonly ConnectionCounts[];

  /** Clears the caches of schema and capabilities. */
  clearCaches(): void;

  close(): Promise<void>;
}
