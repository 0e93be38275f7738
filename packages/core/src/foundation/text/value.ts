/**
 * Attribute values: UTF-8 text is a string, anything else is bytes. An attribute has an array of them, under its name in lower case.
 */
import { isUtf8 } from 'node:buffer';

export type AttributeValue = string | Uint8Array;

/** Values by attribute name in lower case. A Map, because `constructor` is a legal attribute name. */
export type Attributes = ReadonlyMap<string, readonly AttributeValue[]>;

/** Attributes whose values are bytes, even where they are UTF-8 (RFC 4523, RFC 2798, MS-ADA). */
const binaryAttributes = new Set([
  'audio',
  'authorityrevocationlist',
  'cacertificate',
  'certificaterevocationlist',
  'crosscertificatepair',
  'deltarevocationlist',
  'jpegphoto',
  'objectguid',
  'objectsid',
  'photo',
  'sidhistory',
  'supportedalgorithms',
  'thumbnailphoto',
  'usercertificate',
  'userpkcs12',
  'usersmimecertificate',
  'webadmvoice',
]);

/** Attributes whose values are DNs (RFC 4519, RFC 2798, RFC 4512, MS-ADA). */
const nameAttributes = new Set([
  'assistant',
  'creatorsname',
  'directreports',
  'distinguishedname',
  'entrydn',
  'groupmembership',
  'managedby',
  'managedobjects',
  'manager',
  'member',
  'memberof',
  'modifiersname',
  'owner',
  'roleoccupant',
  'secretary',
  'seealso',
  'uniquemember',
]);

/** Attributes that hold a password. */
const passwordAttributes = new Set(['userpassword', 'unicodepwd']);

/** Attributes that hold hashes of the password, or keys derived from it. */
const hashAttributes = new Set([
  'krbprincipalkey',
  'pwdhistory',
  'sambalmpassword',
  'sambantpassword',
  'sambapasswordhistory',
]);

/**
 * OIDs of the attributes above (RFC 4519 §2.41, RFC 4523 §4, RFC 2798, MS-ADA3): a directory would store a password named `2.5.4.35` in
 * clear. Also the object classes (RFC 4512 §3.3), which a licence limits.
 */
const byOid = new Map([
  ['2.5.4.0', 'objectclass'],
  ['2.5.4.35', 'userpassword'],
  ['2.5.4.36', 'usercertificate'],
  ['2.5.4.37', 'cacertificate'],
  ['2.5.4.38', 'authorityrevocationlist'],
  ['2.5.4.39', 'certificaterevocationlist'],
  ['2.5.4.40', 'crosscertificatepair'],
  ['2.5.4.52', 'supportedalgorithms'],
  ['2.5.4.53', 'deltarevocationlist'],
  ['0.9.2342.19200300.100.1.7', 'photo'],
  ['0.9.2342.19200300.100.1.55', 'audio'],
  ['0.9.2342.19200300.100.1.60', 'jpegphoto'],
  ['1.2.840.113556.1.4.90', 'unicodepwd'],
  ['2.16.840.1.113730.3.1.40', 'usersmimecertificate'],
  ['2.16.840.1.113730.3.1.216', 'userpkcs12'],
]);

/**
 * Returns the attribute name of a description, without options and in lower case: `userCertificate;binary` → `usercertificate`.
 */
export function attributeType(description: string): string {
  const semicolon = description.indexOf(';');
  const type = (semicolon < 0 ? description : description.slice(0, semicolon)).toLowerCase();
  return byOid.get(type) ?? type;
}

/** Returns values as text, also where they are bytes, as those of `objectClass;binary`. */
export const textsOf = (values: readonly AttributeValue[]): readonly string[] =>
  values.map((value) => Buffer.from(bytesOf(value)).toString('utf8').trim());

export function isBinaryAttribute(description: string): boolean {
  return binaryAttributes.has(attributeType(description)) || hasBinaryOption(description);
}

/** Returns whether a description has the option of RFC 4522. */
export const hasBinaryOption = (description: string): boolean =>
  description.toLowerCase().endsWith(';binary');

export function isNameAttribute(description: string): boolean {
  return nameAttributes.has(attributeType(description));
}

export function isPasswordAttribute(description: string): boolean {
  return passwordAttributes.has(attributeType(description));
}

/** Returns whether an attribute holds a password or a hash of it, which is returned only if it is asked for by name. */
export function isSecretAttribute(description: string): boolean {
  return isPasswordAttribute(description) || hashAttributes.has(attributeType(description));
}

/** Returns whether a name is a datum of an application, such as `Otp.TokenKey`: names of attributes have no dot. */
export const isDatumName = (name: string): boolean => /^[a-z][a-z0-9]*\.[a-z0-9]+$/i.test(name);

/** A `keystring` or numeric OID with options (RFC 4512 §2.5). */
const attributeDescription =
  /^(?:[a-zA-Z][a-zA-Z0-9-]{0,127}|[0-9]+(?:\.[0-9]+){1,63})(?:;[a-zA-Z0-9-]{1,64}){0,8}$/;

export function isAttributeDescription(text: string): boolean {
  return attributeDescription.test(text);
}

/** Returns bytes as text if they are UTF-8, else unchanged. */
export const valueOf = (bytes: Uint8Array): AttributeValue => (isUtf8(bytes) ? utf8Text(bytes) : bytes);

/** Decodes bytes that are known to be UTF-8. */
export const utf8Text = (bytes: Uint8Array): string => bufferOf(bytes).toString();

/** Returns the bytes as a `Buffer`, without a copy. */
export const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

export function bytesOf(value: AttributeValue): Uint8Array {
  return typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
}

export function sameValue(a: AttributeValue, b: AttributeValue): boolean {
  return typeof a === 'string' && typeof b === 'string'
    ? a === b
    : Buffer.compare(bytesOf(a), bytesOf(b)) === 0;
}

/** Returns a key that values with the same bytes share. */
export const valueKey = (value: AttributeValue): string => Buffer.from(bytesOf(value)).toString('latin1');

/**
 * Schemes of hashes, or of external checks, that OpenLDAP and its modules know (RFC 2307 §5.3). Any other word in braces may begin a
 * password.
 */
const hashedPassword =
  /^\{(?:ARGON2|CRYPT|S?MD5|S?SHA(?:256|384|512)?|PBKDF2(?:-SHA(?:1|256|512))?|APR1|BSDMD5|NS-MTA-MD5|LANMAN|SASL|KERBEROS|UNIX)\}./i;

export function isHashedPassword(value: string): boolean {
  return hashedPassword.test(value);
}

/** Returns a value of a password attribute as text. */
export const passwordText = (value: AttributeValue): string =>
  typeof value === 'string' ? value : Buffer.from(value).toString('latin1');

/** Returns the clear password in a value of a password attribute; undefined where the value is a hash. */
export function clearTextPassword(value: AttributeValue): string | undefined {
  const text = passwordText(value);
  return isHashedPassword(text) ? undefined : text.replace(/^\{CLEARTEXT\}/i, '');
}
