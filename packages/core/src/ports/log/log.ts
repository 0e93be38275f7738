/** The structured log for operators, without secrets. Lines of a request share its `transaction`. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export interface LogFields {
  readonly transaction?: string;
  /** Written as class, message and stack, with its causes. */
  readonly error?: unknown;
  readonly [field: string]: unknown;
}
