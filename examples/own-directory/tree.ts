/** The entries of a JSON file, by the key of their names. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  type AttributeValue,
  attributeType,
  canonicalType,
  Dn,
  ServiceError,
} from '@watchword/core/foundation';
import type { SchemaDefinitions } from '@watchword/core/ports';

type Written = Readonly<Record<string, readonly (string | { readonly base64: string })[]>>;

interface TreeFile extends SchemaDefinitions {
  readonly base: string;
  readonly entries: Readonly<Record<string, Written>>;
}

/** Returns the one name of an attribute: `commonName`, `CN` and `2.5.4.3` are `cn`. */
export const typeOf = (description: string): string => canonicalType(attributeType(description));

/** @throws ServiceError `unavailable` if the file cannot be read */
export function readTree(file: string) {
  try {
    const { base, entries: written, ...schema }: TreeFile = JSON.parse(readFileSync(file, 'utf8'));
    const stored = Object.entries(written).map(([name, entry]) => storedOf(Dn.parse(name), entry));
    const entries = new Map(stored.map((entry) => [entry.dn.key, entry]));
    for (const { dn, attributes } of stored)
      for (const member of attributes.get('member') ?? [])
        append(entries.get(Dn.parse(String(member)).key)?.attributes, 'memberof', dn.format());
    return { base: Dn.parse(base), schema, entries };
  } catch (cause) {
    throw new ServiceError('unavailable', { detail: 'the file of the directory cannot be read', cause });
  }
}

function storedOf(dn: Dn, written: Written) {
  const attributes = new Map<string, AttributeValue[]>();
  for (const [name, values] of Object.entries(written))
    for (const value of values)
      append(
        attributes,
        typeOf(name),
        typeof value === 'string' ? value : Buffer.from(value.base64, 'base64'),
      );
  for (const { type, value } of dn.rdn)
    if (!attributes.get(typeOf(type))?.includes(value)) append(attributes, typeOf(type), value);
  // Without an identifier in the file, an entry that is renamed is another one.
  if (!attributes.has('entryuuid')) append(attributes, 'entryuuid', hash('sha256', dn.key).slice(0, 32));
  const password = attributes.get('userpassword')?.map(String)[0];
  attributes.delete('userpassword'); // never shown or searched
  return { dn, attributes, password, revision: hash('sha256', JSON.stringify(written)) };
}

const append = (to: Map<string, AttributeValue[]> | undefined, type: string, value: AttributeValue) =>
  to?.set(type, [...(to.get(type) ?? []), value]);
