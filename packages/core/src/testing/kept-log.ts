/** A log for tests that is kept instead of written. */
import type { Log, LogFields } from '../ports/log/log.ts';

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: LogFields;
}

/**
 * A log for tests that is kept instead of written.
 * @example
 * ```ts
 * import { KeptLog } from '@watchword/core/testing';
 *
 * const log = new KeptLog();
 * log.warn('the disk is nearly full');
 * console.log(log.lines[0]?.message); // the disk is nearly full
 * ```
 */
export class KeptLog implements Log {
  readonly lines: LogLine[] = [];

  info(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'info', message, fields });
  }

  warn(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'warn', message, fields });
  }

  error(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'error', message, fields });
  }
}
