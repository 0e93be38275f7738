/**
 * A query class for `pg` that returns one column of one row as text. The default class requests a description of the columns and builds
 * objects, which costs more than such an answer.
 */
import type { Connection, Submittable } from 'pg';

/** A prepared statement. `R` is a row of its answer. */
export interface Statement<R extends object> {
  readonly name: string;
  readonly text: string;
  /** Only for the type. */
  readonly row?: R;
}

/** A parameter that `pg` sends unchanged. */
export type TextParameter = string | null;

/** The extended query protocol (PostgreSQL, Frontend/Backend Protocol §55.2.3), and the statements prepared on a connection. */
interface Wire extends Pick<Connection, 'stream' | 'sync'> {
  readonly parsedStatements: Readonly<Record<string, string | undefined>>;
  parse(statement: { name: string; text: string }): void;
  bind(portal: { statement: string; values: readonly TextParameter[] }): void;
  execute(portal: { portal: string }): void;
}

export class TextQuery implements Submittable {
  /** `pg` reads name and text to record what is prepared. */
  readonly name: string;
  readonly text: string;
  readonly #values: readonly TextParameter[];
  #answer: string | null | undefined;
  /** Called once. `pg` wraps it for its timeout. */
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
