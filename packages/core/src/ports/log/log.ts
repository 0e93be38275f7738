/**
 * The port of the structured log for operators, without secrets. Lines of a request share its `transaction`.
 * `createLog` of `@watchword/node` writes text or JSON.
 * @see docs/guide/operating.md#read-the-log
 * @example
 * ```ts
 * import type { Log } from '@watchword/core';
 *
 * const warnings: string[] = [];
 * const log: Log = {
 *   info: () => {},
 *   warn: (message) => void warnings.push(message),
 *   error: (message) => void warnings.push(message),
 * };
 * log.warn('the disk is nearly full');
 * console.log(warnings.length); // 1
 * ```
 */
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
