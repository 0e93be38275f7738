/** `Export_LDAP_Objects`: the readable part of a subtree as LDIF (RFC 2849). */

import { isReason } from '../../foundation/errors/errors.ts';
import { mapCooperatively } from '../../foundation/runtime/cooperative.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { Filter } from '../../foundation/text/filter.ts';
import { formatRecord } from '../../foundation/text/ldif.ts';
import { type AttributeValue, attributeType, isSecretAttribute } from '../../foundation/text/value.ts';
import type { Entry, SearchScope } from '../../ports/directory/directory.ts';
import { withoutSecrets } from '../data/shown-data.ts';
import { missingContainer } from '../entry/entry.ts';
import type { SearchView } from '../entry/object.ts';
import type { SchemaWords } from '../view.ts';

export interface ExportView extends SearchView {
  readonly config: SearchView['config'] & SchemaWords['config'];
}

/** Entries between two yields: a millisecond or so. */
const atOnce = 100;

/**
 * Exports entries in the order of creation, parents first, without passwords and their hashes.
 * @throws ServiceError `not_found` naming the base; `too_large`
 */
export async function exportObjects(
  { base, scope, filter }: { readonly base: Dn; readonly scope: SearchScope; readonly filter: Filter },
  call: ExportView,
): Promise<string> {
  const { directory, config } = call;
  const limit = config.limits.search_entries;
  try {
    const found = await directory.search({ base, scope, filter, limit });
    const lines = linesWith(config.schema);
    const records = await mapCooperatively(parentsFirst(found), atOnce, (entry) =>
      formatRecord(entry.dn, lines(withoutSecrets(entry, call))),
    );
    return ['version: 1\n\n', ...records].join('');
  } catch (error) {
    throw isReason(error, 'not_found') ? missingContainer(base) : error;
  }
}

/** Orders parents before children: a moved entry may be older than its parent. */
function parentsFirst(entries: readonly Entry[]): readonly Entry[] {
  const names = new Set(entries.map(({ dn }) => dn));
  const seen = new Set<string>();
  const isInOrder = entries.every(({ dn }) => {
    seen.add(dn);
    const above = nameAbove(dn);
    return !names.has(above) || seen.has(above);
  });
  return isInOrder ? entries : [...entries].sort((a, b) => a.dn.length - b.dn.length);
}

/** Returns the parent name: the text after the first unescaped comma. */
const nameAbove = (dn: string): string => dn.replace(/^(?:[^,\\]|\\.)*,/s, '');

/** Makes the lines of an entry, with certificates as `;binary` (RFC 4523 §2). */
function linesWith(schema: SchemaWords['config']['schema']) {
  const secret = new Set(schema.password_attributes.map(attributeType));
  const binary = new Set(schema.certificate_attributes.map(attributeType));
  return function* ({ attributes }: Pick<Entry, 'attributes'>): Generator<[string, AttributeValue]> {
    for (const [name, values] of attributes) {
      const type = attributeType(name);
      if (secret.has(type) || isSecretAttribute(name)) continue;
      for (const value of values) yield [binary.has(type) ? `${type};binary` : name, value];
    }
  };
}
