/** Binary attributes, whose values are base64 in the Manager. */
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

/** SSH keys in the schemas of OpenSSH, FreeIPA and 389 Directory Server. */
const keysInText = ['sshpublickey', 'ipasshpubkey', 'nssshpublickey'];

/** A function that returns whether an attribute is binary. @param description with its options */
export type IsBinary = (description: string) => boolean;

/**
 * Reads the binary attributes in the directory of an entry: by syntax, and those that are binary in every directory, without the
 * `text_attributes`.
 * @throws ServiceError `unavailable`, because a guess could write broken values
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
