/** The fields of an operation: found among what a caller sent, and written in the order of the WSDL. */
import { ServiceError } from '../errors/errors.ts';
import type { Field, WireValue } from '../table/field.ts';
import type { Fields, Values } from '../table/operation.ts';

/** What a caller sent, in its order: names as they came, values not looked at yet. */
export type Given = readonly (readonly [name: string, value: unknown])[];

/** The fields of a response that apply, in the order of the WSDL. */
export type Written = readonly (readonly [name: string, value: WireValue])[];

/**
 * Names count without regard to case, and what no row has is ignored (webservices.md §2).
 * @throws ServiceError `invalid_params` naming the field
 */
export function readFields(rows: Fields, given: Given): Values<Fields> {
  const byName = gather(given);
  return Object.fromEntries(
    Object.entries(rows).map(([name, field]) => [name, readField(field, name, byName)]),
  );
}

/** Under both of its names it may stand only if they say the same. */
function readField(
  field: Field<unknown>,
  name: string,
  given: ReadonlyMap<string, readonly unknown[]>,
): unknown {
  const [first, ...others] = namesOf(name, field)
    .map((one) => field.read(together(given.get(one.toLowerCase())), one))
    .filter((value) => value !== undefined);
  if (others.some((value) => value !== first))
    throw new ServiceError('invalid_params', {
      detail: `Parameter ${name} has another value as ${field.alias}`,
    });
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

export function writeFields(rows: Fields, values: Values<Fields>): Written {
  return Object.entries(rows).flatMap(([name, field]) => {
    const value = values[name];
    return value === undefined ? [] : [[name, field.write(value)] as const];
  });
}
