/** Results of methods, and their wire format in each dialect. */
import { type CooperativeTask, mapSteps } from '../../foundation/runtime/cooperative.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { Dialect } from '../dialect.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A result. @typeParam Value type that `run` returns @typeParam Wire type that a caller of the standard dialect gets */
export interface Result<Value, Wire> {
  readonly schema: JsonSchema;
  encode(value: Value, dialect: Dialect): unknown;
  /** Encodes a long value as a cooperative task; undefined for a short value. */
  encodeLong?(value: Value, dialect: Dialect): CooperativeTask<unknown> | undefined;
  /** A type-level mark of the wire type. */
  readonly wire?: Wire;
}

/** A success on the wire: 1 in the standard dialect, true in the deployed one. */
export type Success = 1 | true;

/** A success: `run` returns nothing, or false where the interface answers false without an error. */
export const success = (): Result<void | false, Success | false> => ({
  schema: { oneOf: [{ const: 1 }, { type: 'boolean' }], description: '1, or true in the deployed dialect' },
  encode: (value, dialect) => (value === false ? false : dialect.success),
});

const plain = <Value>(schema: JsonSchema): Result<Value, Value> => ({ schema, encode: (value) => value });

export const boolean = (): Result<boolean, boolean> => plain({ type: 'boolean' });
export const string = (): Result<string, string> => plain({ type: 'string' });
export const strings = (): Result<readonly string[], readonly string[]> =>
  plain({ type: 'array', items: { type: 'string' } });

/** A text, or false where the interface answers false. */
export const stringOrFalse = (): Result<string | false, string | false> =>
  plain({ oneOf: [{ type: 'string' }, { const: false }] });

/** A count, or false where the interface answers false. */
export const count = (): Result<number | false, number | false> =>
  plain({ oneOf: [{ type: 'integer', minimum: 0 }, { const: false }] });

/** A DN. */
export const name = (): Result<Dn, string> => ({
  schema: { type: 'string', format: 'dn' },
  encode: (value) => value.format(),
});

/** Bytes, as padded base64. */
export const bytes = (): Result<Uint8Array, string> => ({
  schema: { type: 'string', contentEncoding: 'base64' },
  encode: (value) => Buffer.from(value).toString('base64'),
});

/** A map by name. Dialects differ in the empty map. */
export function mapOf<Value, Wire>(
  item: Result<Value, Wire>,
): Result<ReadonlyMap<string, Value>, Record<string, Wire>> {
  return {
    schema: { type: 'object', additionalProperties: item.schema },
    encode: (map, dialect) =>
      map.size === 0
        ? dialect.emptyMap()
        : Object.fromEntries(Array.from(map, ([key, value]) => [key, item.encode(value, dialect)])),
    encodeLong: (map, dialect) => (map.size < atOnce ? undefined : encodeLongMap(map, item, dialect)),
  };
}

/** Entries of a map between two yields: a millisecond or so. */
const atOnce = 500;

function* encodeLongMap<Value>(
  map: ReadonlyMap<string, Value>,
  item: Result<Value, unknown>,
  dialect: Dialect,
): CooperativeTask<unknown> {
  const entries = [...map];
  const values = yield* mapSteps(entries, atOnce, ([, value]) => item.encode(value, dialect));
  return Object.fromEntries(entries.map(([key], index) => [key, values[index]]));
}

/** Texts that were requested by name; undefined for a missing value. */
export type AskedTexts = ReadonlyMap<string, string | undefined>;

/** Returns the texts to answer: the deployed dialect has an empty text for a missing value. */
export const answeredTexts = (
  asked: AskedTexts,
  { answersCanonicalNames }: Dialect,
): ReadonlyMap<string, string> =>
  new Map(
    [...asked].flatMap(([name, value = answersCanonicalNames ? undefined : '']) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );

export const askedTexts = (): Result<AskedTexts, Record<string, string>> => {
  const { schema, encode } = mapOf(string());
  return { schema, encode: (asked, dialect) => encode(answeredTexts(asked, dialect), dialect) };
};

/** One of two results, such as a list of names or a map in `Get_Config_Objects`. */
export function either<A, WireA, B, WireB>(
  first: Result<A, WireA>,
  second: Result<B, WireB>,
  isFirst: (value: A | B) => value is A,
): Result<A | B, WireA | WireB> {
  return {
    schema: { oneOf: [first.schema, second.schema] },
    encode: (value, dialect) =>
      isFirst(value) ? first.encode(value, dialect) : second.encode(value as B, dialect),
  };
}

/** A result with a function that writes it in a dialect, such as the server status. */
export function written<Value, Wire>(
  schema: JsonSchema,
  write: (value: Value, dialect: Dialect) => Wire,
): Result<Value, Wire> {
  return { schema, encode: write };
}
