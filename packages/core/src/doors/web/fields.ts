/** The fields of an operation: finds them in the request of a caller, and writes results in the order of the WSDL. */
import { ServiceError } from '../../foundation/errors/errors.ts';
import { writeJson } from '../../foundation/text/json.ts';
import type { Field, FieldType, WireValue } from '../../table/field.ts';
import type { Fields, Values } from '../../table/operation.ts';
import { positionOf } from '../../table/position.ts';

/** The fields of a request in their order: names as they came, values not validated yet. */
export type Given = readonly (readonly [name: string, value: unknown])[];

/** The fields of a response that apply, in the order of the WSDL. */
export type Written = Readonly<Record<string, WireValue>>;

/** A reader made once from the rows of a request: each field with the names that find it. */
export type FieldReader = (given: Given) => Values<Fields>;

/**
 * Names count without regard to case, and what no row has is ignored.
 * @returns a function that throws ServiceError `invalid_params` naming the field
 */
export function fieldReader(rows: Fields): FieldReader {
  const slots = new Map<string, number>();
  const spellings = Object.entries(rows).flatMap(([name, field]) =>
    namesOf(name, field).map((spelling) => ({ name, field, spelling, slot: enter(spelling, slots) })),
  );
  const nothing = Array.from(slots, () => absent);
  const blank: Record<string, unknown> = Object.fromEntries(
    Object.keys(rows).map((name) => [name, undefined]),
  );
  return (given) => {
    const found = gather(given, slots, nothing.slice());
    // A copy has its fields in their places already, which V8 fills quickly.
    const values = { ...blank };
    for (const spelling of spellings) {
      const raw = found[spelling.slot];
      if (raw !== absent) read(spelling, raw, values);
    }
    return values;
  };
}

/** One name of a field, and where what is sent under it is put. */
interface Spelling {
  readonly name: string;
  readonly field: Field<unknown>;
  readonly spelling: string;
  readonly slot: number;
}

/** The mark of a field that was not sent: a sent value may be undefined. */
const absent = Symbol('absent');

/** Under both of its names it may stand only if they say the same. */
function read({ name, field, spelling }: Spelling, raw: unknown, values: Record<string, unknown>): void {
  const value = field.read(
    typeof raw === 'object' && raw instanceof Repeated ? raw.values.flat() : raw,
    spelling,
  );
  if (value === undefined) return;
  const other = values[name];
  if (other !== undefined && other !== value)
    throw new ServiceError('invalid_params', {
      detail: `Parameter ${name} has another value as ${field.alias}`,
    });
  values[name] = value;
}

/** Enters a spelling. The spelling of the row is found without a comparison of case. */
function enter(spelling: string, slots: Map<string, number>): number {
  const key = spelling.toLowerCase();
  const slot = slots.get(key) ?? slots.size;
  slots.set(key, slot).set(spelling, slot);
  return slot;
}

const namesOf = (name: string, { alias }: Field<unknown>): readonly string[] =>
  alias === undefined ? [name] : [name, alias];

/** `param0`, `param1` … where no name is known, as the names of the fields in their places; all else as it is. */
export function namedOrNumbered(rows: Fields, given: Given): Given {
  if (given.every(([name]) => positionOf(name.toLowerCase()) === undefined) || isNamed(rows, given))
    return given;
  const names = Object.keys(rows);
  return given.map(([name, value]) => [names[positionOf(name.toLowerCase()) ?? -1] ?? name, value]);
}

/** If no name is known, the values go by their places: by the number in the name, else by their order. */
export function namedOrPlaced(rows: Fields, given: Given): Given {
  if (isNamed(rows, given)) return given;
  const names = Object.keys(rows);
  return given
    .slice(0, names.length)
    .map(([name, value], order) => [names[positionOf(name.toLowerCase()) ?? order] ?? '', value]);
}

function isNamed(rows: Fields, given: Given): boolean {
  const known = new Set(
    Object.entries(rows).flatMap(([name, field]) => namesOf(name, field).map((one) => one.toLowerCase())),
  );
  return given.some(([name]) => known.has(name.toLowerCase()));
}

function gather(given: Given, slots: ReadonlyMap<string, number>, found: unknown[]): readonly unknown[] {
  for (const pair of given) {
    const slot = slots.get(pair[0]) ?? slots.get(pair[0].toLowerCase());
    if (slot === undefined) continue;
    const before = found[slot];
    found[slot] = before === absent ? pair[1] : Repeated.add(before, pair[1]);
  }
  return found;
}

/** A list may come item by item. Of two values any other field takes neither: who is to say which one counts? */
class Repeated {
  readonly values: unknown[];

  constructor(first: unknown) {
    this.values = [first];
  }

  static add(before: unknown, value: unknown): Repeated {
    const all = before instanceof Repeated ? before : new Repeated(before);
    all.values.push(value);
    return all;
  }
}

/** Values of a refusal with all fields of its operation: what it does not tell is empty, zero or false. */
export const filled = (rows: Fields, values: Values<Fields>): Values<Fields> => ({
  ...Object.fromEntries(Object.entries(rows).map(([name, { type }]) => [name, nothingOf[type]])),
  ...values,
});

const nothingOf: Readonly<Record<FieldType, unknown>> = {
  ...{ string: '', integer: 0, boolean: false, base64Binary: new Uint8Array() },
  ...{ strings: [], map: {}, maps: [] },
};

/** A writer made once from the rows of a response. @returns an object of JSON */
export type JsonWriter = (values: Values<Fields>) => string;

/** Makes a writer of the JSON that `JSON.stringify` makes of {@link fieldWriter}'s result. */
export function jsonWriter(rows: Fields): JsonWriter {
  const fields = Object.entries(rows).map(([name, field]) => ({ name, field, key: `${writeJson(name)}:` }));
  return (values) => {
    let members = '';
    for (const { name, field, key } of fields) {
      const value = values[name];
      if (value === undefined) continue;
      if (members !== '') members += ',';
      members += key + writeJson(field.write(value));
    }
    return `{${members}}`;
  };
}

/** A writer made once from the rows of a response. */
export type FieldWriter = (values: Values<Fields>) => Written;

export function fieldWriter(rows: Fields): FieldWriter {
  const fields = Object.entries(rows).map(([name, field]) => ({ name, field }));
  return (values) => {
    const written: Record<string, WireValue> = {};
    for (const { name, field } of fields) {
      const value = values[name];
      if (value !== undefined) written[name] = field.write(value);
    }
    return written;
  };
}
