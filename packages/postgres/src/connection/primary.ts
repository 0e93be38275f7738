/**
 * The connection pool of the primary. All hosts are tried at the same time, so that a silent one delays no call. Each new connection is
 * checked, as a server may come back as a standby.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError, Pool, type PoolClient } from 'pg';
import { Fault, faultOf, mayPass } from './faults.ts';
import type { PostgresHost, PostgresOptions } from './options.ts';
import { type Deadline, retryPause } from './patience.ts';
import { clientWithSilenceTimeout } from './silence-timeout.ts';

/** A connection for exclusive use until it is released. */
export interface Lease {
  readonly client: PoolClient;
  /** @param fault the fault of its use, which may end the pool of its server */
  release(fault?: Fault): void;
}

/** The pool of the server that is the primary. */
interface Server {
  readonly pool: Promise<Pool>;
  /** Callbacks of calls that wait for a connection, which run when the server is abandoned. */
  readonly waiting: Set<() => void>;
}

export class Primary {
  readonly #options: PostgresOptions;
  #server: Server | undefined;
  readonly #closing = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: PostgresOptions) {
    this.#options = options;
  }

  /** Leases a connection. @throws Fault `not_done` if there is none in time */
  async lease(deadline: Deadline): Promise<Lease> {
    if (this.#isClosed) throw new Fault('not_done', { cause: new Error('the pool is closed') });
    this.#server ??= { pool: this.#find(), waiting: new Set() };
    const server = this.#server;
    const client = await this.#connect(server, deadline);
    return { client, release: (fault) => this.#release(server, client, fault) };
  }

  /** A caller that stops waiting leaves the new connection to the next caller. */
  #connect(server: Server, deadline: Deadline): Promise<PoolClient> {
    const { waiting } = server;
    return new Promise((resolve, reject) => {
      const giveUp = (why: Fault) => {
        waiting.delete(leave);
        clearTimeout(timer);
        reject(why);
      };
      const leave = () => giveUp(notConnected(new Error('the server is gone'), true));
      const timer = setTimeout(() => giveUp(notConnected(new Error(allTaken), false)), deadline.left);
      waiting.add(leave);
      const failed = (error: unknown) => {
        const isBusy = error instanceof Error && error.message === allTaken;
        giveUp(notConnected(error, !isBusy));
        if (!isBusy) this.#abandon(server);
      };
      const connect = (pool: Pool) => {
        if (!waiting.has(leave)) return;
        pool.connect((error, client) => {
          if (!client) failed(error);
          else if (waiting.delete(leave)) {
            clearTimeout(timer);
            resolve(client);
          } else client.release();
        });
      };
      server.pool.then(connect, failed);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#server) this.#abandon(this.#server);
    await Promise.all(this.#closing);
  }

  #release(server: Server, client: PoolClient, fault: Fault | undefined): void {
    client.release(fault?.isServerLost === true);
    if (fault?.isServerLost) this.#abandon(server);
  }

  /** Makes waiting and later calls find the primary again. Statements under way end on the old server. */
  #abandon(server: Server): void {
    if (this.#server !== server) return;
    this.#server = undefined;
    for (const leave of server.waiting) leave();
    const ended = server.pool.then((pool) => pool.end(), ignore);
    this.#closing.add(ended);
    void ended.finally(() => this.#closing.delete(ended));
  }

  /** Finds the primary. A host that refuses is tried again while another has not answered: it may become the primary. */
  async #find(): Promise<Pool> {
    const pools = this.#options.hosts.map((host) => openPool(this.#options, host));
    const refused = new Set<Pool>();
    let isFound = false;
    const asked = pools.map(async (pool) => {
      for (;;) {
        try {
          (await pool.connect()).release();
          return pool;
        } catch (error) {
          refused.add(pool);
          if (!isFound && notConnected(error, true).isTransient) await sleep(retryPause);
          else throw error;
          if (isFound || refused.size === pools.length) throw error;
        }
      }
    });
    try {
      const found = await Promise.any(asked);
      isFound = true;
      for (const pool of pools) if (pool !== found) void pool.end();
      return found;
    } catch (error) {
      for (const pool of pools) void pool.end();
      throw error instanceof AggregateError ? mostSpecific(error.errors) : error;
    }
  }
}

/** Prefers an error of a server to the absence of another. */
const mostSpecific = (errors: readonly unknown[]): unknown =>
  errors.find((error) => error instanceof DatabaseError) ?? errors[0];

const notConnected = (cause: unknown, isServerLost: boolean): Fault =>
  new Fault('not_done', { isServerLost, isTransient: mayPass(cause), cause });

/**
 * The first query of a connection, which finds standbys and sets the planner. Prepared statements keep their plans, and a plan for small tables
 * would scan large ones later.
 */
const sessionSetup = `SELECT current_setting('transaction_read_only') AS standby,
  set_config('enable_seqscan', 'off', false), set_config('enable_hashjoin', 'off', false),
  set_config('enable_mergejoin', 'off', false)`;

/** The message of `pg` when all connections of a pool are in use. */
const allTaken = 'timeout exceeded when trying to connect';

/** The life of an idle connection in milliseconds. */
const idle = 60_000;

function openPool(options: PostgresOptions, { host, port }: PostgresHost): Pool {
  const { user, password, database, tls, connections, timeout_ms: timeout } = options;
  const pool = new Pool({
    ...{ host, port, user, password, database, max: connections, application_name: 'watchword' },
    ...{ ssl: tls && { ...tls, rejectUnauthorized: true }, keepAlive: true, idleTimeoutMillis: idle },
    ...bounds(timeout),
    Client: clientWithSilenceTimeout(Math.ceil(timeout / 4)),
    verify: (client, done) => {
      client.query<{ standby: string }>(sessionSetup).then(
        ({ rows: [row] }) => (row?.standby === 'off' ? done() : done(new Error(`${host} takes no writes`))),
        (error: unknown) => done(faultOf(error)),
      );
    },
  });
  // A broken connection emits an event, which ends the process without a listener: on the pool while it is idle, on the client while it is
  // verified and between statements. Its next use fails, too.
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

const ignore = (): void => undefined;

/** Timeouts of a connection. After a lost answer there is time left to ask for the outcome. */
const bounds = (timeout: number) => ({
  connectionTimeoutMillis: timeout,
  query_timeout: Math.ceil(timeout / 2),
  statement_timeout: Math.ceil(timeout * 0.45),
});
