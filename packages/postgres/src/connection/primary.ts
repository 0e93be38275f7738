/**
 * Connections to the server that takes writes. All hosts are asked at the same time, so that one that swallows what is
 * sent to it keeps nobody waiting; each new connection is asked again, as a server may come back as a standby.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError, Pool, type PoolClient } from 'pg';
import { Fault, faultOf, mayPass } from './faults.ts';
import type { PostgresHost, PostgresOptions } from './options.ts';
import { type Deadline, pause } from './patience.ts';
import { patientClient } from './patient-client.ts';

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
  async hold(deadline: Deadline): Promise<Held> {
    if (this.#isClosed) throw new Fault('not_done', { cause: new Error('the pool is closed') });
    this.#server ??= { pool: this.#find(), waiting: new Set() };
    const server = this.#server;
    const client = await this.#connected(server, deadline);
    return { client, giveBack: (fault) => this.#giveBack(server, client, fault) };
  }

  /** A caller that stops waiting leaves the connection that is being made to the next one. */
  #connected(server: Server, deadline: Deadline): Promise<PoolClient> {
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
        if (!isBusy) this.#leave(server);
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

  /** A host that refuses is asked again while another one has not answered yet: it may become the one that takes writes. */
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
          if (!isFound && notConnected(error, true).isPassing) await sleep(pause);
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
      throw error instanceof AggregateError ? mostTelling(error.errors) : error;
    }
  }
}

/** What a server says itself says more than that another one is not there. */
const mostTelling = (errors: readonly unknown[]): unknown =>
  errors.find((error) => error instanceof DatabaseError) ?? errors[0];

const notConnected = (cause: unknown, isGone: boolean): Fault =>
  new Fault('not_done', { isGone, isPassing: mayPass(cause), cause });

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
    ...bounds(timeout),
    Client: patientClient(Math.ceil(timeout / 4)),
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

/**
 * A caller that waits for a connection stops at its own deadline. After an answer that did not come there is time left to ask what
 * became of it.
 */
const bounds = (timeout: number) => ({
  connectionTimeoutMillis: timeout,
  query_timeout: Math.ceil(timeout / 2),
  statement_timeout: Math.ceil(timeout * 0.45),
});
