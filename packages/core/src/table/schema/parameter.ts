/**
 * Parameters: the wire format is lenient, and the value that code gets is strict. Reading has two stages, because the interface fixes the
 * order of checks: first the types of all parameters, then their syntax, such as that of a DN.
 */
import type { z } from 'zod';
import { ServiceError } from '../../foundation/errors/errors.ts';
import { Dn, MalformedDn } from '../../foundation/text/dn.ts';
import type { Filter } from '../../foundation/text/filter.ts';
import { parseFilter } from '../../foundation/text/filter-text.ts';
import { mostNames } from '../../foundation/text/json.ts';
import { decodeBase64, decodeSecret, isBase64 } from './base64.ts';
import type { JsonSchema } from './result.ts';
import { lazy, type Zod, zod } from './zod.ts';

/** A parameter. @typeParam In documented type for callers @typeParam Out type that `run` gets */
export interface Param<In, Out> {
  /** The word of the error text `Parameter <name> not <kind>`. */
  readonly kind: 'String' | 'Integer' | 'Boolean' | 'Array' | 'Base64';
  /** The type in the reference: `DN`, `list of text`. */
  readonly title: string;
  readonly optional: boolean;
  /** Whether it is accepted but has no effect in this version. */
  readonly ignored?: true;
  /** Whether it has no position, so that it comes by name only. */
  readonly byName?: true;
  /** Returns the schema of stage one, the type on the wire. */
  shape(): z.ZodType;
  /** Converts a value in stage two, the syntax. @throws ServiceError `invalid_params` or `invalid_dn` naming the parameter */
  convert(value: unknown, name: string): Out;
  /** Returns the value for the audit; undefined for none. */
  audit(value: Out): string | undefined;
  /** Returns the entry that a value names; undefined where the value is no DN, or missing. */
  entry?(value: Out): Dn | undefined;
  /** A type-level mark of the wire type. */
  readonly wire?: In;
}

/**
 * Makes a parameter from its two stages. `shape` may accept more than `In`.
 */
export function param<In, Mid, Out>(row: {
  kind: Param<In, Out>['kind'];
  title: string;
  shape: (z: Zod) => z.ZodType<Mid>;
  convert: (value: Mid, name: string) => Out;
  audit?: (value: Out) => string | undefined;
  entry?: (value: Out) => Dn | undefined;
}): Param<In, Out> {
  const { entry } = row;
  return {
    kind: row.kind,
    title: row.title,
    optional: false,
    shape: lazy(row.shape),
    // `shape` has made the value a `Mid`.
    convert: (value, name) => row.convert(value as Mid, name),
    audit: row.audit ?? ((value) => String(value)),
    ...(entry && { entry }),
  };
}

/** Makes a parameter optional: it may be missing or null. */
export function optional<In, Out>(of: Param<In, Out>): Param<In | undefined, Out | undefined> {
  const { entry } = of;
  return {
    ...of,
    optional: true,
    shape: lazy(() => of.shape().nullish()),
    convert: (value, name) => (value === undefined || value === null ? undefined : of.convert(value, name)),
    audit: (value) => (value === undefined ? undefined : of.audit(value)),
    ...(entry && { entry: (value: Out | undefined) => (value === undefined ? undefined : entry(value)) }),
  };
}

/** Marks a parameter that clients send and that has no effect. */
export const ignoredParam = <In, Out>(of: Param<In, Out>): Param<In, Out> => ({ ...of, ignored: true });

/** Returns whether a text can be encoded in UTF-8: the directory would get another character for a lone surrogate. */
const isUnicode = (text: string): boolean => text.isWellFormed();

/** A text, or a number: `{"uidnumber": [1001]}`. */
export const wireText = lazy((z) => z.union([z.string().refine(isUnicode), z.number().transform(String)]));

/**
 * A list of texts: an array, or an object keyed by index, as PHP writes a list with gaps. JavaScript orders these keys by index. Checked by
 * our own code, which is faster than zod for thousands of values.
 */
export const wireTexts = lazy((z) => {
  const item = { type: ['string', 'number'] };
  const byIndex = {
    ...{ type: 'object', propertyNames: { type: 'string', pattern: index.source } },
    additionalProperties: item,
  };
  return z
    .custom<Texts>(areTexts)
    .meta({ anyOf: [{ type: 'array', items: item }, byIndex] })
    .transform((texts): string[] => Object.values(texts).map(String));
});

type Texts = Readonly<Record<string, string | number>> | readonly (string | number)[];

const index = /^(?:0|[1-9][0-9]{0,5})$/;

/** Returns whether a key may be an index. `__proto__` passes, because the reader of all parameters refuses it with its own message. */
const mayBeIndex = (key: string): boolean => index.test(key) || key === '__proto__';

function areTexts(value: unknown): value is Texts {
  if (typeof value !== 'object' || value === null) return false;
  if (!Array.isArray(value) && !Object.keys(value).every(mayBeIndex)) return false;
  return Object.values(value).every((one) =>
    typeof one === 'string' ? isUnicode(one) : Number.isFinite(one),
  );
}

/** A text, limited by the size of bodies and by the directory. */
export const text = (): Param<string, string> =>
  param({ kind: 'String', title: 'text', shape: wireText, convert: (value) => value });

/** A text that may not be a number. */
export const singleWord = (): Param<string, string> =>
  param({
    kind: 'String',
    title: 'text',
    shape: (z) => z.string().refine(isUnicode),
    convert: (value) => value,
  });

/** A password, which no log shows. */
export const password = (): Param<string, string> => masked(singleWord());

/** A one-time password, a PIN or a session id, which may be a number, and which no log shows. */
export const code = (): Param<string, string> => masked(text());

/** Masks a parameter in the audit. */
const masked = <In, Out>(of: Param<In, Out>): Param<In, Out> => ({ ...of, audit: () => '***' });

/** A text in PEM, which the audit leaves out: callers may paste a private key. */
export const pem = (): Param<string, string> =>
  param({
    kind: 'String',
    title: 'PEM',
    shape: (z) => z.string(),
    convert: (value) => value,
    audit: () => undefined,
  });

/** A full distinguished name. */
export const dn = (): Param<string, Dn> =>
  param({
    kind: 'String',
    title: 'DN',
    shape: (z) => z.string(),
    convert: (value) => Dn.parse(value),
    audit: (value) => value.format(),
    entry: (value) => value,
  });

/** An optional distinguished name, which may be an empty text. */
export const dnOrNone = (): Param<string | undefined, Dn | undefined> =>
  optional({ ...dn(), convert: (value, name) => (value === '' ? undefined : dn().convert(value, name)) });

/** A full distinguished name, or a malformed one that the method answers to. */
export const dnOrNot = (): Param<string, Dn | MalformedDn> =>
  param({
    kind: 'String',
    title: 'DN',
    shape: (z) => z.string(),
    convert: (value) => {
      const read = Dn.tryParse(value);
      return read && !read.isRoot ? read : new MalformedDn(value);
    },
    audit: (value) => readable(value)?.format(),
    entry: readable,
  });

const readable = (value: Dn | MalformedDn): Dn | undefined =>
  value instanceof MalformedDn ? undefined : value;

/** An LDAP filter (RFC 4515). */
export const filter = (): Param<string, Filter> =>
  param({
    kind: 'String',
    title: 'LDAP filter',
    shape: (z) => z.string(),
    convert: parseFilter,
    audit: () => undefined,
  });

/** One of some words, in any case. */
export function choice<const W extends string>(...words: readonly W[]): Param<W, W> {
  return param({
    kind: 'String',
    title: words.join(', ').replace(/, (?=[^,]*$)/, ' or '),
    shape: (z) => z.string(),
    convert: (value, name) => {
      const singleWord = words.find((candidate) => candidate.toLowerCase() === value.toLowerCase());
      if (singleWord === undefined) throw notOneOf(name, words);
      return singleWord;
    },
  });
}

function notOneOf(name: string, words: readonly string[]): ServiceError {
  return new ServiceError('invalid_params', { detail: `Parameter ${name} is none of ${words.join(', ')}` });
}

/** A non-negative integer, or its decimal text. */
export function integer(range: { min?: number; max?: number } = {}): Param<number, number> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = range;
  return param({
    kind: 'Integer',
    title: max === Number.MAX_SAFE_INTEGER ? 'integer' : `integer from ${min} to ${max}`,
    shape: (z) =>
      z.union([
        z.int().nonnegative(),
        z
          .string()
          .regex(/^[0-9]{1,15}$/)
          .transform(Number),
      ]),
    convert: (value, name) => {
      if (value < min || value > max) {
        throw new ServiceError('invalid_params', {
          detail: `Parameter ${name} is not from ${min} to ${max}`,
        });
      }
      return value;
    },
  });
}

const flagTexts = ['true', 'True', 'TRUE', '1', 'false', 'False', 'FALSE', '0', ''] as const;

/** A boolean in any of the spellings of the field. */
export const flag = (): Param<boolean, boolean> =>
  param({
    kind: 'Boolean',
    title: 'boolean',
    shape: (z) =>
      z.union([
        z.boolean(),
        z.literal([0, 1]).transform((bit) => bit === 1),
        z.enum(flagTexts).transform((singleWord) => /^(?:true|1)$/i.test(singleWord)),
      ]),
    convert: (value) => value,
  });

/** Bytes in base64, also with white space, without padding, or in the URL alphabet. */
export const base64 = (): Param<string, Uint8Array> => encoded(decodeBase64);

/** The secret of a token in base64. Hexadecimal and Base32 are refused by name. */
export const tokenSecret = (): Param<string, Uint8Array> => encoded(decodeSecret);

const encoded = (convert: typeof decodeBase64): Param<string, Uint8Array> =>
  masked(param({ kind: 'Base64', title: 'base64', shape: (z) => z.string().refine(isBase64), convert }));

/** A list of names of attributes, settings or data. */
export const list = (): Param<readonly string[], readonly string[]> =>
  param({
    kind: 'Array',
    title: 'list of text',
    shape: () => wireTexts(),
    convert: asNames,
    audit: (value) => value.join(' '),
  });

/** Checks the number of names. @throws ServiceError `invalid_params` where there are too many */
export function asNames(names: readonly string[], parameter: string): readonly string[] {
  if (names.length <= mostNames) return names;
  throw new ServiceError('invalid_params', {
    detail: `Parameter ${parameter} has more than ${mostNames} names`,
  });
}

/** Returns the JSON Schema of a parameter. */
export function paramSchema(of: Param<unknown, unknown>): JsonSchema {
  const { $schema: _, ...schema } = zod().toJSONSchema(of.shape(), { io: 'input', unrepresentable: 'any' });
  return { title: of.title, ...schema };
}
