/**
 * The structured log on pino: one JSON object a line, or text for people. Fields whose name speaks of a
 * secret are masked at any depth; of an error only class, message, stack and causes are written.
 */

import type { Log, LogFields } from '@watchword/core/ports';
import { pino } from 'pino';

export interface LogOptions {
  /** The least important lines to write. */
  readonly level: 'info' | 'warn' | 'error' | 'silent';
  readonly format: 'json' | 'text';
}

/** Where lines go; each comes with its newline. `process.stderr` is one. */
export interface LineStream {
  write(line: string): unknown;
}

export function createLog({ level, format }: LogOptions, stream: LineStream): Log {
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
  // Nothing is made of a line that is not wanted.
  const writing =
    (of: 'info' | 'warn' | 'error'): Log['info'] =>
    (message, fields = {}) => {
      if (logger.isLevelEnabled(of)) logger[of](maskFields(fields), message);
    };
  return { info: writing('info'), warn: writing('warn'), error: writing('error') };
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

/** A value as JSON can hold it: a cycle ends at the depth limit, bytes become their number. */
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

/** `2026-11-20T10:00:00.000Z WARN message name=value`, one line whatever is in the values, stacks below it. */
function textLine(json: string): string {
  const { level, time, message, ...fields } = JSON.parse(json) as Record<string, unknown>;
  const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${textOf(value)}`);
  return `${time} ${String(level).toUpperCase().padEnd(5)} ${oneLine(String(message))}${rest.join('')}\n`;
}

function textOf(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"=\p{C}]+$/u.test(value)) return value;
  return oneLine(JSON.stringify(value)); // JSON leaves the controls from U+007F to U+009F as they are
}

/**
 * A caller's text cannot forge a line of the log, send escape sequences to a terminal, or have what follows
 * read from right to left.
 */
function oneLine(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
