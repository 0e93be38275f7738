/** Attributes whose values are in base64 wherever the Manager reads and writes them. */
import type { Dn } from '../foundation/text/dn.ts';
import {
  attributeType,
  hasBinaryOption,
  isBinaryAttribute,
  isPasswordAttribute,
} from '../foundation/text/value.ts';
import type { DirectoryServer } from '../ports/directory/directory.ts';
import type { SchemaWords } from './view.ts';

export interface BinaryView extends SchemaWords {
  readonly server: Pick<DirectoryServer, 'binaryAttributes'>;
}

/** SSH keys as OpenSSH's schema, FreeIPA and 389 Directory Server call them. */
const keysInText = ['sshpublickey', 'ipasshpubkey', 'nssshpublickey'];

/** @param description with its options */
export type IsBinary = (description: string) => boolean;

/**
 * Reads which attributes hold bytes in the directory of an entry: by their syntax in its schema, and those that hold bytes in every
 * directory. What people write as text is text, whatever its syntax.
 * @throws ServiceError `unavailable`: a guess would write broken values
 */
export async function binaryAttributesAt(dn: Dn, { config, server }: BinaryView): Promise<IsBinary> {
  const { text_attributes, password_attributes, settings_attribute, data_attribute } = config.schema;
  const named = [...text_attributes, ...password_attributes, settings_attribute, data_attribute];
  const text = new Set([...keysInText, ...named.map(attributeType)]);
  const bySyntax = await server.binaryAttributes(dn);
  return (description) => {
    const type = attributeType(description);
    const names = bySyntax.get(type) ?? [type];
    if (names.some((name) => text.has(name) || isPasswordAttribute(name)))
      return hasBinaryOption(description);
    return isBinaryAttribute(description) || bySyntax.has(type);
  };
}
