/**
 * Parameters: what may stand on the wire, which is lenient, and what the code gets for it, which never is.
 *
 * Reading has two stages, because the interface fixes the order of checks: first the types of all
 * parameters, then their syntax (is it a DN, a filter, base64 of something).
 */
import type { z } from 'zod';
import { ServiceError } from '../../foundation/errors/errors.ts';
import { Dn, MalformedDn } from '../../foundation/text/dn.ts';
import type { Filter } from '../../foundation/text/filter.ts';
import { parseFilter } from '../../foundation/text/filter-text.ts';
import { mostNames } from '../../foundation/text/json.ts';
import { decodeBase64, decodeSecret, isBase64 } from './base64.ts';
import type { JsonSchema } from './result.ts';
import { made, type Zod, zod } from './zod.ts';

/** A parameter: `In` is what the interface asks callers to write, `Out` what `run` gets. */
export interface Param<In, Out> {
  /** The word of the error text `Parameter <name> not <kind>`. */
  readonly kind: 'String' | 'Integer' | 'Boolean' | 'Array' | 'Base64';
  /** What the reference calls it: `DN`, `list of text`. */
  readonly title: string;
  readonly optional: boolean;
  /** Clients in the field send it; nothing acts on it in this version. */
  readonly kept?: true;
  /** It has no place among those that come by position: the interface has none for it. */
  readonly byName?: true;
  /** Stage one: the type on the wire, made when it is first asked for. */
  shape(): z.ZodType;
  /** Stage two: the syntax. @throws ServiceError `invalid_params` or `invalid_dn` naming the parameter. */
  convert(value: unknown, name: string): Out;
  /** What the audit may say of a value; undefined: nothing. */
  audit(value: Out): string | undefined;
  /** It names an entry: which one; undefined: the value is no DN, or was left out. */
  entry?(value: Out): Dn | undefined;
  /** Only a type: what stands on the wire. */
  readonly wire?: In;
}

/**
 * A parameter whose type is read by `shape`, and which stage two turns into what `run` gets. `In` is what
 * we ask callers to write; the shape may forgive more.
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
    shape: made(row.shape),
    // The one place where stage one's output meets stage two's input: zod has just made it a Mid.
    convert: (value, name) => row.convert(value as Mid, name),
    audit: row.audit ?? ((value) => String(value)),
    ...(entry && { entry }),
  };
}

/** The same parameter, but it may be missing or null. */
export function optional<In, Out>(of: Param<In, Out>): Param<In | undefined, Out | undefined> {
  const { entry } = of;
  return {
    ...of,
    optional: true,
    shape: made(() => of.shape().nullish()),
    convert: (value, name) => (value === undefined || value === null ? undefined : of.convert(value, name)),
    audit: (value) => (value === undefined ? undefined : of.audit(value)),
    ...(entry && { entry: (value: Out | undefined) => (value === undefined ? undefined : entry(value)) }),
  };
}

/** A parameter that clients send and that nothing acts on: taken, and marked in the reference. */
export const keptParam = <In, Out>(of: Param<In, Out>): Param<In, Out> => ({ ...of, kept: true });

/** Half a surrogate pair has no UTF-8: on its way to the directory it would become another character. */
const isUnicode = (text: string): boolean => text.isWellFormed();

/** A number is welcome where a text is wanted: `{"uidnumber": [1001]}`. */
export const wireText = made((z) => z.union([z.string().refine(isUnicode), z.number().transform(String)]));

/**
 * A list of texts: an array, or an object keyed by index. PHP leaves gaps when it has taken
 * values out; in whatever order the keys come, JavaScript has them in that of the indexes. Looked at by itself, as zod
 * takes ten times as long for each of thousands of values.
 */
export const wireTexts = made((z) => {
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

/** Whoever reads all parameters refuses `__proto__` with a sentence of its own. */
const mayBeIndex = (key: string): boolean => index.test(key) || key === '__proto__';

function areTexts(value: unknown): value is Texts {
  if (typeof value !== 'object' || value === null) return false;
  if (!Array.isArray(value) && !Object.keys(value).every(mayBeIndex)) return false;
  return Object.values(value).every((one) =>
    typeof one === 'string' ? isUnicode(one) : Number.isFinite(one),
  );
}

/** Text as it is; how long it may be, the limit on bodies says, and the directory. */
export const text = (): Param<string, string> =>
  param({ kind: 'String', title: 'text', shape: wireText, convert: (value) => value });

/** A word: a number is none. */
export const word = (): Param<string, string> =>
  param({
    kind: 'String',
    title: 'text',
    shape: (z) => z.string().refine(isUnicode),
    convert: (value) => value,
  });

/** A secret: read as text, never told to anybody. */
export const password = (): Param<string, string> => untold(word());

/** A one-time password, a PIN, the id of a session: a number is welcome, and nobody is told of it. */
export const code = (): Param<string, string> => untold(text());

/** The audit says that there was one. */
const untold = <In, Out>(of: Param<In, Out>): Param<In, Out> => ({ ...of, audit: () => '***' });

/** Something in PEM: long, and nobody knows what is pasted there. The audit says nothing of it. */
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

/** A full distinguished name, or none: an empty text is none as well. */
export const dnOrNone = (): Param<string | undefined, Dn | undefined> =>
  optional({ ...dn(), convert: (value, name) => (value === '' ? undefined : dn().convert(value, name)) });

/** A full distinguished name, or something else that the method has an answer to. */
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

/** An LDAP filter, RFC 4515. */
export const filter = (): Param<string, Filter> =>
  param({
    kind: 'String',
    title: 'LDAP filter',
    shape: (z) => z.string(),
    convert: parseFilter,
    audit: () => undefined,
  });

/** One of a few words, matched without regard to case. */
export function choice<const W extends string>(...words: readonly W[]): Param<W, W> {
  return param({
    kind: 'String',
    title: words.join(', ').replace(/, (?=[^,]*$)/, ' or '),
    shape: (z) => z.string(),
    convert: (value, name) => {
      const word = words.find((candidate) => candidate.toLowerCase() === value.toLowerCase());
      if (word === undefined) throw notOneOf(name, words);
      return word;
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
        z.enum(flagTexts).transform((word) => /^(?:true|1)$/i.test(word)),
      ]),
    convert: (value) => value,
  });

/** Bytes in base64: white space and missing padding are forgiven, the URL alphabet is understood. */
export const base64 = (): Param<string, Uint8Array> => encoded(decodeBase64);

/** {@link base64} of the secret of a token: other forms that makers print it in are refused by name. */
export const tokenSecret = (): Param<string, Uint8Array> => encoded(decodeSecret);

const encoded = (convert: typeof decodeBase64): Param<string, Uint8Array> =>
  untold(param({ kind: 'Base64', title: 'base64', shape: (z) => z.string().refine(isBase64), convert }));

/** A list of names, of attributes, settings or data: as many as an object may have. */
export const list = (): Param<readonly string[], readonly string[]> =>
  param({
    kind: 'Array',
    title: 'list of text',
    shape: () => wireTexts(),
    convert: asNames,
    audit: (value) => value.join(' '),
  });

/** Names, each of which is looked for. @throws ServiceError `invalid_params` where they are too many */
export function asNames(names: readonly string[], parameter: string): readonly string[] {
  if (names.length <= mostNames) return names;
  throw new ServiceError('invalid_params', {
    detail: `Parameter ${parameter} has more than ${mostNames} names`,
  });
}

/** The JSON Schema of what a caller may write. */
export function paramSchema(of: Param<unknown, unknown>): JsonSchema {
  const { $schema: _, ...schema } = zod().toJSONSchema(of.shape(), { io: 'input', unrepresentable: 'any' });
  return { title: of.title, ...schema };
}
