/**
 * The structured log on pino: JSON lines, or text. Fields named like secrets are masked at any depth; of an error only class, message, stack
 * and causes are written.
 */

import type { Log, LogFields } from '@watchword/core/ports';
import { pino } from 'pino';

export interface LogOptions {
  /** The least severe level to write. */
  readonly level: 'info' | 'warn' | 'error' | 'silent';
  readonly format: 'json' | 'text';
}

/** The output, for lines with their newlines; `process.stderr` is one. */
export interface LineStream {
  write(line: string): unknown;
}

/** A log whose level can be changed. */
export interface LeveledLog extends Log {
  /** Writes lines of this level and above from now on. */
  setLevel(level: LogOptions['level']): void;
}

/**
 * Creates a log that masks fields named like secrets, and writes of an error class, message, stack and causes.
 * @param options the least severe level to write, and the format of a line
 * @param stream the output; `process.stderr` is one
 * @returns the log, whose level can be changed
 * @see docs/guide/operating.md#search-the-log
 * @example
 * ```ts
 * import { createLog } from '@watchword/node';
 *
 * const lines: string[] = [];
 * const log = createLog({ level: 'warn', format: 'json' }, { write: (line) => lines.push(line) });
 * log.warn('a directory answers slowly', { password: 'a secret' });
 * console.log(lines[0]?.includes('a secret')); // false
 * ```
 */
export function createLog({ level, format }: LogOptions, stream: LineStream): LeveledLog {
  const destination = format === 'json' ? stream : { write: (line: string) => stream.write(textLine(line)) };
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
  // Skips the work for a disabled level.
  const writeAt =
    (lineLevel: 'info' | 'warn' | 'error'): Log['info'] =>
    (message, fields = {}) => {
      if (logger.isLevelEnabled(lineLevel)) logger[lineLevel](maskFields(fields), message);
    };
  const setLevel = (next: LogOptions['level']): void => {
    logger.level = next;
  };
  return { info: writeAt('info'), warn: writeAt('warn'), error: writeAt('error'), setLevel };
}

const secretName = /pass(?:word|wd|phrase)?|pwd|secret|key|authorization|cookie|credential|token|otp|pin$/i;
const masked = '[masked]';
const maxDepth = 6;

function maskFields(fields: LogFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, maskField(name, value, 0)]));
}

function maskField(name: string, value: unknown, depth: number): unknown {
  return secretName.test(name) && value !== undefined ? masked : plain(value, depth);
}

/** Converts a value for JSON: cycles end at the depth limit, bytes become their count. */
function plain(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return '…';
  if (value instanceof Error) return plainError(value, depth);
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (Array.isArray(value)) return value.map((item) => plain(item, depth + 1));
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, item]) => [String(name), maskField(String(name), item, depth + 1)]),
  );
}

function plainError(error: Error, depth: number): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  return { class: name, message, stack, ...(cause !== undefined && { cause: plain(cause, depth + 1) }) };
}

/** Formats `2026-11-20T10:00:00.000Z WARN message name=value` on one line. */
function textLine(json: string): string {
  const { level, time, message, ...fields } = JSON.parse(json) as Record<string, unknown>;
  const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${textOf(value)}`);
  return `${time} ${String(level).toUpperCase().padEnd(5)} ${oneLine(String(message))}${rest.join('')}\n`;
}

function textOf(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"=\p{C}]+$/u.test(value)) return value;
  return oneLine(JSON.stringify(value)); // JSON does not escape the controls from U+007F to U+009F
}

/** Escapes controls: a caller's text cannot forge a line, control a terminal, or reverse the direction of text. */
function oneLine(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
