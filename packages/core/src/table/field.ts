/**
 * Fields of web-service operations: what may stand on the wire, which is lenient, and what
 * the code gets. Every field may be missing; an empty text is missing too, as clients in the field mean it.
 */
import { ServiceError } from '../foundation/errors/errors.ts';
import { isPlainNumber } from '../foundation/text/json.ts';
import { decodeBase64 } from './schema/index.ts';

/** The type of a field in the WSDL. */
export type FieldType = 'string' | 'integer' | 'boolean' | 'base64Binary' | 'strings' | 'map' | 'maps';

/** An object of an answer, in its order; what it has is named by what it is about. */
export type WireMap = Readonly<Record<string, string | number | readonly string[]>>;

/** What stands in a field of an answer. */
export type WireValue = string | number | boolean | readonly string[] | WireMap | readonly WireMap[];

export interface Field<T> {
  readonly type: FieldType;
  /** Another name that a caller may use for it; by place, and in the WSDL, it is one field. */
  readonly alias?: string;
  /** Clients in the field send it; nothing acts on it in this version, and no login is other for it. */
  readonly kept?: true;
  /** What it is for, as the reference says behind its type. */
  readonly note?: string;
  /** Of an answer: servers in the field have it not, and `dialect: deployed` leaves it out. */
  readonly ours?: true;
  /**
   * Reads what SOAP, a form, a query or JSON brought: a text, a list of texts, or a JSON scalar; in process bytes.
   * Not asked where nothing was sent: a field that was left out has no value.
   * @throws ServiceError `invalid_params` naming the field
   */
  read(value: unknown, name: string): T | undefined;
  /** As REST answers it in JSON; XML writes the same as text. */
  write(value: T): WireValue;
}

/** Longest text of a field, in characters; the limit on bodies is above all of them together. */
const maxText = 65_536;

/** Of a file in base64, in characters: a megabyte; the limit on the bodies of an operation is nearer to it. */
const maxFile = 1_400_000;

function scalar(value: unknown, name: string, most = maxText): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw wrong(name, 'a text');
  if (typeof value === 'number' && !isPlainNumber(value))
    throw wrong(name, 'a number that is kept as it is written; write it in quotes');
  const text = String(value);
  // Half a surrogate pair has no UTF-8: on its way to the directory it would become another character.
  if (text.length > most || !text.isWellFormed()) throw wrong(name, 'a text');
  return text;
}

const wrong = (name: string, what: string): ServiceError =>
  new ServiceError('invalid_params', { detail: `Parameter ${name} is not ${what}` });

/** JSON has no number `061727`: of a code or a number of a phone, zeros in front are lost before it is sent. */
export const textField: Field<string> = {
  type: 'string',
  read: (value, name) => {
    if (typeof value === 'number') throw wrong(name, 'a text; write it in quotes');
    return scalar(value, name);
  },
  write: (value) => value,
};

/** A field that the specification, or a client in the field, calls by another name as well. */
export const alsoCalled = <T, const Alias extends string>(alias: Alias, field: Field<T>) => ({
  ...field,
  alias,
});

/** A field that clients send and that nothing acts on yet. */
export const keptField = <T>(field: Field<T>) => ({
  ...field,
  kept: true as const,
  // A lost zero harms nothing in a field without a reader.
  read: (value: unknown, name: string) => field.read(typeof value === 'number' ? String(value) : value, name),
});

/** A field of which the reference says more. */
export const notedField = <T>(note: string, field: Field<T>): Field<T> => ({ ...field, note });

/** A field of answers that servers in the field have not. */
export const oursField = <T>(field: Field<T>) => ({ ...field, ours: true as const });

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

/** `<mobile><String>…</String></mobile>`, or an array in JSON; one text alone is a list of one. */
export const listField: Field<readonly string[]> = {
  type: 'strings',
  read: (value, name) => {
    const items = Array.isArray(value) ? value : [value];
    const texts = items.map((item) => scalar(item, name)).filter((item) => item !== undefined);
    return texts.length === 0 ? undefined : texts;
  },
  write: (value) => value,
};

/** Only answers have objects. */
function unread(value: unknown, name: string): undefined {
  if (value !== undefined) throw wrong(name, 'a field of requests');
  return undefined;
}

/** One object, of the type `Map` of Apache’s XML-SOAP in XML. */
export const mapField: Field<WireMap> = { type: 'map', read: unread, write: (value) => value };

/** A list of objects. */
export const mapsField: Field<readonly WireMap[]> = { type: 'maps', read: unread, write: (value) => value };
