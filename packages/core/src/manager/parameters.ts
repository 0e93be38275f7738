/**
 * Parameters of one call, read in the order of checks that the contract fixes: the types of all of them,
 * then their syntax (manager.md §2).
 */

import { ServiceError } from '../errors/errors.ts';
import { type AnyMethod, entryNames, type Params } from '../table/method.ts';
import type { Param } from '../table/schema/index.ts';
import { Dn } from '../text/dn.ts';
import { isPlainNumber } from '../text/json.ts';

export interface ReadOptions {
  /** Refuse a parameter that no row has, or ignore it. */
  readonly refusesUnknown: boolean;
}

/** @throws ServiceError `invalid_params` or `invalid_dn`, naming the parameter */
export function readParameters(
  rows: Params,
  given: unknown,
  { refusesUnknown }: ReadOptions,
): Readonly<Record<string, unknown>> {
  const named = Array.isArray(given) ? byPosition(rows, given) : new Map(Object.entries(given ?? {}));
  const typed = Object.keys(rows).map((name) => [name, readType(rows, name, named.get(name))] as const);
  const unknown = [...named.keys()].find((name) => !Object.hasOwn(rows, name));
  if (refusesUnknown && unknown !== undefined) {
    throw new ServiceError('invalid_params', { detail: `Unknown parameter ${unknown.slice(0, 64)}` });
  }
  return Object.fromEntries(typed.map(([name, value]) => [name, rows[name]?.convert(value, name)]));
}

/** Only the entries that a call is about, those of them that can be read: for the audit of what is refused unread. */
export function readSubject(method: AnyMethod, given: unknown): Readonly<Record<string, unknown>> {
  const { params: rows } = method;
  const named = Array.isArray(given) ? byPosition(rows, given) : new Map(Object.entries(given ?? {}));
  const texts = entryNames(method).map((name) => [name, named.get(name)] as const);
  const entries = texts.flatMap(([name, text]) => {
    const dn = typeof text === 'string' ? Dn.tryParse(text) : undefined;
    return dn && !dn.isRoot ? [[name, dn] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** JSON-RPC 2.0 §4.2: an array holds the values in the order of the row. */
function byPosition(rows: Params, values: readonly unknown[]): Map<string, unknown> {
  const names = Object.keys(rows).filter((name) => !rows[name]?.byName);
  // One too many is enough to be refused for.
  const looked = values.slice(0, names.length + 1);
  return new Map(looked.map((value, index) => [names[index] ?? `number ${index + 1}`, value]));
}

function readType(rows: Params, name: string, value: unknown): unknown {
  const row = rows[name];
  if (!row) return undefined;
  if (!row.optional && (value === undefined || value === null)) {
    throw new ServiceError('invalid_params', { detail: `Missing parameter ${name}` });
  }
  const read = row.shape().safeParse(value);
  const flaw = read.success ? flawOf(value, row.kind) : `not ${row.kind}`;
  if (flaw !== undefined) throw new ServiceError('invalid_params', { detail: `Parameter ${name} ${flaw}` });
  return read.data;
}

/** What a shape would not see: a name that objects do not keep, and a number that is not what was written. */
function flawOf(value: unknown, kind: Param<unknown, unknown>['kind']): string | undefined {
  if (typeof value === 'number' && kind !== 'Integer' && !isPlainNumber(value))
    return 'has a number that is not kept as it is written; write it in quotes';
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, '__proto__')) return 'has __proto__ in it, which names nothing';
  for (const part of Object.values(value)) {
    const flaw = flawOf(part, kind);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}
