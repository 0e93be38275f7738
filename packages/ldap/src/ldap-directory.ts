/**
 * A directory server that people run, OpenLDAP or Active Directory, as a {@link DirectoryServer}. Three kinds of
 * connections: the service's (shared, many requests on each), those for checking passwords (one request at a
 * time, since each changes who is bound), and for every bound identity its own.
 */

import {
  type BinaryAttributeNames,
  type Dn,
  ServiceError,
  type Soon,
  soon,
} from '@watchword/core/foundation';
import type {
  Authentication,
  BindRefusal,
  BindResult,
  Capabilities,
  Clock,
  ConnectionCounts,
  Directory,
  DirectoryServer,
  Entry,
  Judging,
  Log,
  PagesRequest,
  PasswordChange,
  SchemaDefinitions,
} from '@watchword/core/ports';
import { BinaryAttributes } from './binary-attributes.ts';
import { BoundDirectory } from './bound-directory.ts';
import { Cursors } from './children/cursors.ts';
import { type BindAnswer, bind } from './connection/binds.ts';
import { type Connection, Cut } from './connection/connection.ts';
import { Connector, servicePause, throwServiceRefused } from './connection/connector.ts';
import { missingAt } from './connection/holdings.ts';
import { Once } from './connection/once.ts';
import { type LdapOptions, type LdapSettings, readOptions } from './connection/options.ts';
import { Pool } from './connection/pool.ts';
import { RefusalPace } from './connection/refusal-pace.ts';
import { untilRefused } from './connection/until-refused.ts';
import { readCapabilities, readFacts, readSchema, type ServerFacts } from './root-dse.ts';
import { searchPages } from './searches.ts';

export interface LdapPorts {
  readonly clock: Clock;
  readonly log: Log;
}

/** Requests in flight on one connection at most, where they can share it. */
const pipelined = 64;
/** Connections of one bound identity: a second one so that a long search does not hold up everything. */
const perIdentity = 2;

/**
 * Connects when it is first used. Close it to end its connections.
 * @throws ServiceError `invalid_params` if the options cannot work, as an unencrypted URL that is not allowed
 */
export function createLdapDirectory(options: LdapOptions, ports: LdapPorts): DirectoryServer {
  return new LdapDirectory(readOptions(options), ports);
}

/** A {@link BindResult} whose directory is known to be ours. */
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
  /** Those of bound identities that are not closed yet. */
  readonly #own = new Set<Pool>();
  /** Whoever asks again shows the password again: they may outlast the connections of an identity. */
  readonly #cursors = new Cursors();
  readonly #bindPace: RefusalPace;
  readonly #loginPace: RefusalPace;
  readonly #facts = new Once<ServerFacts>(() =>
    this.#shared.run('read', (connection) => readFacts(connection, this.#settings)),
  );
  readonly #capabilities = new Once<Capabilities>(async () => {
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
      missingAt: (target, share) => missingAt(target, settings, share),
    });
    this.#bindPace = new RefusalPace(clock);
    this.#loginPace = new RefusalPace(clock);
    const login = this.#login(settings.service, servicePause);
    this.#openService = () => login().catch(throwServiceRefused);
    this.#shared = this.#pool(pipelined, settings.connections, this.#openService);
    this.#logins = this.#pool(1, settings.connections, () => this.#connector.open());
    this.service = this.#bound(settings.service.dn, this.#shared, this.#openService);
  }

  async bind(dn: Dn, password: string): Promise<BoundResult> {
    if (isAnonymous(dn, password)) return wrongPassword;
    const { connection, answer } = await this.#bindPace.hold(
      () => this.#open(dn, password),
      (opened) => opened.answer.granted,
    );
    if (answer.granted && answer.bound) {
      const reopen = this.#login({ dn, password }, Number.POSITIVE_INFINITY);
      const pool = this.#pool(pipelined, perIdentity, reopen);
      pool.adopt(connection);
      this.#own.add(pool);
      const mustChange = answer.mustChange || (await this.#isMarked(dn));
      return { granted: true, mustChange, directory: this.#bound(dn, pool, reopen) };
    }
    connection.retire();
    return answer.granted ? { granted: false, refusal: 'password_expired' } : answer;
  }

  authenticate(dn: Dn, password: string, { entry }: Judging = {}): Promise<Authentication> {
    if (isAnonymous(dn, password)) return Promise.resolve(wrongPassword);
    const asked = this.#loginPace.begin();
    return this.#logins
      .run('read', (connection, done) => bind(connection, { dn, password }, done))
      .then((answer) => {
        if (!answer.granted) return this.#loginPace.refused(asked).then(() => answer);
        this.#loginPace.granted(asked);
        const { mustChange, graceLogins } = answer;
        return soon(mustChange || this.#isMarked(dn, entry), (isMarked) => granted(isMarked, graceLogins));
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
   * The mark that an administrator has set with the password. OpenLDAP minds it only where the policy of the user
   * says `pwdMustChange: TRUE`, which it does not by itself.
   */
  #isMarked(dn: Dn, known?: Entry): Soon<boolean> {
    return soon(this.#facts.get(), ({ dialect: { mark } }) => {
      if (mark === undefined) return false;
      const reading = known ?? this.service.read(dn, [mark]);
      return soon(reading, (entry) => entry?.attributes.get(mark)?.[0] === 'TRUE');
    });
  }

  async revision(dn: Dn): Promise<string | undefined> {
    const { revision } = (await this.#facts.get()).dialect;
    const entry = await this.service.read(dn, revision);
    if (!entry?.attributes.has(revision[0] ?? '')) return undefined;
    return revision.map((name) => entry.attributes.get(name)?.join(' ') ?? '').join('|');
  }

  /** On a connection of its own: who goes through everything keeps nobody else from paging. */
  async *pages(search: PagesRequest): AsyncGenerator<readonly Entry[]> {
    const { dialect } = await this.#facts.get();
    const { pageSize } = this.#settings;
    const connection = await this.#openService();
    try {
      yield* searchPages(connection, { ...search, scope: 'sub' }, { dialect, pageSize });
    } catch (error) {
      throw error instanceof Cut ? new ServiceError('unavailable', { detail: wasCut, cause: error }) : error;
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

  /** The access rules of the server say it. */
  letWrite(): void {}

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

  /** A connection of its own for one identity, whatever comes of the bind. */
  async #open(dn: Dn, password: string): Promise<{ connection: Connection; answer: BindAnswer }> {
    let answer: BindAnswer = wrongPassword;
    const connection = await this.#connector.open(async (opened) => {
      answer = await bind(opened, { dn, password });
    });
    return { connection, answer };
  }

  /** Opens connections of one identity. @param pause milliseconds after a refusal */
  #login(
    { dn, password }: { readonly dn: Dn; readonly password: string },
    pause: number,
  ): () => Promise<Connection> {
    return untilRefused(() => this.#reopen(dn, password), { clock: this.#clock, pause });
  }

  /** Never hands out a connection that is not bound: that would be anonymous. */
  async #reopen(dn: Dn, password: string): Promise<Connection> {
    const { connection, answer } = await this.#open(dn, password);
    if (answer.granted && answer.bound) return connection;
    connection.retire();
    throw new ServiceError('credentials_refused', { detail: 'the password has changed since' });
  }
}

const wasCut = 'the connection to the directory was cut';

function granted(mustChange: boolean, graceLogins: number | undefined): Authentication {
  if (graceLogins !== undefined) return { granted: true, mustChange, graceLogins };
  return mustChange ? toChange : asItIs;
}

const asItIs = { granted: true, mustChange: false } as const;
const toChange = { granted: true, mustChange: true } as const;

const wrongPassword = { granted: false, refusal: 'wrong_password' } as const;

/** RFC 4513 §5.1.1 and §5.1.2: no name or no password binds anonymously, and many servers grant that. */
function isAnonymous(dn: Dn, password: string): boolean {
  return dn.isRoot || password === '';
}
