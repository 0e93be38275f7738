/** The structured log: for operators, no secrets. `transaction` ties lines of one request together. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export interface LogFields {
  readonly transaction?: string;
  /** Only its class, message and stack are written, and those of its causes. */
  readonly error?: unknown;
  readonly [field: string]: unknown;
}
