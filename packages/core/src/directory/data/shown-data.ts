/**
 * Data in attributes for callers, without the secrets, clear or sealed, that the caller may not read by `Get_User_Data`.
 */
import { Dn } from '../../foundation/text/dn.ts';
import type { Attributes } from '../../foundation/text/value.ts';
import type { Entry } from '../../ports/directory/directory.ts';
import type { SchemaWords, Words } from '../view.ts';
import { isPublic } from './data.ts';

export interface ShownDataView extends Pick<Words, 'applications'>, SchemaWords {
  readonly names: Words['names'];
  /** @param name in our words */
  readonly readsSecret: (dn: Dn, name: string) => boolean;
}

/** Returns an entry without hidden data; the same entry if nothing is hidden. */
export function withoutSecrets(entry: Entry, view: ShownDataView): Entry {
  const attribute = view.config.schema.data_attribute.toLowerCase();
  const values = entry.attributes.get(attribute);
  if (!values) return entry;
  const dn = Dn.parse(entry.dn);
  const shown = values.map((value) => (typeof value === 'string' ? shownOf(value, dn, view) : value));
  if (shown.every((value, index) => value === values[index])) return entry;
  const attributes: Attributes = new Map([...entry.attributes, [attribute, shown.filter(Boolean)]]);
  return { ...entry, attributes };
}

/** Removes secret pairs from `App.Key=<base64>,…`. */
const shownOf = (value: string, dn: Dn, view: ShownDataView): string =>
  value
    .split(',')
    .filter((pair) => isShown(pair, dn, view))
    .join(',');

function isShown(pair: string, dn: Dn, view: ShownDataView): boolean {
  const [word = ''] = pair.split('=', 1);
  const key = view.names.oursDotted(word.trim());
  return isPublic(key, view) || view.readsSecret(dn, key);
}
