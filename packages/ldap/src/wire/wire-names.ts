/** Names on the wire: DNs and attributes as servers want them in requests, and as we know them in answers. */
import { canonicalType, type Dn, isBinaryAttribute, TextCache } from '@watchword/core/foundation';
import type { Dialect } from '../dialect.ts';

/** A DN by RFC 4514, however the caller spelled it: not every server reads the older forms. */
export function wireDn(dn: Dn): string {
  return dn.format();
}

/** Attributes whose syntax requires the option `;binary` on the wire, RFC 4523 §2 and §4. */
const withBinaryOption = new Set([
  'authorityrevocationlist',
  'cacertificate',
  'certificaterevocationlist',
  'crosscertificatepair',
  'deltarevocationlist',
  'supportedalgorithms',
  'usercertificate',
]);

/** An attribute of a filter under its short name: Samba does not know OIDs there. */
export function wireType(attribute: string): string {
  return canonicalType(attribute);
}

const binaryOption = /;binary(?=;|$)/i;

/** Nearly none has an option. */
const withoutBinary = (description: string): string =>
  description.includes(';') ? description.replace(binaryOption, '') : description;

/** An attribute's name as this kind of server wants it in requests, whether the caller wrote `;binary` or not. */
export function wireName(attribute: string, dialect: Dialect): string {
  const name = withoutBinary(attribute);
  return dialect.binaryOption && withBinaryOption.has(name.toLowerCase()) ? `${name};binary` : name;
}

/** A name from a server as we know it: lower case, without `;binary`. Other options are part of it. */
export function plainName(description: string): string {
  return withoutBinary(description.toLowerCase());
}

/** What the attribute is that a server describes so. */
export interface Described {
  /** See {@link plainName}. */
  readonly name: string;
  /** Whether its values are bytes, whatever they look like. */
  readonly isBinary: boolean;
}

/** No schema has more, and no server is to fill the memory with names that it makes up. */
const mostKnown = 4_096;
/** Of descriptions without options, which are the same few in all answers. */
const known = new TextCache<Described>(mostKnown);

export function described(description: string): Described {
  return known.get(description) ?? describe(description);
}

function describe(description: string): Described {
  const name = plainName(description);
  const found = { name, isBinary: isBinaryAttribute(name) };
  // A text of its own: what was cut out of a message keeps all of it.
  return description.includes(';') ? found : known.keep(Buffer.from(description).toString(), found);
}
