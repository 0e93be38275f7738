/** The fields of an operation: found among what a caller sent, and written in the order of the WSDL. */
import { ServiceError } from '../errors/errors.ts';
import type { Field, WireValue } from '../table/field.ts';
import type { Fields, Values } from '../table/operation.ts';

/** What a caller sent, in its order: names as they came, values not looked at yet. */
export type Given = readonly (readonly [name: string, value: unknown])[];

/** The fields of a response that apply, in the order of the WSDL. */
export type Written = readonly (readonly [name: string, value: WireValue])[];

/** What is made once of the rows of a request: each field with the names that it is found by. */
export type FieldReader = (given: Given) => Values<Fields>;

/**
 * Names count without regard to case, and what no row has is ignored (webservices.md §2).
 * @returns a function that throws ServiceError `invalid_params` naming the field
 */
export function fieldReader(rows: Fields): FieldReader {
  const places = Object.entries(rows).map(([name, field]) => ({
    ...{ name, field },
    spellings: namesOf(name, field).map((one) => ({ name: one, key: one.toLowerCase() })),
  }));
  const blank: Record<string, unknown> = Object.fromEntries(
    Object.keys(rows).map((name) => [name, undefined]),
  );
  return (given) => {
    const byName = gather(given);
    // A copy has its fields in their places already, which V8 fills quickly.
    const values = { ...blank };
    for (const place of places) values[place.name] = readField(place, byName);
    return values;
  };
}

interface FieldPlace {
  readonly name: string;
  readonly field: Field<unknown>;
  readonly spellings: readonly { readonly name: string; readonly key: string }[];
}

/** Under both of its names it may stand only if they say the same. */
function readField(
  { name, field, spellings }: FieldPlace,
  given: ReadonlyMap<string, readonly unknown[]>,
): unknown {
  let first: unknown;
  for (const spelling of spellings) {
    const value = field.read(together(given.get(spelling.key)), spelling.name);
    if (value === undefined) continue;
    if (first !== undefined && value !== first)
      throw new ServiceError('invalid_params', {
        detail: `Parameter ${name} has another value as ${field.alias}`,
      });
    first ??= value;
  }
  return first;
}

const namesOf = (name: string, { alias }: Field<unknown>): readonly string[] =>
  alias === undefined ? [name] : [name, alias];

/** If no name is known, the values go by their places (webservices.md §2). */
export function namedOrPlaced(rows: Fields, given: Given): Given {
  const names = Object.keys(rows);
  const known = new Set(
    Object.entries(rows).flatMap(([name, field]) => namesOf(name, field).map((one) => one.toLowerCase())),
  );
  if (given.some(([name]) => known.has(name.toLowerCase()))) return given;
  return given.slice(0, names.length).map(([, value], place) => [names[place] ?? '', value]);
}

function gather(given: Given): Map<string, unknown[]> {
  const byName = new Map<string, unknown[]>();
  for (const [name, value] of given) {
    const key = name.toLowerCase();
    const values = byName.get(key);
    if (values) values.push(value);
    else byName.set(key, [value]);
  }
  return byName;
}

/** A list may come item by item. Of two values any other field takes neither: who is to say which one counts? */
const together = (values: readonly unknown[] = []): unknown =>
  values.length < 2 ? values[0] : values.flat();

/** What is made once of the rows of a response. */
export type FieldWriter = (values: Values<Fields>) => Written;

export function fieldWriter(rows: Fields): FieldWriter {
  const fields = Object.entries(rows);
  return (values) => {
    const written: (readonly [string, WireValue])[] = [];
    for (const [name, field] of fields) {
      const value = values[name];
      if (value !== undefined) written.push([name, field.write(value)]);
    }
    return written;
  };
}
