/**
 * A statement of which one column of one row is wanted, as text. `pg` asks for a description of the columns each time and makes
 * objects by it, which costs more than such an answer: this is a query class of its own, as `pg` lets others write them.
 */
import type { Connection, Submittable } from 'pg';

/** Prepared under its name on each connection, at its first use there. `R` is a row of its answer. */
export interface Statement<R extends object> {
  readonly name: string;
  readonly text: string;
  /** Only for the type. */
  readonly row?: R;
}

/** What `pg` takes as a parameter without changing it. */
export type TextParameter = string | null;

/** Messages of the extended query protocol (PostgreSQL, Frontend/Backend Protocol §55.2.3) and what was prepared on a connection. */
interface Wire extends Pick<Connection, 'stream' | 'sync'> {
  readonly parsedStatements: Readonly<Record<string, string | undefined>>;
  parse(statement: { name: string; text: string }): void;
  bind(portal: { statement: string; values: readonly TextParameter[] }): void;
  execute(portal: { portal: string }): void;
}

export class TextQuery implements Submittable {
  /** Both are read by `pg`, which notes what was prepared. */
  readonly name: string;
  readonly text: string;
  readonly #values: readonly TextParameter[];
  #answer: string | null | undefined;
  /** Called once; `pg` puts another one here, for its deadline. */
  callback: (error: unknown, answer?: string | null) => void;

  constructor(
    { name, text }: Statement<object>,
    values: readonly TextParameter[],
    callback: (error: unknown, answer?: string | null) => void,
  ) {
    this.name = name;
    this.text = text;
    this.#values = values;
    this.callback = callback;
  }

  submit(connection: Connection): void {
    const wire = connection as unknown as Wire;
    const { name, text } = this;
    wire.stream.cork();
    if (wire.parsedStatements[name] === undefined) wire.parse({ name, text });
    wire.bind({ statement: name, values: this.#values });
    wire.execute({ portal: '' });
    wire.sync();
    wire.stream.uncork();
  }

  handleDataRow({ fields: [answer = null] }: { readonly fields: readonly (string | null)[] }): void {
    this.#answer = answer;
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    if (this.#answer === undefined) this.callback(new Error(`${this.name} has no answer`));
    else this.callback(null, this.#answer);
  }

  handleError(error: unknown): void {
    this.callback(error);
  }
}
