/**
 * Secrets that stand in the data attribute in clear, as other programs have written them: who may not read them by
 * `Get_User_Data` is not shown them with the attribute either. Sealed ones open for nobody.
 */
import { Dn } from '../../text/dn.ts';
import type { Attributes } from '../../text/value.ts';
import type { Entry } from '../directory.ts';
import type { SchemaWords, Words } from '../view.ts';
import { isPublic } from './data.ts';
import { sealMark } from './sealed-data.ts';

export interface OpenSecretsView extends Pick<Words, 'applications'>, SchemaWords {
  readonly names: Words['names'];
  /** @param name in our words */
  readonly readsSecret: (dn: Dn, name: string) => boolean;
}

/** Returns an entry as its attributes may be shown: the same where nothing is left out. */
export function withoutOpenSecrets(entry: Entry, view: OpenSecretsView): Entry {
  const attribute = view.config.schema.data_attribute.toLowerCase();
  const values = entry.attributes.get(attribute);
  if (!values) return entry;
  const dn = Dn.parse(entry.dn);
  const shown = values.map((value) => (typeof value === 'string' ? shownOf(value, dn, view) : value));
  if (shown.every((value, index) => value === values[index])) return entry;
  const attributes: Attributes = new Map([...entry.attributes, [attribute, shown.filter(Boolean)]]);
  return { ...entry, attributes };
}

/** `App.Key=<base64>,…` without the pairs that are secrets in clear. */
const shownOf = (value: string, dn: Dn, view: OpenSecretsView): string =>
  value
    .split(',')
    .filter((pair) => isShown(pair, dn, view))
    .join(',');

function isShown(pair: string, dn: Dn, view: OpenSecretsView): boolean {
  const [word = '', ...rest] = pair.split('=');
  if (rest.join('=').trim().startsWith(sealMark)) return true;
  const key = view.names.oursDotted(word.trim());
  return isPublic(key, view) || view.readsSecret(dn, key);
}
