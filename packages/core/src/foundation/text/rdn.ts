/**
 * Relative distinguished names: their parts, their text (RFC 4514 §2.3), and the key that all spellings of a name share.
 */
import { type AttributeValue, attributeType } from './value.ts';

/** One attribute type and value of an RDN. The type is as written; the value is unescaped. */
export interface Ava {
  readonly type: string;
  readonly value: AttributeValue;
}

/** A relative distinguished name: one or more AVAs, each of another type (X.501 §9.3). */
export type Rdn = readonly Ava[];

/** Short names of OIDs and long names (RFC 4514 §3, RFC 4519, RFC 4524). */
const aliases = new Map(
  Object.entries({
    '2.5.4.3': 'cn',
    '2.5.4.4': 'sn',
    '2.5.4.5': 'serialnumber',
    '2.5.4.6': 'c',
    '2.5.4.7': 'l',
    '2.5.4.8': 'st',
    '2.5.4.9': 'street',
    '2.5.4.10': 'o',
    '2.5.4.11': 'ou',
    '2.5.4.12': 'title',
    '2.5.4.42': 'givenname',
    '0.9.2342.19200300.100.1.1': 'uid',
    '0.9.2342.19200300.100.1.3': 'mail',
    '0.9.2342.19200300.100.1.25': 'dc',
    commonname: 'cn',
    surname: 'sn',
    countryname: 'c',
    localityname: 'l',
    stateorprovincename: 'st',
    streetaddress: 'street',
    organizationname: 'o',
    organizationalunitname: 'ou',
    gn: 'givenname',
    userid: 'uid',
    rfc822mailbox: 'mail',
    domaincomponent: 'dc',
  }),
);

/** Types with a case-sensitive equality rule (RFC 2307 §5, RFC 2079, our schema): `/home/A` is not `/home/a`. */
const caseExactTypes = new Set([
  'bootfile',
  'homedirectory',
  'labeleduri',
  'loginshell',
  'membernisnetgroup',
  'memberuid',
  'nismapentry',
  'webadmsettings',
]);

/** Returns the canonical spelling of a type: the short name, in lower case. */
export function canonicalType(type: string): string {
  const lower = type.toLowerCase();
  return aliases.get(lower) ?? lower;
}

/** Returns the canonical type of an attribute description: `commonName;lang-de` → `cn`. */
export const describedType = (description: string): string => canonicalType(attributeType(description));

/** Writes an RDN (RFC 4514 §2.3): `cn=a\,b+uid=1`. */
export function formatRdn(rdn: Rdn): string {
  return rdn.map(({ type, value }) => `${type}=${escapeValue(value)}`).join('+');
}

/**
 * Returns a key that all spellings of an RDN share: canonical types, folded values, sorted AVAs. RDNs that a directory holds to be different
 * have different keys.
 */
export function rdnKey(rdn: Rdn): string {
  return rdn.map(avaKey).sort().join('+');
}

/** Returns the values of a name by their types: they become values of its entry. */
export const valuesOfName = (rdn: Rdn): readonly (readonly [string, readonly AttributeValue[]])[] =>
  rdn.map(({ type, value }) => [type, [value]] as const);

export function sameRdn(a: Rdn, b: Rdn): boolean {
  return a.length === b.length && rdnKey(a) === rdnKey(b);
}

function avaKey(ava: Ava): string {
  const type = canonicalType(ava.type);
  const fold = caseExactTypes.has(type) ? exactValue : foldValue;
  return `${type}=${escapeValue(typeof ava.value === 'string' ? fold(ava.value) : ava.value)}`;
}

/**
 * Capital letters of Unicode 3.2, which RFC 4518 is based on and OpenLDAP lowers. Lowering a newer letter would give one key to two names
 * that a directory holds to be different.
 */
const capitals =
  /[A-Z\u00c0-\u0233\u0386-\u03ce\u03d0-\u03f4\u0400-\u04bf\u04c1-\u04f5\u04f8\u0500-\u050f\u0531-\u0556\u1e00-\u1e95\u1ea0-\u1ef9\u1f08-\u1ffc\u2126-\u212b\uff21-\uff3a\u{10400}-\u{10425}]/gu;

/** Lowers a letter without its context: a final Σ becomes σ. A letter that would become two (İ) is returned unchanged. */
function lowerLetter(letter: string): string {
  const lower = letter.toLowerCase();
  return lower.length === letter.length ? lower : letter;
}

/**
 * Folds a value as `caseIgnoreMatch` does (RFC 4518 §2). Where directories differ, this is the strictest: OpenLDAP keeps tabs and ß, for
 * example.
 */
export function foldValue(value: string): string {
  if (/^[\x21-\x7e]*$/.test(value)) return value.toLowerCase();
  return exactValue(value.replace(capitals, lowerLetter));
}

/** Folds a part of a value, where spaces at the ends count. */
export function foldPiece(piece: string): string {
  return exactPiece(piece.replace(capitals, lowerLetter));
}

/** Normalizes a value as `caseExactMatch` does: NFKC, runs of spaces as one, none at the ends. */
export function exactValue(value: string): string {
  return exactPiece(value).replace(/^ | $/g, '');
}

/** Normalizes a part of a value, where spaces at the ends count. */
export const exactPiece = (piece: string): string => piece.normalize('NFKC').replace(/ +/g, ' ');

const special = /^[ #]|[\\",+<>;=]| $/g;
const control = /[\u0000-\u001f\u007f]/g;

const hexPair = (byte: number): string => `\\${byte.toString(16).padStart(2, '0')}`;

/** Escapes a value (RFC 4514 §2.4). Bytes become hex pairs, which more directories read than `#` and BER. */
function escapeValue(value: AttributeValue): string {
  if (typeof value !== 'string') return Array.from(value, hexPair).join('');
  return value.replace(special, '\\$&').replace(control, (c) => hexPair(c.charCodeAt(0)));
}
