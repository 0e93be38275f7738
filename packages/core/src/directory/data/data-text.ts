/**
 * The text of data in the attribute: `App.Key=<base64>`, separated by commas (docs/concepts/dialects-and-names.md#stored-data).
 */
import type { Names } from '../../table/dialect.ts';

/** Parses data, with keys in our words. Of a key in two words, the installation's counts. */
export function parseData(
  values: readonly string[],
  { names }: { readonly names: Names },
): ReadonlyMap<string, string> {
  const data = new Map<string, string>();
  /** Keys that are stored by a word other than the installation's. */
  let others: Set<string> | undefined;
  for (const value of values) {
    for (let [start, equals] = [0, value.indexOf('=')]; equals >= 0; ) {
      const comma = value.indexOf(',', start);
      const end = comma < 0 ? value.length : comma;
      const word = equals < end ? value.slice(start, equals).trim() : '';
      const text = word && value.slice(equals + 1, end).trim();
      start = end + 1;
      if (equals < start) equals = value.indexOf('=', start);
      if (word === '') continue;
      const key = names.oursDotted(word);
      if (names.theirsDotted(key) === word) others?.delete(key);
      else if (data.has(key) && !others?.has(key)) continue;
      else others = (others ?? new Set()).add(key);
      data.set(key, text);
    }
  }
  return data;
}

/** Formats data as one value, with keys in the installation's words. */
export function formatData(
  data: ReadonlyMap<string, string | null>,
  { names }: { readonly names: Names },
): readonly string[] {
  const pairs = [...data].flatMap(([key, value]) =>
    value === null ? [] : [`${names.theirsDotted(key)}=${value}`],
  );
  return pairs.length === 0 ? [] : [pairs.join(',')];
}
