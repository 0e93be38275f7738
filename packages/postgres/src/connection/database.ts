/** The database: sends statements, each within a deadline. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError, SingleFlight, StartError, withTimeout } from '@watchword/core/foundation';
import { versionIn, versionKey } from '@watchword/core/ports';
import type { PoolClient } from 'pg';
import { partsOf } from '../steps/names.ts';
import { Fault, faultOf, serviceErrorOf } from './faults.ts';
import type { PostgresOptions } from './options.ts';
import { Deadline, RequestPatience, retryPause } from './patience.ts';
import { Primary } from './primary.ts';
import { type Statement, type TextParameter, TextQuery } from './text-query.ts';

const versionInForce: Statement<{ value: Buffer }> = {
  name: 'version-in-force',
  text: `SELECT value FROM watchword.kept
    WHERE subject = $1 AND family = $2 AND lasting`,
};

const tooLate = 'the database does not answer in time';

export class Database {
  readonly #primary: Primary;
  readonly #timeout: number;
  /** Deadlines of the requests that are under way. */
  readonly patience: RequestPatience;

  constructor(options: PostgresOptions) {
    this.#primary = new Primary(options);
    this.#timeout = options.timeout_ms;
    const inForce = new SingleFlight<string>();
    this.patience = new RequestPatience(this.#timeout, () => inForce.run('', () => this.#version()));
  }

  /** Reads the version of the run-time configuration that is in force. */
  async #version(): Promise<string> {
    const { family, subject } = partsOf(versionKey);
    const [row] = await this.patience.detached(() => this.read(versionInForce, [subject, family]));
    return versionIn(row?.value);
  }

  /**
   * Runs work until its deadline, which may end earlier with the time of its request.
   * @throws ServiceError `unavailable` if the database cannot be used or found, or does not answer in time
   */
  async withDeadline<T>(work: (deadline: Deadline) => Promise<T>): Promise<T> {
    const deadline = this.deadline();
    try {
      if (deadline.isOver) throw new ServiceError('unavailable', { detail: tooLate });
      return await withTimeout(deadline.left, work(deadline), tooLate);
    } catch (error) {
      throw serviceErrorOf(error);
    } finally {
      deadline.ended();
    }
  }

  /** Returns the deadline of a step that begins now: the rest of the time of its request. */
  deadline(): Deadline {
    return this.patience.deadline();
  }

  /** Calls `onTimeout` with an error at a deadline, unless the timer is cleared. */
  onTimeout(deadline: Deadline, onTimeout: (error: ServiceError) => void): NodeJS.Timeout {
    return setTimeout(() => onTimeout(new ServiceError('unavailable', { detail: tooLate })), deadline.left);
  }

  /** Runs a query that may be repeated, on another server after a failover. */
  read<R extends object>(statement: Statement<R>, values: readonly unknown[]): Promise<readonly R[]> {
    return this.withDeadline((deadline) => this.query(statement, values, deadline));
  }

  /** {@link read} within the deadline of other work. @throws Fault */
  async query<R extends object>(
    statement: Statement<R>,
    values: readonly unknown[],
    deadline: Deadline,
  ): Promise<readonly R[]> {
    return retry(deadline, () => this.#send(statement, values, deadline), isTransient);
  }

  /** Sends a statement once, in the background and outside the time of any request. @throws Fault */
  sendDetached<R extends object>(statement: Statement<R>, values: readonly unknown[]): Promise<readonly R[]> {
    return this.#send(statement, values, new Deadline(this.#timeout));
  }

  #send<R extends object>(
    { name, text }: Statement<R>,
    values: readonly unknown[],
    deadline: Deadline,
  ): Promise<readonly R[]> {
    return this.withConnection(
      async (client) => (await client.query<R>({ name, text, values: [...values] })).rows,
      deadline,
    );
  }

  /**
   * Sends a statement once, and returns one column of one row.
   * @param values called when there is a connection, and may leave out what is overdue by then
   * @throws Fault; the error of `values`
   */
  sendText(
    statement: Statement<object>,
    values: () => readonly TextParameter[],
    deadline: Deadline,
  ): Promise<string | null> {
    return this.withConnection(
      (client) =>
        new Promise((resolve, reject) => {
          const settle = (error: unknown, answer: string | null = null) =>
            error ? reject(error) : resolve(answer);
          client.query(new TextQuery(statement, values(), settle));
        }),
      deadline,
    );
  }

  /**
   * Runs work on a connection of its own.
   * @param deadline of the wait for a connection; left out: the time of a step
   * @throws Fault @internal
   */
  async withConnection<T>(work: (client: PoolClient) => Promise<T>, deadline = this.deadline()): Promise<T> {
    const { client, release } = await this.#primary.lease(deadline);
    try {
      const result = await work(client);
      release();
      return result;
    } catch (error) {
      const isOurs = error instanceof ServiceError || error instanceof StartError;
      const fault = isOurs ? undefined : faultOf(error);
      release(fault);
      throw fault ?? error;
    }
  }

  close(): Promise<void> {
    return this.#primary.close();
  }
}

const isTransient = ({ isTransient }: Fault): boolean => isTransient;

/** Repeats a task until it succeeds, fails for another reason, or its time is over. */
export async function retry<T>(
  deadline: Deadline,
  task: () => Promise<T>,
  shouldRetry: (fault: Fault) => boolean,
): Promise<T> {
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof Fault) || !shouldRetry(error) || deadline.isOver) throw error;
    }
    await sleep(retryPause);
  }
}
