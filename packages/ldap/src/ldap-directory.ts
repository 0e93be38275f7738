/**
 * An LDAP server (OpenLDAP, Active Directory) as a {@link DirectoryServer}. The service and each bound identity have pipelined connections.
 * Those for logins have one request at a time, as a bind changes the identity.
 */

import {
  type BinaryAttributeNames,
  type Dn,
  type MaybePromise,
  ServiceError,
  thenMaybe,
} from '@watchword/core/foundation';
import type {
  AuthenticateOptions,
  Authentication,
  BindRefusal,
  BindResult,
  Capabilities,
  Clock,
  ConnectionCounts,
  Directory,
  DirectoryServer,
  Entry,
  Log,
  PagesRequest,
  PasswordChange,
  SchemaDefinitions,
} from '@watchword/core/ports';
import { granted, wrongPassword } from './authentications.ts';
import { BinaryAttributes } from './binary-attributes.ts';
import { BoundDirectory } from './bound-directory.ts';
import { CursorCache } from './children/cursor-cache.ts';
import { type BindAnswer, bind } from './connection/binds.ts';
import { type Connection, ConnectionLost } from './connection/connection.ts';
import { Connector, serviceRetryPause, throwServiceRefused } from './connection/connector.ts';
import { Lazy } from './connection/lazy.ts';
import { type LdapOptions, type LdapSettings, readOptions } from './connection/options.ts';
import { Pool } from './connection/pool.ts';
import { breakOnRefusal } from './connection/refusal-breaker.ts';
import { RefusalDelay } from './connection/refusal-delay.ts';
import { findMissing } from './connection/required-entries.ts';
import { readCapabilities, readFacts, readSchema, type ServerFacts } from './root-dse.ts';
import { searchPages } from './searches.ts';

export interface LdapPorts {
  readonly clock: Clock;
  readonly log: Log;
}

/** Most requests in flight on a pipelined connection. */
const pipelined = 64;
/** Connections of a bound identity: a second one, so that a long search does not block the others. */
const perIdentity = 2;

/**
 * Creates a directory, which connects on first use. Close it to end its connections.
 * @param options the addresses and the account of the service; times in milliseconds
 * @param ports the clock and the log
 * @returns the directory
 * @throws ServiceError `invalid_params` for invalid options, as an unencrypted URL that is not allowed
 * @see docs/concepts/dialects-and-names.md#directory-vendor
 * @example
 * ```ts
 * import { openLdapDirectory } from '@watchword/ldap';
 * import { createLog, systemClock } from '@watchword/node';
 *
 * const account = { bind_dn: 'cn=watchword,dc=example,dc=org', bind_password: 'a password' };
 * const ports = { clock: systemClock, log: createLog({ level: 'warn', format: 'text' }, process.stderr) };
 * const directory = openLdapDirectory({ urls: ['ldaps://ldap.example.org'], ...account }, ports);
 * await directory.close();
 * ```
 */
export function openLdapDirectory(options: LdapOptions, ports: LdapPorts): DirectoryServer {
  return new LdapDirectory(readOptions(options), ports);
}

/** A {@link BindResult} with a directory of ours. */
type BoundResult =
  | Exclude<BindResult, { readonly granted: true }>
  | (Extract<BindResult, { readonly granted: true }> & { readonly directory: BoundDirectory });

class LdapDirectory implements DirectoryServer {
  readonly service: Directory;
  readonly #settings: LdapSettings;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #connector: Connector;
  readonly #openService: () => Promise<Connection>;
  readonly #shared: Pool;
  readonly #logins: Pool;
  /** Pools of bound identities that are open. */
  readonly #own = new Set<Pool>();
  /** Cursors outlive the connections of an identity, which binds again for each page. */
  readonly #cursors = new CursorCache();
  readonly #bindDelay: RefusalDelay;
  readonly #loginDelay: RefusalDelay;
  readonly #facts = new Lazy<ServerFacts>(() =>
    this.#shared.run('read', (connection) => readFacts(connection, this.#settings)),
  );
  readonly #capabilities = new Lazy<Capabilities>(async () => {
    const facts = await this.#facts.get();
    const { dn: service } = this.#settings.service;
    const found = await this.#shared.run('read', (connection) => readCapabilities(connection, facts));
    return { ...found, service, base: facts.base };
  });
  readonly #binary: BinaryAttributes;

  constructor(settings: LdapSettings, { clock, log }: LdapPorts) {
    this.#settings = settings;
    this.#clock = clock;
    this.#binary = new BinaryAttributes(() => this.schema(), { clock, log });
    this.#log = log;
    const { targets, timeout, bases } = settings;
    this.#connector = new Connector({
      ...{ targets, timeout, bases, clock, log },
      findMissing: (target, share) => findMissing(target, settings, share),
    });
    this.#bindDelay = new RefusalDelay(clock);
    this.#loginDelay = new RefusalDelay(clock);
    const login = this.#login(settings.service, serviceRetryPause);
    this.#openService = () => login().catch(throwServiceRefused);
    this.#shared = this.#pool(pipelined, settings.connections, this.#openService);
    this.#logins = this.#pool(1, settings.connections, () => this.#connector.open());
    this.service = this.#bound(settings.service.dn, this.#shared, this.#openService);
  }

  async bind(dn: Dn, password: string): Promise<BoundResult> {
    if (isAnonymous(dn, password)) return wrongPassword;
    const { connection, answer } = await this.#bindDelay.run(
      () => this.#open(dn, password),
      (opened) => opened.answer.granted,
    );
    if (answer.granted && answer.bound) {
      const reopen = this.#login({ dn, password }, Number.POSITIVE_INFINITY);
      const pool = this.#pool(pipelined, perIdentity, reopen);
      pool.adopt(connection);
      this.#own.add(pool);
      const mustChange = answer.mustChange || (await this.#mustChange(dn));
      return { granted: true, mustChange, directory: this.#bound(dn, pool, reopen) };
    }
    connection.retire();
    return answer.granted ? { granted: false, refusal: 'password_expired' } : answer;
  }

  authenticate(dn: Dn, password: string, { entry }: AuthenticateOptions = {}): Promise<Authentication> {
    if (isAnonymous(dn, password)) return Promise.resolve(wrongPassword);
    const started = this.#loginDelay.begin();
    return this.#logins
      .run('read', (connection, done) => bind(connection, { dn, password }, done))
      .then((answer) => {
        if (!answer.granted) return this.#loginDelay.refused(started).then(() => answer);
        this.#loginDelay.granted(started);
        const { mustChange, graceLogins } = answer;
        return thenMaybe(mustChange || this.#mustChange(dn, entry), (isReset) =>
          granted(isReset, graceLogins),
        );
      });
  }

  async changePassword(dn: Dn, passwords: PasswordChange): Promise<BindRefusal | undefined> {
    const bound = await this.bind(dn, passwords.old);
    if (!bound.granted) return bound.refusal;
    const { directory } = bound;
    try {
      await directory.changePassword(passwords);
      return undefined;
    } finally {
      await directory.close();
    }
  }

  /**
   * Reads the flag that an administrator sets with a password. OpenLDAP itself checks it only with `pwdMustChange: TRUE` in the user's policy.
   */
  #mustChange(dn: Dn, known?: Entry): MaybePromise<boolean> {
    return thenMaybe(this.#facts.get(), ({ dialect: { resetFlag } }) => {
      if (resetFlag === undefined) return false;
      const reading = known ?? this.service.read(dn, [resetFlag]);
      return thenMaybe(reading, (entry) => entry?.attributes.get(resetFlag)?.[0] === 'TRUE');
    });
  }

  async revision(dn: Dn): Promise<string | undefined> {
    const { revision } = (await this.#facts.get()).dialect;
    const entry = await this.service.read(dn, revision);
    if (!entry?.attributes.has(revision[0] ?? '')) return undefined;
    return revision.map((name) => entry.attributes.get(name)?.join(' ') ?? '').join('|');
  }

  /** Uses a connection of its own, so that a full scan does not block other paged searches. */
  async *pages(search: PagesRequest): AsyncGenerator<readonly Entry[]> {
    const { dialect } = await this.#facts.get();
    const { pageSize } = this.#settings;
    const connection = await this.#openService();
    try {
      yield* searchPages(connection, { ...search, scope: 'sub' }, { dialect, pageSize });
    } catch (error) {
      throw error instanceof ConnectionLost
        ? new ServiceError('unavailable', { detail: connectionLost, cause: error })
        : error;
    } finally {
      connection.retire();
    }
  }

  capabilities(): Promise<Capabilities> {
    return this.#capabilities.promise();
  }

  async schema(): Promise<SchemaDefinitions> {
    const { dialect } = await this.#facts.get();
    return this.#shared.run('read', (connection) => readSchema(connection, dialect));
  }

  binaryAttributes(): Promise<BinaryAttributeNames> {
    return this.#binary.names();
  }

  /** Does nothing: the server has access rules. */
  setWriters(): void {}

  async probe(): Promise<void> {
    const { base } = await this.#facts.get();
    if (await this.service.read(base, [])) return;
    throw new ServiceError('unavailable', { detail: `the service sees nothing at ${base}` });
  }

  connections(): readonly ConnectionCounts[] {
    const base = this.#settings.base?.format() ?? '';
    return [
      { base, pool: 'service', ...this.#shared.counts() },
      { base, pool: 'logins', ...this.#logins.counts() },
    ];
  }

  clearCaches(): void {
    this.#facts.forget();
    this.#capabilities.forget();
    this.#binary.forget();
  }

  async close(): Promise<void> {
    this.#connector.close();
    this.#cursors.close();
    await Promise.all([this.#shared, this.#logins, ...this.#own].map((pool) => pool.close()));
  }

  #pool(capacity: number, size: number, open: () => Promise<Connection>): Pool {
    return new Pool({ open, size, capacity, timeout: this.#settings.timeout });
  }

  #bound(identity: Dn, pool: Pool, open: () => Promise<Connection>): BoundDirectory {
    const { pageSize, targets } = this.#settings;
    return new BoundDirectory({
      ...{ identity, pool, open },
      cursors: this.#cursors,
      pageSize,
      encrypted: targets.every(({ security }) => security !== 'plain'),
      log: this.#log,
      facts: () => this.#facts.get(),
      close: () => {
        this.#own.delete(pool);
        return pool.close();
      },
    });
  }

  /** Opens a connection, and binds with any result. */
  async #open(dn: Dn, password: string): Promise<{ connection: Connection; answer: BindAnswer }> {
    let answer: BindAnswer = wrongPassword;
    const connection = await this.#connector.open(async (opened) => {
      answer = await bind(opened, { dn, password });
    });
    return { connection, answer };
  }

  /** Opens connections of an identity. @param pause milliseconds without attempts after a refusal */
  #login(
    { dn, password }: { readonly dn: Dn; readonly password: string },
    pause: number,
  ): () => Promise<Connection> {
    return breakOnRefusal(() => this.#reopen(dn, password), { clock: this.#clock, pause });
  }

  /** Opens a bound connection: an unbound one would be anonymous. */
  async #reopen(dn: Dn, password: string): Promise<Connection> {
    const { connection, answer } = await this.#open(dn, password);
    if (answer.granted && answer.bound) return connection;
    connection.retire();
    throw new ServiceError('credentials_refused', { detail: 'the password has changed since' });
  }
}

const connectionLost = 'the connection to the directory was cut';

/** Returns whether a bind would be anonymous, which many servers grant (RFC 4513 §5.1.1 and §5.1.2). */
function isAnonymous(dn: Dn, password: string): boolean {
  return dn.isRoot || password === '';
}
