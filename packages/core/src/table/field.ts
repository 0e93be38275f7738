/**
 * Fields of web-service operations: reading is lenient, and the value that code gets is strict. Every field is optional, and an empty text
 * counts as missing, as clients in the field expect.
 */
import { ServiceError } from '../foundation/errors/errors.ts';
import { isPlainNumber } from '../foundation/text/json.ts';
import { decodeBase64 } from './schema/index.ts';

/** The type of a field in the WSDL. */
export type FieldType = 'string' | 'integer' | 'boolean' | 'base64Binary' | 'strings' | 'map' | 'maps';

/** An object in an answer, with its names in order. */
export type WireMap = Readonly<Record<string, string | number | readonly string[]>>;

/** A value of a field in an answer. */
export type WireValue = string | number | boolean | readonly string[] | WireMap | readonly WireMap[];

export interface Field<T> {
  readonly type: FieldType;
  /** Another name of the field; by position, and in the WSDL, it is one field. */
  readonly alias?: string;
  /** Whether the field is accepted but has no effect in this version. */
  readonly ignored?: true;
  /** A note for the reference, after the type. */
  readonly note?: string;
  /** Whether the field of an answer is our extension, which the deployed dialect leaves out. */
  readonly ours?: true;
  /**
   * Reads a value of SOAP, a form, a query or JSON: a text, a list of texts, or a JSON scalar; in process bytes. Not called for a missing
   * field.
   * @throws ServiceError `invalid_params` naming the field
   */
  read(value: unknown, name: string): T | undefined;
  /** Writes a value as REST answers it in JSON; XML has the same as text. */
  write(value: T): WireValue;
}

/** The most characters of a text. */
const maxText = 65_536;

/** The most characters of a file in base64, a megabyte. */
const maxFile = 1_400_000;

function scalar(value: unknown, name: string, most = maxText): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw wrong(name, 'a text');
  if (typeof value === 'number' && !isPlainNumber(value))
    throw wrong(name, 'a number that is kept as it is written; write it in quotes');
  const text = String(value);
  // A lone surrogate has no UTF-8: the directory would get another character.
  if (text.length > most || !text.isWellFormed()) throw wrong(name, 'a text');
  return text;
}

const wrong = (name: string, what: string): ServiceError =>
  new ServiceError('invalid_params', { detail: `Parameter ${name} is not ${what}` });

/** A text. JSON numbers are refused, because they have lost the leading zeros of codes and phone numbers. */
export const textField: Field<string> = {
  type: 'string',
  read: (value, name) => {
    if (typeof value === 'number') throw wrong(name, 'a text; write it in quotes');
    return scalar(value, name);
  },
  write: (value) => value,
};

/** Adds another name to a field. */
export const alsoCalled = <T, const Alias extends string>(alias: Alias, field: Field<T>) => ({
  ...field,
  alias,
});

/** Marks a field that clients send and that has no effect yet. */
export const ignoredField = <T>(field: Field<T>) => ({
  ...field,
  ignored: true as const,
  // A lost zero is harmless in a field without effect.
  read: (value: unknown, name: string) => field.read(typeof value === 'number' ? String(value) : value, name),
});

/** Adds a note for the reference to a field. */
export const notedField = <T>(note: string, field: Field<T>): Field<T> => ({ ...field, note });

/** Marks a field of answers as our extension. */
export const extensionField = <T>(field: Field<T>) => ({ ...field, ours: true as const });

export const integerField: Field<number> = {
  type: 'integer',
  read: (value, name) => {
    const text = scalar(value, name)?.trim();
    if (text === undefined) return undefined;
    if (!/^[0-9]{1,15}$/.test(text)) throw wrong(name, 'a non-negative integer');
    return Number(text);
  },
  write: (value) => value,
};

export const flagField: Field<boolean> = {
  type: 'boolean',
  read: (value, name) => {
    const text = scalar(value, name)?.trim();
    if (text === undefined) return undefined;
    if (/^(?:true|1)$/i.test(text)) return true;
    if (/^(?:false|0)$/i.test(text)) return false;
    throw wrong(name, 'a boolean');
  },
  write: (value) => value,
};

export const bytesField: Field<Uint8Array> = {
  type: 'base64Binary',
  read: (value, name) => {
    if (value instanceof Uint8Array) return value;
    const text = scalar(value, name, maxFile);
    return text === undefined ? undefined : decodeBase64(text, name);
  },
  write: (value) => Buffer.from(value).toString('base64'),
};

/** A list of texts: `<mobile><String>…</String></mobile>`, or an array in JSON. A single text is a list of one. */
export const listField: Field<readonly string[]> = {
  type: 'strings',
  read: (value, name) => {
    const items = Array.isArray(value) ? value : [value];
    const texts = items.map((item) => scalar(item, name)).filter((item) => item !== undefined);
    return texts.length === 0 ? undefined : texts;
  },
  write: (value) => value,
};

/** Refuses an object in a request: only answers have objects. */
function unread(value: unknown, name: string): undefined {
  if (value !== undefined) throw wrong(name, 'a field of requests');
  return undefined;
}

/** An object; in XML of the type `Map` of Apache’s XML-SOAP. */
export const mapField: Field<WireMap> = { type: 'map', read: unread, write: (value) => value };

/** A list of objects. */
export const mapsField: Field<readonly WireMap[]> = { type: 'maps', read: unread, write: (value) => value };
