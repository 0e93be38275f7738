/** How data of applications stand in the attribute: `App.Key=<base64>`, with commas between them (concepts.md §5). */
import type { Names } from '../../table/dialect.ts';

/** In our words. Of a key that stands there in two, the installation's word counts. */
export function parseData(
  values: readonly string[],
  { names }: { readonly names: Names },
): ReadonlyMap<string, string> {
  const data = new Map<string, string>();
  const theirs = new Set<string>();
  for (const value of values) {
    for (let start = 0; start <= value.length; ) {
      const comma = value.indexOf(',', start);
      const end = comma < 0 ? value.length : comma;
      const pair = value.slice(start, end);
      start = end + 1;
      const equals = pair.indexOf('=');
      const word = pair.slice(0, Math.max(0, equals)).trim();
      if (word === '') continue;
      const key = names.oursDotted(word);
      if (names.theirsDotted(key) === word) theirs.add(key);
      else if (theirs.has(key)) continue;
      data.set(key, pair.slice(equals + 1).trim());
    }
  }
  return data;
}

/** All keys in one value and in one word, whatever they stood in before. */
export function formatData(
  data: ReadonlyMap<string, string | null>,
  { names }: { readonly names: Names },
): readonly string[] {
  const pairs = [...data].flatMap(([key, value]) =>
    value === null ? [] : [`${names.theirsDotted(key)}=${value}`],
  );
  return pairs.length === 0 ? [] : [pairs.join(',')];
}
