/**
 * Data as the attribute shows them: without the secrets that the caller may not read by `Get_User_Data`, in clear as other programs
 * have written them or sealed. Nobody opens a sealed one, and nobody needs it but to copy it.
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

/** Returns an entry as its attributes may be shown: the same where nothing is left out. */
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

/** `App.Key=<base64>,…` without the pairs that are secrets. */
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
