/** Statements that are sent to the database, each within a deadline. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError, StartError, withTimeout } from '@watchword/core/foundation';
import type { PoolClient } from 'pg';
import { Fault, faultOf, told } from './faults.ts';
import type { PostgresOptions } from './options.ts';
import { Deadline, pause, RequestPatience } from './patience.ts';
import { Primary } from './primary.ts';
import { type Statement, type TextParameter, TextQuery } from './text-query.ts';

const tooLate = 'the database does not answer in time';

export class Database {
  readonly #primary: Primary;
  readonly #timeout: number;
  /** Deadlines of the requests that are under way. */
  readonly patience: RequestPatience;

  constructor(options: PostgresOptions) {
    this.#primary = new Primary(options);
    this.#timeout = options.timeout_ms;
    this.patience = new RequestPatience(this.#timeout);
  }

  /**
   * Runs work that ends when its time is over, or that of its request, and may try again until then.
   * @throws ServiceError `unavailable` if the database cannot be used, does not answer in time or was not found
   */
  async inTime<T>(work: (deadline: Deadline) => Promise<T>): Promise<T> {
    const deadline = this.deadline();
    try {
      if (deadline.isOver) throw new ServiceError('unavailable', { detail: tooLate });
      return await withTimeout(deadline.left, work(deadline), tooLate);
    } catch (error) {
      throw told(error);
    } finally {
      deadline.ended();
    }
  }

  /** The deadline of a step that begins now: what is left of the time of its request. */
  deadline(): Deadline {
    return this.patience.deadline();
  }

  /** Calls `tell` with an error when a deadline is over, unless the timer is cleared. */
  whenOver(deadline: Deadline, tell: (error: ServiceError) => void): NodeJS.Timeout {
    return setTimeout(() => tell(new ServiceError('unavailable', { detail: tooLate })), deadline.left);
  }

  /** Asks what may be asked twice, elsewhere if a server is gone. */
  read<R extends object>(statement: Statement<R>, values: readonly unknown[]): Promise<readonly R[]> {
    return this.inTime((deadline) => this.ask(statement, values, deadline));
  }

  /** As {@link read} does, within the time of other work. @throws Fault */
  async ask<R extends object>(
    statement: Statement<R>,
    values: readonly unknown[],
    deadline: Deadline,
  ): Promise<readonly R[]> {
    return again(deadline, () => this.#send(statement, values, deadline), isPassing);
  }

  /** Sends a statement once, for no request: nobody waits for the answer. @throws Fault */
  sendAside<R extends object>(statement: Statement<R>, values: readonly unknown[]): Promise<readonly R[]> {
    return this.#send(statement, values, new Deadline(this.#timeout));
  }

  #send<R extends object>(
    { name, text }: Statement<R>,
    values: readonly unknown[],
    deadline: Deadline,
  ): Promise<readonly R[]> {
    return this.on(
      async (client) => (await client.query<R>({ name, text, values: [...values] })).rows,
      deadline,
    );
  }

  /**
   * Sends a statement once, of which one column of one row is wanted.
   * @param values asked for when there is a connection: what nobody waits for by then need not be sent
   * @throws Fault; what `values` throws
   */
  sendText(
    statement: Statement<object>,
    values: () => readonly TextParameter[],
    deadline: Deadline,
  ): Promise<string | null> {
    return this.on(
      (client) =>
        new Promise((resolve, reject) => {
          const told = (error: unknown, answer: string | null = null) =>
            error ? reject(error) : resolve(answer);
          client.query(new TextQuery(statement, values(), told));
        }),
      deadline,
    );
  }

  /**
   * Does something on a connection that is nobody else's meanwhile.
   * @param deadline until when a connection is waited for; left out: as long as a step has
   * @throws Fault @internal
   */
  async on<T>(work: (client: PoolClient) => Promise<T>, deadline = this.deadline()): Promise<T> {
    const { client, giveBack } = await this.#primary.hold(deadline);
    try {
      const done = await work(client);
      giveBack();
      return done;
    } catch (error) {
      const isOurs = error instanceof ServiceError || error instanceof StartError;
      const fault = isOurs ? undefined : faultOf(error);
      giveBack(fault);
      throw fault ?? error;
    }
  }

  close(): Promise<void> {
    return this.#primary.close();
  }
}

const isPassing = ({ isPassing }: Fault): boolean => isPassing;

/** Tries until it works, fails for another reason, or the time is over. */
export async function again<T>(
  deadline: Deadline,
  task: () => Promise<T>,
  isWorthIt: (fault: Fault) => boolean,
): Promise<T> {
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof Fault) || !isWorthIt(error) || deadline.isOver) throw error;
    }
    await sleep(pause);
  }
}
