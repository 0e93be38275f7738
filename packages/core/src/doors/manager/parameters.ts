/** Reads the parameters of one call, in the order of checks that the interface fixes: the types of all, then their syntax. */

import { ServiceError } from '../../foundation/errors/errors.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { isPlainNumber } from '../../foundation/text/json.ts';
import { type AnyMethod, entryNames, type Params } from '../../table/method.ts';
import { positionOf } from '../../table/position.ts';
import type { Param } from '../../table/schema/index.ts';

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
  const named = byName(rows, given);
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
  const named = byName(rows, given);
  const texts = entryNames(method).map((name) => [name, named.get(name)] as const);
  const entries = texts.flatMap(([name, text]) => {
    const dn = typeof text === 'string' ? Dn.tryParse(text) : undefined;
    return dn && !dn.isRoot ? [[name, dn] as const] : [];
  });
  return Object.fromEntries(entries);
}

function byName(rows: Params, given: unknown): Map<string, unknown> {
  if (Array.isArray(given)) return byPosition(rows, given.slice(0, mostPlaces).entries());
  const members = Object.entries(given ?? {});
  const numbered = members.flatMap(([name, value]) => {
    const place = positionOf(name);
    return place === undefined ? [] : [[place, value] as const];
  });
  const isNumbered = numbered.length > 0 && numbered.length === members.length;
  return isNumbered ? byPosition(rows, numbered) : new Map(members);
}

/** JSON-RPC 2.0 §4.2: an array holds the values in the order of the row; so do `param0`, `param1` … */
function byPosition(rows: Params, values: Iterable<readonly [place: number, value: unknown]>) {
  const names = Object.keys(rows).filter((name) => !rows[name]?.byName);
  return new Map(Array.from(values, ([place, value]) => [names[place] ?? `number ${place + 1}`, value]));
}

/** More than any row has: one too many is enough to be refused for. */
const mostPlaces = 64;

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

/** Returns a flaw that a schema does not see: a name that objects do not keep, or a number that was changed by parsing. */
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
