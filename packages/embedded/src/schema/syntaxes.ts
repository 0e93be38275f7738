/** Attribute syntaxes, RFC 4517 §3.3. An unlisted syntax accepts any value. */
import { type AttributeValue, bytesOf, Dn } from '@watchword/core/foundation';
import type { AttributeType } from './schema.ts';
import { generalizedTime, withoutUid } from './text-forms.ts';

type SyntaxCheck = (value: AttributeValue) => boolean;

const text =
  (isValid: (text: string) => boolean): SyntaxCheck =>
  (value) =>
    typeof value === 'string' && isValid(value);

const matches = (pattern: RegExp): SyntaxCheck => text((value) => pattern.test(value));

const printable = /^[A-Za-z0-9'()+,./:=? -]+$/;
const objectIdentifier = /^(?:[A-Za-z][A-Za-z0-9-]*|[0-9]+(?:\.[0-9]+)+)$/;

/** Checks for a BER SEQUENCE of the right length, which keeps text out of certificate attributes. */
const sequence: SyntaxCheck = (value) => {
  const bytes = bytesOf(value);
  const [tag, first = 0] = bytes;
  if (tag !== 0x30 || first === 0x80) return false;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const length =
    first < 0x80 ? first : bytes.subarray(2, 2 + lengthBytes).reduce((sum, b) => sum * 256 + b, 0);
  return bytes.length === 2 + lengthBytes + length;
};

const standard = '1.3.6.1.4.1.1466.115.121.1.';

const checks = new Map<string, SyntaxCheck>([
  [`${standard}6`, matches(/^'[01]*'B$/)], // Bit String
  [`${standard}7`, matches(/^(?:TRUE|FALSE)$/)], // Boolean
  [`${standard}8`, sequence], // Certificate
  [`${standard}11`, matches(/^[A-Za-z]{2}$/)], // Country String
  [`${standard}12`, text((value) => Dn.keyOf(value) !== undefined)], // DN
  [`${standard}15`, text((value) => value !== '')], // Directory String
  [`${standard}24`, text((value) => generalizedTime(value) !== undefined)], // Generalized Time
  [`${standard}26`, text((value) => isAscii(value))], // IA5 String
  [`${standard}27`, matches(/^(?:0|-?[1-9][0-9]{0,999})$/)], // INTEGER
  [`${standard}34`, text((value) => Dn.keyOf(withoutUid(value)) !== undefined)], // Name And Optional UID
  [`${standard}36`, matches(/^[0-9 ]+$/)], // Numeric String
  [`${standard}38`, matches(objectIdentifier)], // OID
  [`${standard}41`, text((value) => value !== '')], // Postal Address
  [`${standard}44`, matches(printable)], // Printable String
  [`${standard}50`, matches(/^(?=.*\S)[\x20-\x7e]+$/)], // Telephone Number
  ['1.3.6.1.1.16.1', matches(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)], // UUID
]);

/** Returns whether a value has the syntax of the attribute. */
export function hasSyntax({ syntax }: Pick<AttributeType, 'syntax'>, value: AttributeValue): boolean {
  // Half of a surrogate pair cannot be stored in UTF-8.
  if (typeof value === 'string' && !value.isWellFormed()) return false;
  return checks.get(syntax)?.(value) ?? true;
}

/** Certificate, Certificate List, Certificate Pair, Supported Algorithm: RFC 4523 §2. */
const binaryTransfers = new Set(['8', '9', '10', '49'].map((last) => standard + last));

/** Returns whether an attribute needs the option `;binary` (RFC 4522, 4523): certificates and lists of them. */
export const needsBinaryTransfer = ({ syntax }: Pick<AttributeType, 'syntax'>): boolean =>
  binaryTransfers.has(syntax);

function isAscii(value: string): boolean {
  return bytesOf(value).every((byte) => byte < 0x80);
}
