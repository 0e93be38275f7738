/** Statements that are sent to the database, each within a deadline. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { within } from '../../../concurrency/within.ts';
import { ServiceError } from '../../../errors/errors.ts';
import { StartError } from '../../../errors/start-error.ts';
import { Fault, faultOf, told } from './faults.ts';
import type { PostgresOptions } from './options.ts';
import { Primary } from './primary.ts';
import { type TextParameter, TextQuery } from './text-query.ts';

/** Prepared under its name on each connection, at its first use there. `R` is a row of its answer. */
export interface Statement<R extends object> {
  readonly name: string;
  readonly text: string;
  /** Only for the type. */
  readonly row?: R;
}

/** When somebody stops waiting, by a clock that nobody sets. */
export class Deadline {
  readonly #end: number;

  constructor(milliseconds: number) {
    this.#end = performance.now() + milliseconds;
  }

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }
}

/** Between two tries, in milliseconds. */
export const pause = 50;
const tooLate = 'the database does not answer in time';

export class Database {
  readonly #primary: Primary;
  readonly #timeout: number;

  constructor(options: PostgresOptions) {
    this.#primary = new Primary(options);
    this.#timeout = options.timeout_ms;
  }

  /**
   * Runs work that ends when its time is over, and may try again until then.
   * @throws ServiceError `unavailable` if the database cannot be used, does not answer in time or was not found
   */
  async inTime<T>(work: (deadline: Deadline) => Promise<T>): Promise<T> {
    return within(this.#timeout, work(this.deadline()), tooLate).catch((error: unknown) => {
      throw told(error);
    });
  }

  /** Of what begins now. */
  deadline(): Deadline {
    return new Deadline(this.#timeout);
  }

  /** Tells when the time of what begins now is over, unless the timer is cleared. */
  whenOver(tell: (error: ServiceError) => void): NodeJS.Timeout {
    return setTimeout(() => tell(new ServiceError('unavailable', { detail: tooLate })), this.#timeout);
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
    return again(deadline, () => this.send(statement, values), isPassing);
  }

  /** Sends a statement once. @throws Fault */
  async send<R extends object>(
    { name, text }: Statement<R>,
    values: readonly unknown[],
  ): Promise<readonly R[]> {
    return this.on(async (client) => (await client.query<R>({ name, text, values: [...values] })).rows);
  }

  /** Sends a statement once, of which one column of one row is wanted. @throws Fault */
  sendText(statement: Statement<object>, values: readonly TextParameter[]): Promise<string | null> {
    return this.on(
      (client) =>
        new Promise((resolve, reject) => {
          const told = (error: unknown, answer: string | null = null) =>
            error ? reject(error) : resolve(answer);
          client.query(new TextQuery(statement, values, told));
        }),
    );
  }

  /** Does something on a connection that is nobody else's meanwhile. @throws Fault @internal */
  async on<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const { client, giveBack } = await this.#primary.hold();
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
