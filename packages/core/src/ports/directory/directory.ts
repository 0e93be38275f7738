/**
 * The directory port. A {@link DirectoryServer} is a directory that people run, or our embedded one; a
 * {@link Directory} is that directory seen by one bound identity, so that its own access rules decide.
 * Every adapter passes the contract suite in `testing/directory-contract.ts`.
 */
import type { Dn, Rdn } from '../../foundation/text/dn.ts';
import type { Filter } from '../../foundation/text/filter.ts';
import type { BinaryAttributeNames } from '../../foundation/text/schema-definition.ts';
import type { Attributes, AttributeValue } from '../../foundation/text/value.ts';

/** An entry as read: the DN by RFC 4514 as `Dn.format` writes it, in the directory's letter case; names in lower case. */
export interface Entry {
  readonly dn: string;
  readonly attributes: Attributes;
}

/** RFC 4511 §4.5.1.2: the base only, its children, or the whole subtree with the base. */
export type Scope = 'base' | 'one' | 'sub';

export interface SearchRequest {
  readonly base: Dn;
  readonly scope: Scope;
  readonly filter: Filter;
  /** Names to return; left out: all user attributes. An empty list: none (`1.1`). Operational ones by name. */
  readonly attributes?: readonly string[];
  /** At most this many entries; one more is `too_large`. */
  readonly limit?: number;
  /** Instead of `too_large`, give as many of the entries as the limit allows, whichever they are. */
  readonly partial?: boolean;
}

export type PagesRequest = Pick<SearchRequest, 'base' | 'filter' | 'attributes'>;

/** Children of an entry, so many at a time. */
export interface ChildrenRequest extends Pick<SearchRequest, 'base' | 'filter' | 'attributes'> {
  /** At most so many of them. */
  readonly limit: number;
  /** The {@link ChildrenPage.next} of the page before; left out: the first page. */
  readonly after?: string | undefined;
}

export interface ChildrenPage {
  /** There may be fewer of them than the limit, or none, and more on the next page. */
  readonly entries: readonly Entry[];
  /** Opaque text; undefined: that was the last page. */
  readonly next: string | undefined;
}

/**
 * One change of a modify, RFC 4511 §4.6. `replace` with no values removes the attribute, there or not;
 * `delete` with no values removes it whole and fails with `value_missing` if it is not there.
 */
export interface Change {
  readonly operation: 'add' | 'delete' | 'replace';
  readonly attribute: string;
  readonly values: readonly AttributeValue[];
}

export interface Rename {
  /** The new RDN; its old value leaves the entry unless it is the new one too. */
  readonly rdn: Rdn;
  /** The new parent; left out: stays where it is. */
  readonly parent?: Dn;
}

/**
 * A directory bound as one identity. Every call may throw a ServiceError: `not_found`, `permission_denied`,
 * `schema_refused`, `unavailable`, … with the directory's own words as `detail`; no DN in them, the caller
 * knows which one it was about. A modify is atomic, and is sent as it is: never read, then replaced.
 */
export interface Directory {
  /** Who is bound. */
  readonly identity: Dn;

  /** Entries in creation order, the base first. @throws `not_found` if the base does not exist. */
  search(request: SearchRequest): Promise<readonly Entry[]>;

  /**
   * Children of an entry, a page at a time, in an order of the directory's own: each that is there all the while comes once,
   * and a page costs much the same however many there are before it.
   * @throws `not_found` if the base does not exist; `invalid_params` for an `after` that no page had
   */
  children(request: ChildrenRequest): Promise<ChildrenPage>;

  /** One entry, or undefined if there is none. `attributes` as in {@link SearchRequest}. */
  read(dn: Dn, attributes?: readonly string[]): Promise<Entry | undefined>;

  /**
   * Adds an entry. Values of the RDN that are not among `attributes` are added. A password in clear in a
   * password attribute is stored hashed (or set by the directory's password operation); one that is hashed
   * already (`{SCHEME}…`) is stored as it is. All of it happens or nothing.
   * @throws `already_exists`; `not_found` if the parent does not exist; `schema_refused`; `password_refused`.
   */
  add(dn: Dn, attributes: Attributes): Promise<void>;

  /**
   * Applies all changes or none. Passwords in clear are treated as in {@link add}.
   * @throws `not_found`, `schema_refused`, `value_exists` (RFC 4511 result 20), `value_missing` (result 16).
   */
  modify(dn: Dn, changes: readonly Change[]): Promise<void>;

  /** Renames, moves or both. @throws `not_found` (entry or new parent), `already_exists`. */
  rename(dn: Dn, to: Rename): Promise<void>;

  /** Removes a leaf. @throws `not_found`; `schema_refused` if entries stand below. */
  remove(dn: Dn): Promise<void>;

  /**
   * Sets a password as an administrator does: RFC 3062, `unicodePwd`, or a hash of ours.
   * @param options.mustChange the user has to change it at the next login
   * @throws `password_refused` with the policy's words; `not_found`.
   */
  setPassword(dn: Dn, password: string, options: { readonly mustChange: boolean }): Promise<void>;

  /**
   * Judges whether this identity may change an attribute of an entry, and changes nothing: for what is kept
   * beside the entry, which goes by its rights (settings in metadata mode, certificates that are signed), and to
   * look for the rights that will be needed. An attribute that the directory has not is judged as the description is; one that
   * holds passwords as setting a password is.
   * @throws `permission_denied`; `not_found`
   */
  assertWritable(dn: Dn, attribute: string): Promise<void>;

  /** Gives the connection back. Further calls fail. */
  close(): Promise<void>;
}

/** Why a bind was not granted. `wrong_password` also stands for a user that does not exist. */
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
      /** The password is right, and the directory wants another one at once. */
      readonly mustChange: boolean;
    }
  | { readonly granted: false; readonly refusal: BindRefusal };

/** What an authentication without a lasting connection found. */
export type Authentication =
  | {
      readonly granted: true;
      readonly mustChange: boolean;
      /** Logins that an expired password is still good for, after this one; left out: it has not expired. */
      readonly graceLogins?: number | undefined;
    }
  | { readonly granted: false; readonly refusal: BindRefusal };

export interface PasswordChange {
  readonly old: string;
  readonly wanted: string;
}

/**
 * On whose behalf a password is judged. Where many wait for that, those who ask take turns, and whoever may be known comes before
 * strangers. One for each attempt to log in: what has begun with it is brought to an end, neither refused nor given up, so
 * that nobody learns about a password without a failure that counts.
 */
export interface Asker {
  /** Whoever calls, by its key, its certificate or its address. */
  readonly caller: string;
  /** The user has logged in from there before. */
  readonly isKnown: boolean;
  /** Aborted when nobody waits for the answer any more: what has not begun then is not begun. */
  readonly signal?: AbortSignal | undefined;
}

export interface Judging {
  /** The entry as it was just read, with {@link Capabilities.mark}: it is not read once more. */
  readonly entry?: Entry | undefined;
  /** Left out: this program itself, which is never refused. */
  readonly asker?: Asker | undefined;
}

/** What this directory can do, found out when it is first reached. */
export interface Capabilities {
  readonly vendor: 'openldap' | 'active-directory' | 'embedded' | 'other';
  /** The classes and attributes of `schema/` are installed (docs/concepts/dialects-and-names.md#schema-extension). */
  readonly accountSchema: boolean;
  /** Names of the attribute that identifies an entry for ever: `entryuuid` or `objectguid`. */
  readonly identifier: string;
  /** Attribute that is `TRUE` while a password must be changed at the next login; undefined: a bind always tells. */
  readonly mark: string | undefined;
  /** Whom the service is bound as there. */
  readonly service: Dn;
  /** The entry that all others stand below. */
  readonly base: Dn;
  /** What new passwords have to be, where it is not an entry that says it; undefined: the directory does not tell. */
  readonly passwords?: JudgedPolicy | undefined;
}

/** What a directory asks of a new password in clear. */
export interface PasswordPolicy {
  /** In characters. */
  readonly minLength: number;
  /** Passwords on a list of common ones are refused. */
  readonly refusesCommon: boolean;
}

/** A policy by which its directory judges. */
export interface JudgedPolicy extends PasswordPolicy {
  /** Checks a new password in clear. @throws ServiceError `password_refused`, which names the rule */
  assertTakes(password: string): Promise<void>;
}

/** Connections to a directory at this moment. */
export interface ConnectionCounts {
  /** Of the directory; empty where the configuration names none. */
  readonly base: string;
  /** What they are for. */
  readonly pool: 'service' | 'logins';
  readonly open: number;
  /** Those of them with a request under way. */
  readonly inUse: number;
  /** Requests that wait for one. */
  readonly waiting: number;
}

/** RFC 4512 §4.2: what entries are made of, each definition in the notation of §4.1. */
export interface SchemaDefinitions {
  readonly objectClasses: readonly string[];
  readonly attributeTypes: readonly string[];
}

export interface DirectoryServer {
  /** The service's own view: finds users before anyone is logged in. Never used on an administrator's behalf. */
  readonly service: Directory;

  /**
   * Binds as an identity on a connection of its own. An empty password is `wrong_password`, never anonymous.
   * @param asker left out: this program itself, which is never refused
   * @throws ServiceError as {@link authenticate}
   */
  bind(dn: Dn, password: string, asker?: Asker): Promise<BindResult>;

  /**
   * Checks a password without keeping a connection. Costs the same whether the user exists or not.
   * @throws ServiceError `unavailable` with the seconds after which it is worth trying again, where too many wait;
   *   the same where the asker has gone before it began
   */
  authenticate(dn: Dn, password: string, judging?: Judging): Promise<Authentication>;

  /**
   * Changes a password as its user does: bound by the old one, under the policy of the directory. It is judged like a bind: who
   * asks for it has counted that first.
   * @returns why the old one lets nobody in; undefined: it is changed
   * @throws `password_refused` with the words of the policy; `permission_denied` where users may not; `unavailable`
   */
  changePassword(dn: Dn, passwords: PasswordChange): Promise<BindRefusal | undefined>;

  /**
   * A value that changes whenever the entry does (its password, its locks, its attributes); undefined if
   * there is no such entry or the directory does not tell. Read by the service, cheap, never cached.
   */
  revision(dn: Dn): Promise<string | undefined>;

  /**
   * What a search of the whole subtree by the service finds, a few entries at a time and in no order, for who goes
   * through all of them: it holds no more than a page, however many they are. An entry that comes, goes or changes
   * meanwhile may be among them or not, and as it was or as it is. @throws as {@link Directory.search}
   */
  pages(request: PagesRequest): AsyncIterable<readonly Entry[]>;

  /** Reads what the directory that holds this entry, or would hold it, can do. The same promise until its caches are cleared. */
  capabilities(dn: Dn): Promise<Capabilities>;

  /** The schema of the directory that holds this entry, or would hold it; empty where the service may not see it. */
  schema(dn: Dn): Promise<SchemaDefinitions>;

  /**
   * Attributes of that directory whose syntax is one of bytes, by each name in lower case and by OID; none where the service cannot see
   * the schema. Read once in a while. @throws ServiceError `unavailable`
   */
  binaryAttributes(dn: Dn): Promise<BinaryAttributeNames>;

  /**
   * Names who may write everything: users, and groups whose members may; everybody else only reads, and everybody
   * until it is called, the service apart. A directory that keeps rights of its own goes by those.
   */
  letWrite(writers: readonly Dn[]): void;

  /** Throws `unavailable` if the directory does not answer. */
  probe(): Promise<void>;

  /** Left out where there are no connections. */
  connections?(): readonly ConnectionCounts[];

  /** Forgets what is cached (schema, capabilities). */
  clearCaches(): void;

  close(): Promise<void>;
}
