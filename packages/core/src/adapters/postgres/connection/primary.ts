/**
 * Connections to the server that takes writes. All hosts are asked at the same time, so that one that swallows what is
 * sent to it keeps nobody waiting; each new connection is asked again, as a server may come back as a standby.
 */
import { DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg';
import { Fault, faultOf } from './faults.ts';
import type { PostgresHost, PostgresOptions } from './options.ts';

/** A connection that is nobody else's until it is given back. */
export interface Held {
  readonly client: PoolClient;
  /** @param fault what went wrong on it, which may end it and all others of its server */
  giveBack(fault?: Fault): void;
}

/** The connections to one server, for as long as it is the one to ask. */
interface Server {
  readonly pool: Promise<Pool>;
  /** Who waits for a connection, to be told when it is no longer. */
  readonly waiting: Set<() => void>;
}

export class Primary {
  readonly #options: PostgresOptions;
  #server: Server | undefined;
  readonly #leaving = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: PostgresOptions) {
    this.#options = options;
  }

  /** @throws Fault `not_done` if there is none in time */
  async hold(): Promise<Held> {
    if (this.#isClosed) throw new Fault('not_done', { cause: new Error('the pool is closed') });
    this.#server ??= { pool: this.#find(), waiting: new Set() };
    const server = this.#server;
    try {
      const pool = await server.pool;
      const client = await connected(pool, server.waiting);
      return { client, giveBack: (fault) => this.#giveBack(server, client, fault) };
    } catch (error) {
      const isBusy = error instanceof Error && error.message === allTaken;
      if (!isBusy) this.#leave(server);
      throw notConnected(error, !isBusy);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#server) this.#leave(this.#server);
    await Promise.all(this.#leaving);
  }

  #giveBack(server: Server, client: PoolClient, fault: Fault | undefined): void {
    client.release(fault?.isGone === true);
    if (fault?.isGone) this.#leave(server);
  }

  /** Who comes next, or waits, looks for the server anew; what is under way on the old one may end there. */
  #leave(server: Server): void {
    if (this.#server !== server) return;
    this.#server = undefined;
    for (const leave of server.waiting) leave();
    const ended = server.pool.then((pool) => pool.end(), ignore);
    this.#leaving.add(ended);
    void ended.finally(() => this.#leaving.delete(ended));
  }

  async #find(): Promise<Pool> {
    const pools = this.#options.hosts.map((host) => openPool(this.#options, host));
    const asked = pools.map(async (pool) => {
      (await pool.connect()).release();
      return pool;
    });
    try {
      const found = await Promise.any(asked);
      for (const pool of pools) if (pool !== found) void pool.end();
      return found;
    } catch (error) {
      for (const pool of pools) void pool.end();
      throw error instanceof AggregateError ? mostTelling(error.errors) : error;
    }
  }
}

/** Who waits for a connection in a pool that is given up would wait in vain. */
function connected(pool: Pool, waiting: Set<() => void>): Promise<PoolClient> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiting.delete(leave);
      reject(new Error('the server is gone'));
    };
    waiting.add(leave);
    pool.connect((error, client) => {
      const isAwaited = waiting.delete(leave);
      if (!client) reject(error);
      else if (isAwaited) resolve(client);
      else client.release();
    });
  });
}

/** What a server says itself says more than that another one is not there. */
const mostTelling = (errors: readonly unknown[]): unknown =>
  errors.find((error) => error instanceof DatabaseError) ?? errors[0];

/** With a wrong password, or without a database of that name, trying again helps nobody. */
function notConnected(cause: unknown, isGone: boolean): Fault {
  const isPassing = cause instanceof DatabaseError ? faultOf(cause).isPassing : true;
  return new Fault('not_done', { isGone, isPassing, cause });
}

/**
 * Whether it is a standby. And statements are prepared once for as long as a connection lives: a plan that was good while
 * tables were small would read all of them later.
 */
const greeting = `SELECT current_setting('transaction_read_only') AS standby,
  set_config('enable_seqscan', 'off', false), set_config('enable_hashjoin', 'off', false),
  set_config('enable_mergejoin', 'off', false)`;

/** What `pg` says of a pool whose connections are all in use. */
const allTaken = 'timeout exceeded when trying to connect';

/** A connection that nobody needs is closed after a minute. */
const idle = 60_000;

function openPool(options: PostgresOptions, { host, port }: PostgresHost): Pool {
  const { user, password, database, tls, connections, timeout_ms: timeout } = options;
  const pool = new Pool({
    ...{ host, port, user, password, database, max: connections, application_name: 'watchword' },
    ...{ ssl: tls && { ...tls, rejectUnauthorized: true }, keepAlive: true, idleTimeoutMillis: idle },
    ...deadlines(timeout),
    verify: (client, done) => {
      client.query<{ standby: string }>(greeting).then(
        ({ rows: [row] }) => (row?.standby === 'off' ? done() : done(new Error(`${host} takes no writes`))),
        (error: unknown) => done(faultOf(error)),
      );
    },
  });
  // A connection that breaks is told of by an event, which ends the process if nobody hears it: while it is idle, which the
  // pool hears, while it is verified, and between two statements. Whoever uses it then is told again.
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

const ignore = (): void => undefined;

/** So that after an answer that did not come there is time left to ask what became of it. */
const deadlines = (timeout: number): PoolConfig => ({
  connectionTimeoutMillis: Math.ceil(timeout / 4),
  query_timeout: Math.ceil(timeout / 2),
  statement_timeout: Math.ceil(timeout * 0.45),
});
