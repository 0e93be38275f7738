/** Parameters that hold names, or values by name, of attributes, settings or data. */
import { assertNoOtherForm, decodeBase64 } from './base64.ts';
import { asNames, list, type Param, param, wireText, wireTexts } from './parameter.ts';
import { lazy } from './zod.ts';

/** A type-level mark of settings, which `Calls` replaces by the settings of the applications. */
export declare const ofSettings: unique symbol;

/** Names of settings, `Otp.LoginMode`. */
export type SettingNames = readonly string[] & { readonly [ofSettings]?: 'names' };

/** Values of settings by their names; null removes one. */
export type SettingValues = Readonly<Record<string, string | boolean | null>> & {
  readonly [ofSettings]?: 'values';
};

/** A list of names of settings. */
export const settingNames = (): Param<SettingNames, readonly string[]> => list();

/** Values by name: a text, a number, or a list of them; `run` gets lists. */
export const valuesByName = (): Param<
  Readonly<Record<string, string | readonly string[]>>,
  ReadonlyMap<string, readonly string[]>
> =>
  param({
    kind: 'Array',
    title: 'map of names to values',
    shape: (z) =>
      z.union([
        z.record(z.string(), z.union([wireText().transform((value) => [value]), wireTexts()])),
        emptyList(),
      ]),
    convert: (value) => new Map(Object.entries(value)),
    audit: (value) => [...value.keys()].join(' '),
  });

/** Names to remove, or values to remove by name. */
export interface NamesOrValues {
  readonly names: readonly string[];
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** A list of names (also keyed by index), or values by name. */
export const namesOrValues = (): Param<
  readonly string[] | Readonly<Record<string, string | readonly string[]>>,
  NamesOrValues
> =>
  param({
    kind: 'Array',
    title: 'list of names, or map of names to values',
    shape: (z) =>
      z.union([
        wireTexts().transform((names) => ({ names, values: new Map<string, string[]>() })),
        z
          .record(z.string(), z.union([wireText().transform((value) => [value]), wireTexts()]))
          .transform((map) => ({ names: Object.keys(map), values: new Map(Object.entries(map)) })),
      ]),
    convert: ({ names, values }, parameter) => ({ names: asNames(names, parameter), values }),
    audit: ({ names }) => names.join(' '),
  });

/** Data by name, in base64; null asks for removal. */
export const dataByName = (): Param<
  Readonly<Record<string, string | null>>,
  ReadonlyMap<string, string | boolean | null>
> => scalarByName();

/**
 * Bytes by name, in base64. The audit has the names only.
 * @param strict names of values that are secrets of tokens
 */
export const bytesByName = (
  strict: readonly string[],
): Param<Readonly<Record<string, string>>, ReadonlyMap<string, Uint8Array>> =>
  param({
    kind: 'Array',
    title: 'map of names to base64',
    shape: (z) => z.union([z.record(z.string(), wireText()), emptyList()]),
    convert: (value, parameter) => {
      const decoded = Object.entries(value).map(([name, text]) => {
        const bytes = decodeBase64(text, parameter);
        if (strict.includes(name)) assertNoOtherForm(text, `${parameter}.${name}`);
        return [name, bytes] as const;
      });
      return new Map(decoded);
    },
    audit: (value) => [...value.keys()].join(' '),
  });

/** Settings by name; null asks for removal. */
export const settingsByName = (): Param<SettingValues, ReadonlyMap<string, string | boolean | null>> =>
  scalarByName();

/** Texts by name. The audit has the names only. */
export const textsByName = (): Param<Readonly<Record<string, string>>, ReadonlyMap<string, string>> =>
  param({
    kind: 'Array',
    title: 'map of names to text',
    shape: (z) => z.union([z.record(z.string(), wireText()), emptyList()]),
    convert: (value) => new Map(Object.entries(value)),
    audit: (value) => [...value.keys()].join(' '),
  });

const scalarByName = <In>(): Param<In, ReadonlyMap<string, string | boolean | null>> =>
  param({
    kind: 'Array',
    title: 'map of names to single values',
    shape: (z) => z.union([z.record(z.string(), z.union([wireText(), z.boolean(), z.null()])), emptyList()]),
    convert: (value) => new Map(Object.entries(value)),
    audit: (value) => [...value.keys()].join(' '),
  });

/** An empty list, as PHP writes an empty map. */
const emptyList = lazy((z) =>
  z
    .array(z.never())
    .length(0)
    .transform(() => ({})),
);
