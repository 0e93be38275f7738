/** Attributes that no LDAP client may read, whatever the directory permits. */
import { secrecyOf } from '../../administration/access/permissions.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { Filter } from '../../foundation/text/filter.ts';
import { attributeType } from '../../foundation/text/value.ts';
import type { Entry } from '../../ports/directory/directory.ts';

/** Judges attributes by their name, or by the description that a client sends. */
export type Hidden = (attribute: string) => boolean;

/**
 * Passwords and hashes of them, what tokens and settings are made of, and whatever is named by a number, which could be another name
 * of one of these.
 */
export function hiddenBy(schema: ServiceConfig['schema']): Hidden {
  const isSecret = secrecyOf(schema);
  const own = new Set([schema.data_attribute, schema.settings_attribute, 'webadmVoice'].map(attributeType));
  return (attribute) => {
    const type = attributeType(attribute);
    return isSecret(type) || own.has(type) || /^[0-9]/.test(type);
  };
}

/** A filter tells what is in an attribute as well as its values do. */
export function asksForHidden(filter: Filter, isHidden: Hidden): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.some((part) => asksForHidden(part, isHidden));
    case 'not':
      return asksForHidden(filter.filter, isHidden);
    case 'extensible':
      // Without an attribute it is all of them that the rule is for (RFC 4511 §4.5.1.7.7).
      return filter.attribute === undefined || isHidden(filter.attribute);
    default:
      return isHidden(filter.attribute);
  }
}

export const withoutHidden = ({ dn, attributes }: Entry, isHidden: Hidden): Entry => ({
  dn,
  attributes: new Map([...attributes].filter(([name]) => !isHidden(name))),
});
