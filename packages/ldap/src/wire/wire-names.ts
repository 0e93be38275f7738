/** Conversion of DNs and attribute names between requests, responses and our own form. */
import { canonicalType, type Dn, isBinaryAttribute, TextCache } from '@watchword/core/foundation';
import type { Dialect } from '../dialect.ts';

/** Formats a DN by RFC 4514: some servers do not read older forms. */
export function wireDn(dn: Dn): string {
  return dn.format();
}

/** Attributes whose syntax requires the option `;binary`, RFC 4523 §2 and §4. */
const withBinaryOption = new Set([
  'authorityrevocationlist',
  'cacertificate',
  'certificaterevocationlist',
  'crosscertificatepair',
  'deltarevocationlist',
  'supportedalgorithms',
  'usercertificate',
]);

/** Returns the short name of an attribute for a filter: Samba does not know OIDs there. */
export function wireType(attribute: string): string {
  return canonicalType(attribute);
}

const binaryOption = /;binary(?=;|$)/i;

/** Removes the option `;binary`. */
const withoutBinary = (description: string): string =>
  description.includes(';') ? description.replace(binaryOption, '') : description;

/** Returns the name of an attribute for requests to this kind of server. */
export function wireName(attribute: string, dialect: Dialect): string {
  const name = withoutBinary(attribute);
  return dialect.binaryOption && withBinaryOption.has(name.toLowerCase()) ? `${name};binary` : name;
}

/** Returns a server's name in our form: lower case, without `;binary`, with other options. */
export function plainName(description: string): string {
  return withoutBinary(description.toLowerCase());
}

/** An attribute description of a server. */
export interface Described {
  /** See {@link plainName}. */
  readonly name: string;
  /** Values are always bytes. */
  readonly isBinary: boolean;
}

/** Most cached descriptions: more than any schema has, and a limit for a hostile server. */
const mostKnown = 4_096;
/** A cache of descriptions without options. */
const known = new TextCache<Described>(mostKnown);

export function described(description: string): Described {
  return known.get(description) ?? describe(description);
}

function describe(description: string): Described {
  const name = plainName(description);
  const found = { name, isBinary: isBinaryAttribute(name) };
  // A copy, as a slice would hold the text of the whole message.
  return description.includes(';') ? found : known.keep(Buffer.from(description).toString(), found);
}
