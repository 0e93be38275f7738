/** Attribute syntaxes whose values are bytes, and the attributes of a schema that have them. */
import { byAnyName, lineage, namesOf, parseDefinitions, syntaxOf } from './schema-definition.ts';

const standard = '1.3.6.1.4.1.1466.115.121.1.';

/**
 * RFC 2252 §4.3.2 and RFC 4517 §3.3: access control item, audio, binary, certificate, list of certificates, pair of certificates, fax, JPEG,
 * octet string, supported algorithm. Active Directory calls nearly all its bytes octet strings, security identifiers and links of replicas too.
 */
const standardBinary = ['1', '4', '5', '8', '9', '10', '23', '28', '40', '49'];

/** PKCS #8 keys and attribute certificates of OpenLDAP; security descriptors of Active Directory ([MS-ADTS] §3.1.1.3.1.1.1). */
const vendorBinary = ['1.2.840.113549.1.8.1.1', '1.3.6.1.4.1.4203.666.11.10.2.1', '1.2.840.113556.1.4.907'];

const binarySyntaxes = new Set([...standardBinary.map((last) => standard + last), ...vendorBinary]);

/** Returns the names of the attributes whose values are bytes, in lower case, and their OIDs. */
export function binaryAttributeNames(attributeTypes: readonly string[]): ReadonlySet<string> {
  const definitions = attributeTypes.flatMap(parseDefinitions);
  const byName = byAnyName(definitions);
  const binary = definitions.filter((one) => binarySyntaxes.has(syntaxOf(lineage(one, byName))));
  return new Set(binary.flatMap((one) => [one.oid, ...namesOf(one)].map((name) => name.toLowerCase())));
}
